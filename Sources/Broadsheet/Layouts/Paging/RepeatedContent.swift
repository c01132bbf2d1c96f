/// A section's content, several times over: what an infinite carousel lays out (rule P1).
struct RepeatedContent<Base: SectionContent>: SectionContent {
    /// The section itself.
    let base: Base
    /// How often its items follow each other, at least 1: frame index i shows item i mod n.
    let copies: Int

    var itemCount: Int { base.itemCount * copies }
    var hasHeader: Bool { base.hasHeader }
    var hasFooter: Bool { base.hasFooter }
    var layout: SectionLayout { base.layout }

    func itemSizes(_ request: SizeRequest) -> [Size] {
        let sizes = base.itemSizes(request)
        guard copies > 1 else { return sizes }
        var repeated: [Size] = []
        repeated.reserveCapacity(sizes.count * copies)
        for _ in 0..<copies { repeated += sizes }
        return repeated
    }

    func uniformItemSize(_ request: SizeRequest) -> Size? { base.uniformItemSize(request) }
    func headerSize(_ request: SizeRequest) -> Size { base.headerSize(request) }
    func footerSize(_ request: SizeRequest) -> Size { base.footerSize(request) }
}
