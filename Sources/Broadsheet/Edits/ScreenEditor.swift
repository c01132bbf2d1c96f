/// A screen to which operations by identity are applied.
///
/// Pages are opened for edits when an operation touches them; all others stay as they are.
/// After an error the editor is to be discarded.
final class ScreenEditor {
    /// A posted section of one page; parts of one identifier are one section of the screen.
    struct Part: Hashable, Comparable {
        /// The index of the page in the editor.
        let page: Int
        let section: Int

        static func < (left: Self, right: Self) -> Bool {
            (left.page, left.section) < (right.page, right.section)
        }

        var next: Part { Part(page: page, section: section + 1) }

        /// Returns the same location after a part was removed.
        func without(_ part: Part) -> Part {
            let isMoved = part.page == page && part.section < section
            return isMoved ? Part(page: page, section: section - 1) : self
        }
    }

    /// The location of an item: its page, and its location there.
    struct Item: Hashable, Comparable {
        /// The index of the page in the editor.
        let page: Int
        var item: PageItem

        var part: Part { Part(page: page, section: item.section) }

        static func < (left: Self, right: Self) -> Bool {
            left.page == right.page ? left.item < right.item : left.page < right.page
        }
    }

    /// The pages before the edits as they are for the audience, ascending by number.
    let pages: PageList
    let audience: Audience
    /// A Boolean value that indicates whether parts of pages may be there for other audiences.
    let mayDiffer: Bool
    let registry: CellRegistry
    let limits: EditLimits
    private let reserve: EditReservation
    /// The directory of the identities of items; `nil` for a screen of few pages.
    let directory: ItemDirectory?
    let record: EditRecord
    /// The work of the judgements of what actions leave.
    var judgeCost: SchemaCost
    private(set) var opened: [EditedPage?]
    private var sources = JSONMemberIndexes()
    /// The directory of sections; `nil` until an index is looked up, or an identifier after others
    /// or after a change of sections.
    private var sectionDirectory: SectionDirectory?
    private var hasChangedSections = false
    /// The parts of sections that were looked up by their identifiers without the directory.
    private var partsById: [Identifier: [Part]] = [:]
    /// The number of identifiers above which the directory takes less than a pass for each.
    private static let maxPassesById = 16

    /// The arrays that elements were appended to, with the number of unit edits at that time.
    var lastArrays: [ArrayKey: (item: Item, unitEdits: Int)] = [:]

    /// The items whose ids have numbers, for roots that were searched for.
    var numberedItems: [NumberedRoot: NumberedItems] = [:]
    var hasListedNumbers = false

    /// The arrays of a placement in a section.
    struct ArrayKey: Hashable {
        /// The first part of the section.
        let part: Part
        let type: JSONKey
        /// The position of the placement among those of its unit type.
        let ordinal: Int
    }

    init(
        _ model: PaginatedViewModel, _ parameters: LayoutParameters, _ directory: ItemDirectory?,
        _ registry: CellRegistry, limits: EditLimits, reserving reserve: @escaping EditReservation
    ) {
        self.reserve = reserve
        audience = Audience(parameters)
        mayDiffer = model.hasConditions
        // The stored pages are not documents of the request.
        pages = PageList(
            model.pages(upTo: .max, for: parameters, registry.limited(to: nil)))
        opened = Array(repeating: nil, count: pages.count)
        self.directory = directory
        record = EditRecord(recordsIdentities: directory != nil, maxSteps: limits.maxSteps)
        self.registry = registry
        judgeCost = SchemaCost(limits: .ofRequest, registry.judgementBudget)
        self.limits = limits
    }

    /// Returns the pages whose bytes are different, with their bytes, ascending by number.
    func changedPages() throws(EditFailure) -> [(number: Int, bytes: [UInt8])] {
        var changed: [(number: Int, bytes: [UInt8])] = []
        for case let page? in opened where page.isChanged {
            record.pass(EditWork.operationSteps + page.byteCount)
            guard reserve(.writing(byteCount: page.byteCount)) else { throw .outOfMemory }
            let bytes = page.bytes
            if bytes != page.originalBytes { changed.append((page.number, bytes)) }
        }
        return changed
    }

    func page(_ index: Int) throws(EditFailure) -> EditedPage {
        if let page = opened[index] { return page }
        let page = try EditedPage(
            pages[index], for: audience, registry: registry, limits: limits, record: record,
            reserving: reserve)
        opened[index] = page
        record.pass(EditWork.operationSteps + 8 * page.byteCount)
        return page
    }

    func openedPage(_ index: Int) -> EditedPage? { opened[index] }

    func edited(_ value: JSONValue) -> EditedValue {
        EditedValue(source(of: value), value.node)
    }

    func source(of value: JSONValue) -> JSONMemberIndex { sources.source(of: value) }
}

// MARK: - Sections

extension ScreenEditor {
    /// The directory of sections, made once in an update in O(sections of all pages).
    private var directoryOfSections: SectionDirectory {
        if let sectionDirectory { return sectionDirectory }
        let made = SectionDirectory(pageCount: pages.count, record) { page in
            record.spend(sectionCount(ofPage: page) * EditWork.unitSteps)
            if let page = opened[page] {
                return page.sections.map { .init($0.identifier, isHidden: $0.isHidden) }
            }
            return pages[page].sections.map {
                .init($0.identifier.map(Identifier.init), isHidden: $0.isHidden)
            }
        }
        sectionDirectory = made
        partsById = [:]
        return made
    }

    var sectionCount: Int { directoryOfSections.count }

    /// Returns the index in the tree of the section that begins with a part, or `nil`.
    func index(ofSection part: Part) -> Int? { directoryOfSections.index(ofSection: part) }

    /// Returns the parts of an identifier, in their order; none if there is no such section.
    ///
    /// - Parameter all: A Boolean value that indicates whether those count that the audience does
    ///   not get.
    /// - Complexity: O(sections of all pages) for the first look-up of an identifier, until the
    ///   directory exists.
    func parts(of identifier: Identifier, all: Bool = false) -> [Part] {
        if !all, let known = partsById[identifier] { return known }
        guard sectionDirectory == nil, !hasChangedSections,
            partsById.count < Self.maxPassesById
        else { return directoryOfSections.parts(of: identifier, all: all) }
        var parts: [Part] = []
        for page in pages.indices {
            let count = sectionCount(ofPage: page)
            record.passSections(count)
            for index in 0..<count
            where all
                ? has(identifier.text, index, page) : isSection(index, identifier.text, page)
            {
                parts.append(Part(page: page, section: index))
            }
        }
        if !all { partsById[identifier] = parts }
        return parts
    }

    /// `origin` is the page that the section was removed from, if it is moved.
    func insertSection(
        _ element: EditedArray.Element, _ section: EditedSection, at part: Part,
        from origin: Int? = nil
    ) throws(EditFailure) {
        try page(part.page).insert(
            element, section, at: part.section, isKnown: origin == part.page)
        changeSections {
            $0.insert(.init(section.identifier, isHidden: section.isHidden), at: part)
        }
        try record.check(afterSteps: EditWork.elementSteps)
    }

    @discardableResult
    func removeSection(
        _ part: Part
    ) throws(EditFailure) -> (element: EditedArray.Element, section: EditedSection) {
        let removed = try page(part.page).removeSection(part.section)
        changeSections { $0.remove(part) }
        try record.check(afterSteps: EditWork.elementSteps)
        return removed
    }

    /// Gives a posted section the place of another one with the same identifier.
    func setSection(
        _ part: Part, to section: EditedSection, of value: EditedValue
    ) throws(EditFailure) {
        try page(part.page).setSection(part.section, to: section, of: value)
        changeSections { $0.setHidden(part, section.isHidden) }
    }

    private func changeSections(_ change: (SectionDirectory) -> Void) {
        if let sectionDirectory { return change(sectionDirectory) }
        hasChangedSections = true
        partsById = [:]
    }

    /// Brings the sections up to date after edits of what they have.
    func followVisibility() {
        for edit in record.takeVisibilityEdits() {
            guard let page = pages.index(ofPage: edit.page), let opened = opened[page],
                let section = opened.sections[safe: edit.section]
            else { continue }
            changeSections {
                $0.setHidden(Part(page: page, section: edit.section), section.isHidden)
            }
        }
    }

    func sectionCount(ofPage page: Int) -> Int {
        opened[page]?.sections.count ?? pages[page].sections.count
    }

    /// Returns whether the posted section at an index of a page is there and has an identifier.
    func isSection(_ index: Int, _ identifier: String, _ page: Int) -> Bool {
        if let page = opened[page] { return page.isSection(index, identifier) }
        // By index, because a copy of a section would retain and release its members.
        let sections = pages[page].sections
        return !sections[index].isHidden
            && sections[index].identifier?.hasSameCodePoints(as: identifier) == true
    }

    /// Returns whether the posted section at an index of a page has an identifier, for whichever
    /// audience it is.
    func has(_ identifier: String, _ index: Int, _ page: Int) -> Bool {
        if let page = opened[page] {
            return page.sections[index].identifier?.text.hasSameCodePoints(as: identifier) == true
        }
        let sections = pages[page].sections
        return sections[index].identifier?.hasSameCodePoints(as: identifier) == true
    }

    func parts(
        of target: UpdateTarget, at pointer: String = "/section"
    ) throws(EditFailure) -> [Part] {
        switch target {
        case .id(let id):
            let parts = parts(of: Identifier(id))
            guard !parts.isEmpty else {
                throw EditFailure("The screen has no section with the id \"\(id)\".", at: pointer)
            }
            return parts
        case .index(let index):
            guard let parts = directoryOfSections.parts(ofSection: index) else {
                throw EditFailure(
                    "The screen has \(sectionCount) sections, and none with the index "
                        + "\(index).", at: pointer)
            }
            return parts
        }
    }
}

extension EditedPage {
    func isSection(_ index: Int, _ identifier: String) -> Bool {
        !sections[index].isHidden
            && sections[index].identifier?.text.hasSameCodePoints(as: identifier) == true
    }
}
