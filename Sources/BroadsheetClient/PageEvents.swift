/// Tracks the current page of a moving carousel and derives the events of its pages (rule P11).
public struct PageEvents: Sendable, Hashable {
    /// An event of the page at an index.
    public enum Event: Sendable, Hashable {
        /// The page is about to become the current one.
        case willAppear(Int)
        /// The page is the current one, and at rest.
        case didAppear(Int)
        /// The page may be left.
        case willDisappear(Int)
        /// The page is no longer the current one.
        case didDisappear(Int)
    }

    /// The index of the current page.
    public private(set) var current: Int

    /// Creates a tracker that starts with the page at `index`.
    public init(current index: Int = 0) {
        current = index
    }

    /// Records that scrolling shows the page at `index`, and returns the events in order.
    public mutating func scrolled(to index: Int) -> [Event] {
        guard index != current else { return [] }
        defer { current = index }
        return [.didDisappear(current), .willAppear(index)]
    }

    /// Returns the events of a drag that begins.
    public func dragBegan() -> [Event] { [.willDisappear(current)] }

    /// Returns the events of a carousel that comes to rest.
    public func cameToRest() -> [Event] { [.didAppear(current)] }
}
