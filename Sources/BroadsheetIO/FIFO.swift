/// A first-in, first-out queue.
///
/// Appending and removing are O(1), amortised. An element is released as soon as it is removed, and
/// the storage is kept for later elements.
package struct FIFO<Element> {
    /// The elements from `head` on; those before it are `nil`.
    @usableFromInline var items: [Element?] = []
    @usableFromInline var head = 0

    @inlinable
    package init() {}

    @inlinable
    package var isEmpty: Bool { head == items.count }

    @inlinable
    package var count: Int { items.count - head }

    @inlinable
    package var first: Element? { head < items.count ? items[head] : nil }

    @inlinable
    package var last: Element? { items.last ?? nil }

    /// The element before which there are `position` others, fewer than ``count``; never `nil`.
    @inlinable
    package subscript(position: Int) -> Element? {
        get { items[head + position] }
        set { items[head + position] = newValue }
    }

    /// Returns the position of the first element for which `isInSecondPart` holds, or ``count``.
    ///
    /// - Parameter isInSecondPart: A condition that holds for no element before the position and
    ///   for all elements from it on.
    /// - Complexity: O(log count).
    @inlinable
    package func firstPosition(where isInSecondPart: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if let element = self[middle], isInSecondPart(element) {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return low
    }

    @inlinable
    package mutating func append(_ element: Element) { items.append(element) }

    /// Adds an element before the one at `position`, or at the end if that is ``count``.
    ///
    /// - Complexity: O(elements behind it).
    @inlinable
    package mutating func insert(_ element: Element, at position: Int) {
        items.insert(element, at: head + position)
    }

    @inlinable
    package mutating func append(contentsOf elements: [Element]) {
        for element in elements { items.append(element) }
    }

    @inlinable
    package mutating func popFirst() -> Element? {
        guard head < items.count else { return nil }
        let element = items[head].take()
        head += 1
        if head == items.count {
            items.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= 1024, head * 2 >= items.count {
            // A queue that never runs empty would otherwise grow without limit. Each element is
            // moved at most once, because those that move are no more than those that are dropped.
            items.removeFirst(head)
            head = 0
        }
        return element
    }

    /// Removes and returns all elements, in order, and frees the storage.
    @inlinable
    package mutating func removeAll() -> [Element] {
        defer { self = FIFO() }
        return items[head...].compactMap { $0 }
    }
}

extension FIFO: Sendable where Element: Sendable {}
