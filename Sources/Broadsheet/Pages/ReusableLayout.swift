import BroadsheetClient

/// A merged screen with its layout, from which those of later versions of the screen are made.
///
/// A section that is the same is taken over as a whole, and of a section that has changed or grown
/// the items before the first one that has changed. The frames are the same as without reuse.
package struct ReusableLayout: Sendable {
    package let screen: MergedScreen
    package let frames: ScreenFrames

    private let environment: LayoutEnvironment
    private let sections: ChunkedList<PlacedSection>

    package init(
        _ screen: MergedScreen, _ parameters: LayoutParameters, reusing earlier: Self? = nil
    ) {
        let (contents, environment) = (screen.sections, screen.environment(parameters))
        let earlier = earlier.flatMap { $0.environment == environment ? $0 : nil }
        var stack = SectionStack(environment)
        var sections = earlier?.begin(&stack, contents) ?? []
        let first = sections.count
        var found: [(known: KnownSection?, end: Double, lastKind: SectionLayout.Kind?)] = []
        var shift = 0
        for index in first..<contents.count {
            let content = contents[index]
            let place = Place(isFirst: index == 0, isOnly: contents.count == 1)
            let version = earlier?.version(of: content, at: index, &shift)
            var known: KnownSection?
            if let version, version.isSame(as: content, at: place) {
                known = version.section
                stack.push(version.finished, content.layout)
            } else {
                stack.append(
                    content, isOnly: place.isOnly,
                    reusing: version?.arrangement(for: content, environment))
            }
            found.append((known, stack.end, stack.lastKind))
        }
        var frames = stack.finished { index, arranged in
            let (known, end, lastKind) = found[index - first]
            let place = Place(isFirst: index == 0, isOnly: contents.count == 1)
            sections.append(
                PlacedSection(
                    section: known ?? KnownSection(contents[index], at: place, arranged), end: end,
                    lastKind: lastKind))
        }
        if environment.lints { frames.diagnostics += screen.lint(in: environment) }
        self.screen = screen
        self.frames = frames
        self.environment = environment
        self.sections = sections
    }
}

extension MergedScreen {
    /// Lays out the sections and their items once.
    ///
    /// - Complexity: O(sections + items).
    package func laidOut(by parameters: LayoutParameters) -> ScreenFrames {
        ScreenFrames.layOut(sections: contents, in: environment(parameters))
    }

    /// The sections as layouts use them.
    private var contents: [any SectionContent] { sections.map { $0 } }

    fileprivate func environment(_ parameters: LayoutParameters) -> LayoutEnvironment {
        var environment = LayoutEnvironment(
            viewport: parameters.viewport, screen: layout, rounding: parameters.rounding,
            lints: parameters.lint)
        if parameters.lint { environment.openSections = openSections }
        return environment
    }

    /// Returns the lint of the sections.
    ///
    /// - Complexity: O(sections + items).
    func lint(
        for parameters: LayoutParameters, comparingAllTexts: Bool
    ) -> [LayoutDiagnostic] {
        var parameters = parameters
        parameters.lint = true
        var environment = environment(parameters)
        environment.comparesAllTexts = comparingAllTexts
        return lint(in: environment)
    }

    fileprivate func lint(in environment: LayoutEnvironment) -> [LayoutDiagnostic] {
        LayoutLint.diagnose(sections: contents, in: environment)
    }
}

/// The sections that a later layout takes over.
extension ReusableLayout {
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
        let content: MergedSection
        let place: Place
        /// The arrangement, whose items are in the frames of the screen.
        let arranged: ArrangedSection

        init(_ content: MergedSection, at place: Place, _ arranged: ArrangedSection) {
            self.content = content
            self.place = place
            self.arranged = arranged
        }
    }

    /// An earlier version of a section.
    private struct Version {
        let section: KnownSection
        let frames: SectionFrames

        /// Returns whether everything in the section is the same.
        func isSame(as content: MergedSection, at place: Place) -> Bool {
            section.place == place && section.content === content
        }

        /// The arrangement of the section if everything in it is the same.
        var finished: ArrangedSection {
            var arranged = section.arranged
            arranged.finished = frames
            return arranged
        }

        /// Returns the arrangement from which the layout of a changed section can go on, or `nil`.
        func arrangement(
            for content: MergedSection, _ environment: LayoutEnvironment
        ) -> EarlierArrangement? {
            guard content.layout == section.content.layout else { return nil }
            return section.arranged.earlier(
                frames, unchangedCount: content.commonItemCount(with: section.content),
                content.layout, in: environment)
        }
    }

    /// Takes the sections at the beginning that are the same over into a stack, and returns them.
    ///
    /// - Complexity: O(chunks of sections), and O(sections) in the chunks that differ.
    private func begin(
        _ stack: inout SectionStack, _ contents: ChunkedList<MergedSection>
    ) -> ChunkedList<PlacedSection> {
        // A section without neighbours may page (P1).
        guard !environment.isMirroredAlong,
            (contents.count == 1) == (screen.sections.count == 1)
        else { return [] }
        let count = screen.sections.commonPrefixCount(with: contents) { $0 === $1 }
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
        of content: MergedSection, at index: Int, _ shift: inout Int
    ) -> Version? {
        screen.index(ofVersion: content.draft, near: index, &shift).map { place in
            Version(section: sections[place].section, frames: frames.sections[place])
        }
    }
}

extension MergedSection {
    /// Returns the number of items at the beginning that are known to be those of another section.
    fileprivate func commonItemCount(with other: MergedSection) -> Int {
        guard !collapsed, !other.collapsed else { return 0 }
        let count = draft.parts.commonPrefixCount(with: other.draft.parts) { $0.isSame(as: $1) }
        return count > 0 ? draft.parts[count - 1].items.upperBound : 0
    }
}
