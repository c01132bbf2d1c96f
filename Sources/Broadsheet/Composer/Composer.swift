/// From the bytes of pages to the bytes of their tree, without storing anything.
///
/// The whole way through the house, in one direction. `Composer+Steps` has each step of it for those
/// who want what lies between.
public struct Composer: Sendable {
    /// What units become, and how sections are laid out.
    public var registry: CellRegistry
    /// How much the pages may hold.
    public var limits: ScreenLimits

    /// Makes a composer; without arguments, by the built-in storefront catalog.
    public init(
        registry: CellRegistry = Catalog.storefront.registry, limits: ScreenLimits = ScreenLimits()
    ) {
        self.registry = registry
        self.limits = limits
    }

    /// Answers the tree of all `pages`, as `POST /v1/layout` does (docs/api.md).
    ///
    /// Pages merge in ascending order of their numbers; one without a number takes the next above
    /// those before it. O(bytes + items).
    ///
    /// Throws what the first step to refuse says, and about which page. Nothing is kept either way.
    public func compose(
        _ pages: [[UInt8]], _ request: LayoutRequest = LayoutRequest()
    ) throws(ComposeError) -> [UInt8] {
        var posted: [ServerStatePage] = []
        posted.reserveCapacity(pages.count)
        for (index, bytes) in pages.enumerated() {
            posted.append(try page(in: document(of: bytes, at: index), at: index))
        }
        let screen = try screen(of: viewModel(of: posted), request)
        return tree(of: screen, frames(of: screen, request), request)
    }

    /// Answers the tree of one page.
    public func compose(
        _ page: [UInt8], _ request: LayoutRequest = LayoutRequest()
    ) throws(ComposeError) -> [UInt8] {
        try compose([page], request)
    }
}
