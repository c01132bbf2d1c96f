import BroadsheetClient

/// Writes a laid-out screen as its tree (docs/api.md, "Layout out").
///
/// Equal arguments give equal bytes: members stand in a fixed order, and posted data is copied as it
/// was posted.
public struct TreeWriter {
    let screen: MergedScreen
    let frames: ScreenFrames
    let viewport: Viewport
    let envelope: TreeEnvelope
    let options: TreeOptions

    /// Writes the tree of `screen`, whose sections `frames` has placed, in the same order, in
    /// `viewport`.
    ///
    /// O(sections + items + bytes of data), into one buffer.
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
    /// - Parameter layouts: What the screen is laid out for, and its frames there.
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

    /// About how long the tree will be, a little too much rather than too little.
    ///
    /// The data of a page's items is about the page; around an item's data there are some 150 bytes.
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

    /// Writes what stands before the sections.
    func writeHead(to output: inout StructuredJSONWriter) {
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

    /// Writes sections by their indices, and of each what it is to show.
    func writeSections(
        _ shown: some Sequence<(index: Int, elements: ShownElements)>,
        to output: inout StructuredJSONWriter
    ) {
        output.array("sections") { output in
            // A section stands in the array, its items in an array of the section's.
            let pieces = ItemPieces(
                style: output.style, depth: output.depth + 2, writesData: options.fields == .all)
            for (index, elements) in shown {
                output.element()
                SectionWriter(
                    section: screen.sections[index], frames: frames.sections[index],
                    options: options, pieces: pieces, shown: elements
                ).write(at: index, to: &output)
            }
        }
    }
}
