import BroadsheetClient
import BroadsheetCollections

/// Merges the sections of ascending pages: those of one identifier become one section at the
/// position of its first appearance; sections without identifier are never merged.
struct SectionMerger {
    /// The screen whose pages come before those that are added.
    private let base: MergedScreen?
    private var drafts: [(index: Int, draft: MergedSectionDraft)] = []
    /// The indices in ``drafts``.
    private var named: [Identifier: Int] = [:]
    private(set) var count: Int

    init(appendingTo base: MergedScreen? = nil) {
        self.base = base
        count = base?.sections.count ?? 0
    }

    /// Adds the sections of a page above all others.
    mutating func add(_ page: ResolvedPage) {
        for (index, section) in page.sections.enumerated() where !section.isHidden {
            let location = MergedSection.Location(page: page, section: index)
            drafts[self.index(of: section, at: location)].draft.add(section, at: location)
        }
    }

    /// Returns the index of the draft that a section is merged into, and creates one if necessary.
    private mutating func index(of section: SectionInfo, at location: MergedSection.Location) -> Int
    {
        let identifier = section.identifier.map(Identifier.init)
        if let identifier, let index = named[identifier] { return index }
        if let identifier { named[identifier] = drafts.count }
        if let base, let identifier, let place = base.index(of: identifier) {
            drafts.append((place, base.sections[place].draft))
        } else {
            drafts.append((count, MergedSectionDraft(identifier: identifier, location: location)))
            count += 1
        }
        return drafts.count - 1
    }

    /// Returns the sections, and the number of their items that are not collapsed.
    ///
    /// - Parameters:
    ///   - conditions: The parameters that the sections depend on.
    ///   - registry: The registry with the layouts of sections.
    ///   - names: The indices of the sections, to which those of new ones are added.
    ///   - earlier: A screen whose sections are reused.
    func merged(
        by conditions: MergeConditions, _ registry: CellRegistry, _ names: SharedSectionNames,
        reusing earlier: MergedScreen?
    ) -> (sections: ChunkedList<MergedSection>, itemCount: Int) {
        var sections = base?.sections ?? []
        var itemCount = base?.itemCount ?? 0
        var shift = 0
        sections.reserveCapacity(count)
        for (index, draft) in drafts {
            let isKnown = index < sections.count
            let version =
                isKnown
                ? sections[index]
                : earlier?.index(ofVersion: draft, near: index, &shift)
                    .flatMap { earlier?.sections[$0] }
            let section = draft.merged(by: conditions, registry, reusing: version)
            itemCount += section.itemCount
            if isKnown {
                itemCount -= sections[index].itemCount
                sections[index] = section
            } else {
                names.add(draft.identifier, at: index)
                sections.append(section)
            }
        }
        return (sections, itemCount)
    }

    func unknownSections(in parameters: LayoutParameters, page: Int) -> [Diagnostic] {
        let lists = [("collapsed", parameters.collapsed), ("expanded", parameters.expanded)]
        return lists.flatMap { name, list in
            list.texts.filter { named[Identifier($0)] == nil }.map { text in
                Diagnostic(
                    code: .unknownSection, page: page, pointer: "",
                    detail: "no section of this tree has the id '\(text)', which \(name) names")
            }
        }
    }
}

/// The indices of sections by their identifiers, which successive versions of a screen share.
///
/// No index is removed when a version is, so that an identifier without one is in no version. An
/// index may be that of another version, which is why the section at the index is compared.
final class SharedSectionNames: Sendable {
    private let indices = LockedValue<[Identifier: Int]?>(nil)

    /// The number of indices that may be outdated, in addition to as many as there are sections.
    private static let maxSurplus = 1024

    /// Returns whether few of the indices are those of other versions.
    func isUseful(for count: Int) -> Bool {
        indices.withLock { $0.map { $0.count <= 2 * count + Self.maxSurplus } ?? true }
    }

    /// Returns the index of the section of that identifier, or `nil`.
    ///
    /// - Complexity: O(1) on average; O(sections) at the first time, and when versions differ.
    func index(
        of identifier: Identifier, in sections: ChunkedList<MergedSection>
    ) -> Int? {
        let index = indices.withLock { indices in
            if let indices { return indices[identifier] }
            var indexes: [Identifier: Int] = [:]
            for (index, section) in sections.enumerated() {
                if let identifier = section.draft.identifier { indexes[identifier] = index }
            }
            indices = indexes
            return indexes[identifier]
        }
        guard let index else { return nil }
        if index < sections.count, sections[index].draft.identifier == identifier { return index }
        return sections.firstIndex { $0.draft.identifier == identifier }
    }

    /// Adds the index of a new section, if there are any indices yet.
    func add(_ identifier: Identifier?, at index: Int) {
        guard let identifier else { return }
        indices.withLock { if $0 != nil { $0?[identifier] = index } }
    }
}

/// The parameters and the registry that the sections of a merged screen depend on.
struct MergeConditions: Sendable {
    private let collapsed: Set<Identifier>
    private let expanded: Set<Identifier>
    private let reportsUnknown: Bool
    private let registry: CellRegistry.Identity

    init(_ parameters: LayoutParameters, _ registry: CellRegistry) {
        collapsed = Set(parameters.collapsed.texts.map(Identifier.init))
        expanded = Set(parameters.expanded.texts.map(Identifier.init))
        reportsUnknown = parameters.lint
        self.registry = registry.identity
    }

    /// Returns whether sections merged under these conditions are of use under others; lint needs
    /// the identifiers of all sections.
    func allow(_ other: MergeConditions) -> Bool {
        registry === other.registry && !other.reportsUnknown && collapsed == other.collapsed
            && expanded == other.expanded
    }

    fileprivate func collapse(_ identifier: Identifier?, orElse isCollapsed: Bool) -> Bool {
        guard let identifier else { return isCollapsed }
        return collapsed.contains(identifier) || isCollapsed && !expanded.contains(identifier)
    }
}

extension MergedScreen {
    /// The number of indices before and after the expected one that are searched.
    private static let searchedDistance = 8

    /// Returns the index of the section of this screen of which a draft is a version, or `nil`.
    ///
    /// Sections that come and go move those behind them by a few indices.
    ///
    /// - Parameters:
    ///   - draft: A section of a later version of the screen.
    ///   - index: The index in the later version.
    ///   - shift: The distance between the indices of the last section found in both versions.
    func index(
        ofVersion draft: MergedSectionDraft, near index: Int, _ shift: inout Int
    ) -> Int? {
        for distance in 0...Self.searchedDistance {
            for place in [index + shift + distance, index + shift - distance]
            where sections.indices ~= place && draft.isVersion(of: sections[place].draft) {
                shift = place - index
                return place
            }
        }
        return nil
    }
}

/// A section as its pages specify it; later pages take precedence.
struct MergedSectionDraft: Sendable {
    let identifier: Identifier?
    let location: MergedSection.Location
    /// The members of layouts that the pages specify.
    private var ownLayout: LayoutBox?
    /// The layout of the first unit type with one.
    private(set) var unitLayout: LayoutBox?
    private var isCollapsed = false
    /// The header of the last page that has one.
    private(set) var header: MergedView?
    /// The footer of the last page that has one.
    private(set) var footer: MergedView?
    /// The data of the last page that has some.
    private(set) var data: MergedData?
    private(set) var parts: ChunkedList<MergedSection.Part> = []
    private(set) var itemCount = 0
    /// The kind of all items; `nil` if they differ, or there are none.
    private(set) var uniformKind: CellKind?
    /// A Boolean value that indicates whether no two items can have the same identity: the
    /// positions of ascending pages are different.
    private(set) var hasDistinctPositions = true
    private(set) var hasContents = false

    init(identifier: Identifier?, location: MergedSection.Location) {
        self.identifier = identifier
        self.location = location
    }

    mutating func add(_ section: SectionInfo, at location: MergedSection.Location) {
        if let layout = section.layout {
            ownLayout = LayoutBox(ownLayout?.layout.overridden(by: layout) ?? layout)
        }
        unitLayout = unitLayout ?? section.unitLayout
        hasContents = hasContents || section.hasContents
        isCollapsed = section.collapsed ?? isCollapsed
        header = section.header.map { MergedView(page: location.page, info: $0) } ?? header
        footer = section.footer.map { MergedView(page: location.page, info: $0) } ?? footer
        data = section.dataRange.map { MergedData(page: location.page, range: $0) } ?? data
        guard !section.cells.isEmpty else { return }
        let part = MergedSection.Part(
            location: location, start: itemCount, count: section.cells.count)
        let kind = section.uniformKind.map { location.page.kinds[$0] }
        uniformKind = parts.isEmpty || uniformKind === kind ? kind : nil
        hasDistinctPositions =
            hasDistinctPositions && section.hasDistinctPositions
            && parts.last.map { $0.page.number < location.page.number } ?? true
        parts.append(part)
        itemCount += part.count
    }

    /// Returns the complete section; an earlier version of it if that is the same.
    fileprivate func merged(
        by conditions: MergeConditions, _ registry: CellRegistry, reusing earlier: MergedSection?
    ) -> MergedSection {
        let collapsed = conditions.collapse(identifier, orElse: isCollapsed)
        let base = registry.layout(forSection: identifier?.text, unitLayout: unitLayout?.layout)
        let layout = ownLayout.map { base.overridden(by: $0.layout) } ?? base
        guard let earlier else {
            return MergedSection(self, collapsed: collapsed, layout: layout)
        }
        let common = parts.commonPrefixCount(with: earlier.draft.parts) { $0.isSame(as: $1) }
        if common == parts.count, common == earlier.draft.parts.count,
            hasSameMembers(as: earlier.draft), collapsed == earlier.collapsed,
            layout == earlier.layout
        {
            return earlier
        }
        var draft = self
        draft.parts = earlier.draft.parts
        draft.parts.truncate(to: common)
        for index in common..<parts.count { draft.parts.append(parts[index]) }
        return MergedSection(draft, collapsed: collapsed, layout: layout, reusing: earlier)
    }

    /// Returns the section with some of its items.
    ///
    /// The first and the last part may have items that the section does not have: their indices
    /// are below 0, or from the number of items on.
    func part(with items: Range<Int>) -> Self {
        var part = self
        part.parts = []
        part.itemCount = items.count
        guard !items.isEmpty else { return part }
        let first = parts.partitioningIndex { $0.items.upperBound > items.lowerBound }
        for index in first..<parts.count {
            guard parts[index].start < items.upperBound else { break }
            part.parts.append(
                MergedSection.Part(
                    location: parts[index].location, start: parts[index].start - items.lowerBound,
                    count: parts[index].count))
        }
        return part
    }

    /// Returns whether this is a version of the same section: of the same identifier, or one
    /// without any of the same page.
    func isVersion(of other: MergedSectionDraft) -> Bool {
        identifier == other.identifier
            && (identifier != nil || location.page.number == other.location.page.number)
    }

    /// Returns whether the members besides the items and the layout come from the same places.
    private func hasSameMembers(as other: MergedSectionDraft) -> Bool {
        isCollapsed == other.isCollapsed && location.isSame(as: other.location)
            && MergedView.areSame(header, other.header)
            && MergedView.areSame(footer, other.footer) && MergedData.areSame(data, other.data)
            && unitLayout === other.unitLayout
            && ownLayout?.layout == other.ownLayout?.layout
    }
}
