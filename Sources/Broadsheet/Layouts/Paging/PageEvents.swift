/// Tells which pages come and go while a carousel moves (rule P11).
public struct PageEvents: Sendable, Hashable {
    /// What a page is told, with its index.
    public enum Event: Sendable, Hashable {
        /// The page is about to be the current one.
        case willAppear(Int)
        /// The page is the current one, and at rest.
        case didAppear(Int)
        /// The page is about to be left.
        case willDisappear(Int)
        /// The page is not the current one any more.
        case didDisappear(Int)
    }

    /// The index of the current page.
    public private(set) var current: Int

    /// Begins with the page at `index`.
    public init(current index: Int = 0) {
        current = index
    }

    /// The carousel is being scrolled, and shows the page at `index`.
    public mutating func scrolled(to index: Int) -> [Event] {
        guard index != current else { return [] }
        defer { current = index }
        return [.didDisappear(current), .willAppear(index)]
    }

    /// A finger took hold of the carousel.
    public func dragBegan() -> [Event] { [.willDisappear(current)] }

    /// The carousel stands still.
    public func cameToRest() -> [Event] { [.didAppear(current)] }
}
