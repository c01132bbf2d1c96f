import BroadsheetClient

/// A laid-out screen that the layout of a similar screen can reuse.
///
/// A section that is the same is taken over as a whole, and of a section that has changed or grown
/// the items before the first one that has changed. The frames are the same as without reuse.
package struct LaidOutSections<Content: SectionContent>: Sendable {
    /// The frames.
    package let frames: ScreenFrames

    private let environment: LayoutEnvironment
    private let contents: ChunkedList<Content>
    private let sections: ChunkedList<PlacedSection>

    /// Lays out sections, one after another along the screen's main axis (rule G7).
    ///
    /// - Parameters:
    ///   - contents: The sections.
    ///   - environment: Everything else that the frames depend on.
    ///   - earlier: A laid-out screen with similar sections, of use in the same environment only.
    /// - Complexity: O(sections + items), without the sections at the beginning that are the same
    ///   and the items of each other section before the first one that has changed.
    package init(
        _ contents: ChunkedList<Content>, in environment: LayoutEnvironment,
        reusing earlier: LaidOutSections? = nil
    ) {
        let earlier = earlier.flatMap { $0.environment == environment ? $0 : nil }
        var stack = SectionStack<Content>(environment)
        var sections = earlier?.begin(&stack, contents) ?? []
        let first = sections.count
        var found: [(known: KnownSection?, end: Double, lastKind: SectionLayout.Kind?)] = []
        var shift = 0
        for index in first..<contents.count {
            let place = Place(isFirst: index == 0, isOnly: contents.count == 1)
            let version = earlier?.version(of: contents[index], at: index, &shift)
            let same = version?.known(for: contents[index], at: place)
            let arranged =
                same.flatMap { version?.finished($0) }
                ?? ArrangedSection(
                    contents[index], isOnly: place.isOnly,
                    in: stack.context(
                        reusing: version?.arrangement(for: contents[index], environment)))
            stack.push(arranged, contents[index].layout)
            found.append((same, stack.end, stack.lastKind))
        }
        var frames = stack.finished { index, arranged in
            let (known, end, lastKind) = found[index - first]
            let place = Place(isFirst: index == 0, isOnly: contents.count == 1)
            sections.append(
                PlacedSection(
                    section: known ?? KnownSection(contents[index], at: place, arranged), end: end,
                    lastKind: lastKind))
        }
        if environment.lints {
            frames.diagnostics += LayoutLint.diagnose(sections: contents, in: environment)
        }
        self.frames = frames
        self.environment = environment
        self.contents = contents
        self.sections = sections
    }
}

/// The sections that a later layout takes over.
extension LaidOutSections {
    /// The properties of a section's place that its arrangement depends on.
    private struct Place: Sendable, Hashable {
        /// A Boolean value that indicates whether it is the first section (L4).
        let isFirst: Bool
        /// A Boolean value that indicates whether there is no other section (P1).
        let isOnly: Bool
    }

    /// A section at its position in the screen.
    private struct PlacedSection: Sendable {
        let section: KnownSection
        /// The end of this and all earlier sections along the main axis, in points.
        let end: Double
        /// The kind of the last of these sections that has an area.
        let lastKind: SectionLayout.Kind?
    }

    /// An arranged section, wherever it is in a screen.
    private final class KnownSection: Sendable {
        let content: Content
        let place: Place
        /// The arrangement, whose items are in the frames of the screen.
        let arranged: ArrangedSection

        init(_ content: Content, at place: Place, _ arranged: ArrangedSection) {
            self.content = content
            self.place = place
            self.arranged = arranged
        }
    }

    /// An earlier version of a section.
    private struct Version {
        let section: KnownSection
        let frames: SectionFrames

        /// Returns the section if everything in it is the same.
        func known(for content: Content, at place: Place) -> KnownSection? {
            section.place == place && content.isSame(as: section.content) ? section : nil
        }

        /// Returns the arrangement of the section if that is the same.
        func finished(_ section: KnownSection) -> ArrangedSection {
            var arranged = section.arranged
            arranged.finished = frames
            return arranged
        }

        /// Returns the arrangement from which the layout of a changed section can go on, or `nil`.
        func arrangement(
            for content: Content, _ environment: LayoutEnvironment
        ) -> EarlierArrangement? {
            let layout = content.layout
            guard section.arranged.kind != nil, layout.enabledPaging == nil,
                !environment.isMirroredAlong, layout == section.content.layout
            else { return nil }
            let unchanged = content.commonItemCount(with: section.content)
            guard unchanged > 0 else { return nil }
            return EarlierArrangement(
                frames, section.arranged.arrangement.states, unchangedCount: unchanged)
        }
    }

    /// Takes the sections at the beginning that are the same over into a stack, and returns them.
    ///
    /// - Complexity: O(chunks of sections), and O(sections) in the chunks that differ.
    private func begin(
        _ stack: inout SectionStack<Content>, _ contents: ChunkedList<Content>
    ) -> ChunkedList<PlacedSection> {
        // A section without neighbours may page (P1).
        guard !environment.isMirroredAlong,
            (contents.count == 1) == (self.contents.count == 1)
        else { return [] }
        let count = self.contents.commonPrefixCount(with: contents) { $0.isSame(as: $1) }
        guard count > 0, let kind = sections[count - 1].lastKind else { return [] }
        stack.take(count, of: frames, end: sections[count - 1].end, lastKind: kind)
        var taken = sections
        taken.truncate(to: count)
        return taken
    }

    /// Returns the section of this screen of which `content` is a version.
    ///
    /// - Parameter shift: The distance between the places of the last two versions found.
    private func version(
        of content: Content, at index: Int, _ shift: inout Int
    ) -> Version? {
        contents.index(near: index, &shift) { content.isVersion(of: $0) }.map { place in
            Version(section: sections[place].section, frames: frames.sections[place])
        }
    }
}

extension LayoutEnvironment {
    /// A Boolean value that indicates whether the screen scrolls to the left, so that its sections
    /// are mirrored in its whole length (R4).
    fileprivate var isMirroredAlong: Bool {
        screen.direction == .horizontal && viewport.direction == .rtl
    }
}

extension ChunkedList {
    /// The number of indices before and after the expected one that are searched.
    private static var searchedDistance: Int { 8 }

    /// Returns the index of a section in an earlier version of a screen, or `nil`.
    ///
    /// Sections that come and go move those behind them by a few indices.
    ///
    /// - Parameters:
    ///   - index: The index in the later version.
    ///   - shift: The distance between the indices of the last section found in both versions.
    ///   - isVersion: Returns whether an element is a version of the section.
    func index(
        near index: Int, _ shift: inout Int, where isVersion: (Element) -> Bool
    ) -> Int? {
        for distance in 0...Self.searchedDistance {
            for place in [index + shift + distance, index + shift - distance]
            where indices ~= place && isVersion(self[place]) {
                shift = place - index
                return place
            }
        }
        return nil
    }
}
