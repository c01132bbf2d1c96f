/// Writes a laid-out screen as its tree (docs/api.md, "The tree").
///
/// Equal arguments give equal bytes: the order of members is fixed, and posted data is copied
/// unchanged.
public struct TreeWriter {
    private let screen: MergedScreen
    private let frames: ScreenFrames
    private let viewport: Viewport
    private let envelope: TreeEnvelope
    private let options: TreeOptions

    /// Writes the tree of a screen.
    ///
    /// - Parameters:
    ///   - screen: The screen.
    ///   - frames: The layout of its sections, in the same order.
    ///   - viewport: The viewport of the layout.
    ///   - envelope: The source of the tree and the reference to its next page.
    ///   - options: The content and the format of the tree.
    /// - Complexity: O(sections + items + bytes of data), with one buffer.
    public static func write(
        _ screen: MergedScreen, _ frames: ScreenFrames, viewport: Viewport,
        envelope: TreeEnvelope = TreeEnvelope(), options: TreeOptions = TreeOptions()
    ) -> [UInt8] {
        var output = StructuredJSONWriter(
            style: options.pretty ? .pretty : .compact,
            reservingCapacity: expectedByteCount(of: screen, options))
        TreeWriter(
            screen: screen, frames: frames, viewport: viewport, envelope: envelope,
            options: options
        ).writeTree(to: &output)
        return output.bytes
    }

    /// Writes the trees of one screen in many viewports, as `{"layouts": [tree, …]}`.
    ///
    /// - Parameter layouts: The viewports, and the frames of the screen in each.
    public static func write(
        _ screen: MergedScreen, layouts: [(viewport: Viewport, frames: ScreenFrames)],
        envelope: TreeEnvelope = TreeEnvelope(), options: TreeOptions = TreeOptions()
    ) -> [UInt8] {
        var output = StructuredJSONWriter(
            style: options.pretty ? .pretty : .compact,
            reservingCapacity: layouts.count * expectedByteCount(of: screen, options))
        output.object { output in
            output.array("layouts") { output in
                for layout in layouts {
                    output.element()
                    TreeWriter(
                        screen: screen, frames: layout.frames, viewport: layout.viewport,
                        envelope: envelope, options: options
                    ).writeTree(to: &output)
                }
            }
        }
        return output.bytes
    }

    /// Writes a part of a screen's tree: the sections of `elements`, with these elements only, and
    /// no diagnostics.
    ///
    /// All members of an element are the same as in the complete tree, its index and its id
    /// included. Of a scroller's resting offsets, those are written at which one of the elements is
    /// in view.
    ///
    /// - Parameter elements: The elements that ``VisibilityIndex`` has found in `frames`, in its
    ///   order.
    /// - Complexity: O(elements * log(parts) + bytes of their data), independent of the size of the
    ///   screen.
    public static func write(
        _ elements: [LaidOutElement], of screen: MergedScreen, _ frames: ScreenFrames,
        viewport: Viewport, envelope: TreeEnvelope = TreeEnvelope(),
        options: TreeOptions = TreeOptions()
    ) -> [UInt8] {
        let perElement = options.pretty ? 600 : 300
        var output = StructuredJSONWriter(
            style: options.pretty ? .pretty : .compact,
            reservingCapacity: 1024 + perElement * elements.count)
        let writer = TreeWriter(
            screen: screen, frames: frames, viewport: viewport, envelope: envelope,
            options: options)
        let sections = 0..<min(screen.sections.count, frames.sections.count)
        output.object { output in
            writer.writeHead(to: &output)
            writer.writeSections(
                bySection(elements).filter { sections ~= $0.index }, to: &output)
            output.array("diagnostics") { _ in }
        }
        return output.bytes
    }

    /// Returns the estimated number of bytes of a tree, rather too high than too low.
    ///
    /// The data of a page's items has about as many bytes as the page; the other members of an item
    /// have about 150.
    private static func expectedByteCount(of screen: MergedScreen, _ options: TreeOptions) -> Int {
        let data = options.fields == .all ? screen.postedByteCount : 0
        let perItem = options.pretty ? 300 : 150
        return 1024 + data + perItem * screen.itemCount + 4 * perItem * screen.sections.count
    }

    private func writeTree(to output: inout StructuredJSONWriter) {
        output.object { output in
            writeHead(to: &output)
            let sections = 0..<min(screen.sections.count, frames.sections.count)
            writeSections(
                sections.lazy.map { ($0, ShownElements(allOf: frames.sections[$0])) }, to: &output)
            writeDiagnostics(to: &output)
        }
    }

    /// Writes the members before the sections.
    private func writeHead(to output: inout StructuredJSONWriter) {
        writeEnvelope(envelope, to: &output)
        writeViewport(viewport, to: &output)
    }

    private func writeEnvelope(_ envelope: TreeEnvelope, to output: inout StructuredJSONWriter) {
        if let name = envelope.screen { output.member("screen", name) }
        if let revision = envelope.revision { output.member("revision", revision) }
        output.member("page", screen.page)
        output.member("pageCount", screen.pageCount)
        output.member("hasNext", envelope.hasNext)
        if let token = envelope.nextPageToken { output.member("nextPageToken", token) }
    }

    private func writeViewport(_ viewport: Viewport, to output: inout StructuredJSONWriter) {
        output.inlineObject("viewport") { output in
            output.member("width", viewport.size.width)
            output.member("height", viewport.size.height)
            output.member("scale", viewport.scale)
            output.member("direction", viewport.direction.rawValue)
        }
        output.member("contentSize", frames.contentSize)
    }

    /// Writes sections with the selected elements of each.
    private func writeSections(
        _ shown: some Sequence<(index: Int, elements: ShownElements)>,
        to output: inout StructuredJSONWriter
    ) {
        output.array("sections") { output in
            // Items are two containers deeper: in their section, and in its array of items.
            let pieces = ItemPieces(
                style: output.style, depth: output.depth + 2, writesData: options.fields == .all)
            for (index, elements) in shown {
                output.element()
                SectionWriter(
                    section: screen.sections[index], frames: frames.sections[index],
                    isMirrored: frames.direction == .rtl, options: options, pieces: pieces,
                    shown: elements
                ).write(at: index, to: &output)
            }
        }
    }

    /// Groups elements, which are in the order of rule V3, by section.
    private static func bySection(
        _ elements: [LaidOutElement]
    ) -> [(index: Int, elements: ShownElements)] {
        var sections: [(index: Int, elements: ShownElements)] = []
        var rest = elements[...]
        while let section = rest.first?.section {
            let own = rest.prefix { $0.section == section }
            sections.append((section, ShownElements(own)))
            rest = rest[own.endIndex...]
        }
        return sections
    }

    /// Writes the diagnostics of the pages, page by page, and then those of the layout, section by
    /// section.
    private func writeDiagnostics(to output: inout StructuredJSONWriter) {
        output.array("diagnostics") { output in
            for diagnostic in screen.diagnostics { write(diagnostic, to: &output) }
            for diagnostic in screen.diagnostics(of: frames) { write(diagnostic, to: &output) }
        }
    }

    private func write(_ diagnostic: Diagnostic, to output: inout StructuredJSONWriter) {
        output.element()
        output.object { output in
            output.member("code", diagnostic.code.rawValue)
            if let page = diagnostic.page {
                output.member("page", page)
            } else {
                output.member("page")
                output.writer.raw("null")
            }
            output.member("pointer", diagnostic.pointer)
            output.member("detail", diagnostic.detail)
        }
    }
}

/// The content and the format of a tree (docs/api.md, "Parameters of every layout").
public struct TreeOptions: Hashable, Sendable {
    /// The coordinate system of the frames of headers, items, footers and decorations.
    public enum Coordinates: String, Hashable, Sendable, CaseIterable {
        /// Relative to the section's origin, as the frame of a subview is.
        case section
        /// Relative to the content's origin: every frame is absolute.
        case content
    }

    /// The members of each element.
    public enum Fields: String, Hashable, Sendable, CaseIterable {
        /// All members.
        case all
        /// All members except for the posted data.
        case frames
    }

    /// The coordinate system of frames.
    public var coordinates: Coordinates
    /// The members of each element.
    public var fields: Fields
    /// A Boolean value that indicates whether the tree is indented; posted data is copied
    /// unchanged.
    public var pretty: Bool

    /// Creates options; the defaults are those of the HTTP API.
    public init(
        coordinates: Coordinates = .section, fields: Fields = .all, pretty: Bool = false
    ) {
        self.coordinates = coordinates
        self.fields = fields
        self.pretty = pretty
    }
}

/// The source of a tree, and the reference to its next page.
public struct TreeEnvelope: Hashable, Sendable {
    /// The stored screen's name; `nil` when the tree was composed without storing.
    public var screen: String?
    /// The stored screen's revision; `nil` when the tree was composed without storing.
    public var revision: UInt64?
    /// The token of the next page; `nil` when there is none.
    public var nextPageToken: String?
    /// A Boolean value that indicates whether there is a next page.
    public var hasNext: Bool

    /// Creates an envelope; without arguments, that of a single page composed without storing.
    public init(
        screen: String? = nil, revision: UInt64? = nil, nextPageToken: String? = nil,
        hasNext: Bool = false
    ) {
        self.screen = screen
        self.revision = revision
        self.nextPageToken = nextPageToken
        self.hasNext = hasNext
    }
}
