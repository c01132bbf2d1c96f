extension TreeWriter {
    /// Writes the part of a screen's tree that a query has found: sections that have any of
    /// `elements`, with those only, and no diagnostics.
    ///
    /// Whatever is written stands in it as it does in the whole tree, its index and its id included.
    /// O(elements * log(parts) + bytes of their data), whatever the size of the screen.
    ///
    /// - Parameter elements: What ``VisibilityIndex`` found in `frames`, in its order.
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

    /// Elements that stand in V3's order, section by section.
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
}
