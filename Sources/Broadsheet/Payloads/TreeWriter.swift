/// Writes a laid-out screen as its tree (docs/api.md, "The tree").
///
/// Equal arguments give equal bytes: the order of members is fixed, and posted data is copied
/// unchanged. A writer is immutable.
public final class TreeWriter: Sendable {
    let screen: MergedScreen
    let frames: ScreenFrames
    /// The source of the tree and the reference to its next page.
    let envelope: TreeEnvelope
    private let viewport: Viewport
    let options: TreeOptions
    /// The elements of a part of a tree, by section; `nil` for all elements.
    private let part: [(index: Int, elements: ShownElements)]?
    let window: ScreenWindow?
    private let origins: ScreenOrigins?

    /// Creates a writer of the tree of a screen.
    ///
    /// - Parameters:
    ///   - screen: The screen.
    ///   - frames: The layout of its sections, in the same order.
    ///   - viewport: The viewport of the layout.
    ///   - envelope: The source of the tree and the reference to its next page.
    ///   - options: The content and the format of the tree.
    public init(
        _ screen: MergedScreen, _ frames: ScreenFrames, viewport: Viewport,
        envelope: TreeEnvelope = TreeEnvelope(), options: TreeOptions = TreeOptions()
    ) {
        self.screen = screen
        self.frames = frames
        self.viewport = viewport
        self.envelope = envelope
        self.options = options
        part = nil
        window = nil
        origins = nil
    }

    package init(
        _ window: ScreenWindow, viewport: Viewport, envelope: TreeEnvelope, options: TreeOptions
    ) {
        screen = window.screen
        frames = window.frames
        self.envelope = envelope
        self.viewport = viewport
        self.options = options
        part = nil
        self.window = window
        origins = nil
    }

    private init(_ other: TreeWriter, with origins: ScreenOrigins) {
        screen = other.screen
        frames = other.frames
        viewport = other.viewport
        envelope = other.envelope
        options = other.options
        part = other.part
        window = other.window
        self.origins = origins
    }

    /// Returns a writer of the same tree with the origins of its elements; itself for `nil`.
    package func explained(by origins: ScreenOrigins?) -> TreeWriter {
        origins.map { TreeWriter(self, with: $0) } ?? self
    }

    /// Creates a writer of a part of a screen's tree: the sections of `elements`, with these
    /// elements only, and no diagnostics.
    ///
    /// All members of an element are the same as in the complete tree, its index and its id
    /// included. Of a scroller's resting offsets, those are written at which one of the elements is
    /// in view.
    ///
    /// - Parameter elements: The elements that ``VisibilityIndex`` has found in `frames`, in its
    ///   order.
    /// - Complexity: O(elements).
    package init(
        _ elements: [LaidOutElement], of screen: MergedScreen, _ frames: ScreenFrames,
        viewport: Viewport, envelope: TreeEnvelope = TreeEnvelope(),
        options: TreeOptions = TreeOptions()
    ) {
        self.screen = screen
        self.frames = frames
        self.viewport = viewport
        self.envelope = envelope
        self.options = options
        let sections = 0..<min(screen.sections.count, frames.sections.count)
        part = Self.bySection(elements).filter { sections ~= $0.index }
        window = nil
        origins = nil
    }

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
        let writer = TreeWriter(
            screen, frames, viewport: viewport, envelope: envelope, options: options)
        var parts = TreeParts(writer)
        return parts.written()
    }

    /// Returns the estimated number of bytes of the tree, rather too high than too low unless
    /// several items share the same data.
    ///
    /// The data of a page's items has about as many bytes as the page; the other members of an item
    /// have about 150.
    ///
    /// - Complexity: O(1) for a tree, O(elements) for a part of one.
    var expectedByteCount: Int {
        let origin = origins == nil ? 0 : OriginWriter.expectedByteCount
        if let part {
            let perElement = (options.pretty ? 600 : 300) + origin
            return 1024 + part.reduce(0) { $0 + perElement * $1.elements.maxCount }
        }
        let data = options.writesData ? screen.postedByteCount : 0
        let perItem = (options.pretty ? 300 : 150) + origin
        return 1024 + data + perItem * screen.itemCount + 4 * perItem * screen.sections.count
    }

    // MARK: The parts of a tree, in their order

    func writeHead(to output: inout StructuredJSONWriter) {
        output.beginObject()
        writeMembers(to: &output)
        output.member("sections")
        output.beginArray()
    }

    func writeMembers(to output: inout StructuredJSONWriter) {
        writeEnvelope(envelope, to: &output)
        writeView(to: &output)
    }

    /// Returns whether the members before the sections are written as those of another tree, but
    /// for the revision and the tokens.
    func hasSameMembers(as other: TreeWriter) -> Bool {
        screen.page == other.screen.page && screen.pageCount == other.screen.pageCount
            && envelope.hasNext == other.envelope.hasNext
            && envelope.hasPrevious == other.envelope.hasPrevious
            && screen.hasPrevious == other.screen.hasPrevious && view == other.view
    }

    /// The members from the viewport on as an object of their own.
    private var view: [UInt8] {
        var output = StructuredJSONWriter()
        output.object { writeView(to: &$0) }
        return output.bytes
    }

    var sectionCount: Int { part?.count ?? min(screen.sections.count, frames.sections.count) }

    /// `position` is the position among the sections that are written.
    func section(at position: Int, pieces: ItemPieces) -> (index: Int, writer: SectionWriter) {
        let index = part?[position].index ?? position
        let writer = SectionWriter(
            section: screen.sections[index], frames: frames.sections[index],
            conditions: frames.conditions, options: options, pieces: pieces,
            shown: part?[position].elements ?? ShownElements(allOf: frames.sections[index]),
            share: share(ofSection: index),
            origins: origins.map { OriginWriter($0, options.style) })
        return (index, writer)
    }

    func share(ofSection index: Int) -> ScreenWindow.Share? { window?.shares[index] }

    /// Returns the identities of the sections from an index on.
    ///
    /// - Complexity: O(sections).
    func sectionIdentities(from start: Int) -> [SectionIdentity] {
        if let window { return Array(window.identities.dropFirst(start)) }
        return screen.identities(from: start, count: sectionCount - start)
    }

    func writeTail(to output: inout StructuredJSONWriter) {
        output.endArray()
        writeDiagnostics(to: &output)
        output.endObject()
    }

    func writeDiagnostics(to output: inout StructuredJSONWriter) {
        output.array("diagnostics") { output in
            for diagnostic in diagnostics { write(diagnostic, to: &output) }
        }
    }

    /// The diagnostics of the pages, page by page, and then those of the layout, section by
    /// section; none of a part of a tree.
    ///
    /// - Complexity: O(pages + diagnostics).
    var diagnostics: [Diagnostic] {
        part == nil ? screen.diagnostics + screen.diagnostics(of: frames) : []
    }

    /// The JSON between the items of a tree of its own.
    var pieces: ItemPieces {
        ItemPieces.shared(options, depth: 4)
    }

    private func writeEnvelope(_ envelope: TreeEnvelope, to output: inout StructuredJSONWriter) {
        if let name = envelope.screen { output.member("screen", name) }
        if let revision = envelope.revision { output.member("revision", revision) }
        output.member("page", screen.page)
        output.member("pageCount", screen.pageCount)
        output.member("hasNext", envelope.hasNext)
        if let token = envelope.nextPageToken { output.member("nextPageToken", token) }
        if let hasPrevious = envelope.hasPrevious ?? (screen.hasPrevious ? true : nil) {
            output.member("hasPrevious", hasPrevious)
        }
        if let token = envelope.previousPageToken { output.member("previousPageToken", token) }
    }

    private func writeView(to output: inout StructuredJSONWriter) {
        output.inlineObject("viewport") { output in
            output.member("width", viewport.size.width)
            output.member("height", viewport.size.height)
            output.member("scale", viewport.scale)
            output.member("direction", viewport.direction.rawValue)
            if viewport.textScale != 1 { output.member("textScale", viewport.textScale) }
            guard let safeArea = viewport.safeArea else { return }
            output.inlineObject("safeArea") { output in
                output.member("top", safeArea.top)
                output.member("left", safeArea.left)
                output.member("bottom", safeArea.bottom)
                output.member("right", safeArea.right)
            }
        }
        output.member("contentSize", frames.contentSize)
        window?.write(to: &output)
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
    /// A Boolean value that indicates whether there is something before a window; `nil` for any
    /// other tree, which has what its lowest page specifies.
    package var hasPrevious: Bool?
    package var previousPageToken: String?

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
