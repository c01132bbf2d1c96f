/// Flow's headers and footers: the viewport across, and as long as they say (rule F15).
extension FlowLayout {
    /// Puts the header at the section's start, and returns its main length in points.
    func placeHeader<Content: SectionContent>(
        of content: Content, in section: inout SectionArrangement, _ context: LayoutContext
    ) -> Double {
        guard content.hasHeader else { return 0 }
        section.header = supplementary(content.headerSize(request(context)), at: 0, context)
        guard let header = section.header else {
            section.diagnostics.append(.headerHasNoSize)
            return 0
        }
        return header.length(context.axis)
    }

    /// Puts the footer at `main`, and returns its main length in points.
    func placeFooter<Content: SectionContent>(
        of content: Content, at main: Double, in section: inout SectionArrangement,
        _ context: LayoutContext
    ) -> Double {
        guard content.hasFooter else { return 0 }
        section.footer = supplementary(content.footerSize(request(context)), at: main, context)
        guard let footer = section.footer else {
            section.diagnostics.append(.footerHasNoSize)
            return 0
        }
        return footer.length(context.axis)
    }

    /// What is asked of headers and footers: what they do not say along main is 0 (F1).
    private func request(_ context: LayoutContext) -> SizeRequest {
        var absent = Size.zero
        absent[context.axis.cross] = context.crossViewport
        return SizeRequest(
            container: context.container(cross: context.crossViewport), absent: absent)
    }

    /// Insets do not touch it; a main length of 0 is no element.
    private func supplementary(_ size: Size, at main: Double, _ context: LayoutContext) -> Frame? {
        let length = Sanitation.size(size[context.axis])
        guard length > 0 else { return nil }
        return Frame(
            axis: context.axis, main: main, cross: 0, mainLength: length,
            crossLength: context.crossViewport)
    }
}
