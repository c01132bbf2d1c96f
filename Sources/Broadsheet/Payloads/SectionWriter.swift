/// Writes one section of a tree.
struct SectionWriter {
    let section: MergedSection
    let frames: SectionFrames
    let options: TreeOptions
    let pieces: ItemPieces
    /// Which of the section's elements are written.
    let shown: ShownElements

    /// What the frames of the section's children are measured from.
    ///
    /// Both are rounded already, so that both coordinate systems name the same pixels
    /// (docs/layout.md, J).
    var origin: Frame { options.coordinates == .section ? frames.frame : .zero }

    /// Writes the section, whose place in the screen is `index`.
    func write(at index: Int, to output: inout StructuredJSONWriter) {
        output.object { output in
            output.member("id")
            output.string(section.id)
            output.member("index", index)
            output.member("frame", frames.frame)
            output.member("collapsed", section.collapsed)
            if shown.header, let view = section.header, let frame = frames.header {
                output.member("header")
                write(
                    view, at: frame, zIndex: frames.headerZIndex, isPinned: frames.isHeaderPinned,
                    to: &output)
            }
            output.array("items") { ItemsWriter(self).write(shown.items, to: &$0) }
            if shown.footer, let view = section.footer, let frame = frames.footer {
                output.member("footer")
                write(
                    view, at: frame, zIndex: frames.footerZIndex, isPinned: frames.isFooterPinned,
                    to: &output)
            }
            writeDecorations(to: &output)
            if let scroll = frames.scroll { output.scroll(scroll) }
            if let carousel = frames.paging { output.paging(carousel) }
        }
    }

    /// Writes a header or a footer.
    private func write(
        _ view: MergedView, at frame: Frame, zIndex: Int, isPinned: Bool,
        to output: inout StructuredJSONWriter
    ) {
        output.object { output in
            output.member("type")
            output.raw(view.page.kinds[view.info.kind].nameJSON)
            output.member("frame", frame.measured(from: origin))
            if zIndex != ZIndex.supplementary { output.member("zIndex", zIndex) }
            if isPinned { output.member("pinned", true) }
            guard options.fields == .all else { return }
            output.member("data")
            output.writer.raw(from: view.page.bytes, view.info.dataRange)
        }
    }

    private func writeDecorations(to output: inout StructuredJSONWriter) {
        let decorations = shown.decorations.filter { frames.decorations.indices ~= $0 }
        guard !decorations.isEmpty else { return }
        output.array("decorations") { output in
            for decoration in decorations {
                output.element()
                write(frames.decorations[decoration], to: &output)
            }
        }
    }

    private func write(_ decoration: DecorationFrame, to output: inout StructuredJSONWriter) {
        output.object { output in
            output.member("kind", decoration.kind)
            output.member("frame", decoration.frame.measured(from: origin))
            if decoration.zIndex != ZIndex.decoration { output.member("zIndex", decoration.zIndex) }
            guard options.fields == .all, let data = decoration.data else { return }
            output.member("data")
            output.raw(data)
        }
    }
}

extension Frame {
    /// The same rectangle with its origin measured from that of `parent`.
    @inline(__always)
    func measured(from parent: Frame) -> Frame {
        Frame(x: x - parent.x, y: y - parent.y, width: width, height: height)
    }
}
