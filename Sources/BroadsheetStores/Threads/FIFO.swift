/// Elements in the order in which they came: in at one end and out at the other, both in constant
/// time, amortised.
struct FIFO<Element> {
    private var items: [Element?] = []
    private var head = 0

    /// How many elements wait.
    var count: Int { items.count - head }
    /// Whether none does.
    var isEmpty: Bool { head == items.count }
    /// The one that has waited longest.
    var first: Element? { head < items.count ? items[head] : nil }

    /// Puts an element at the end.
    mutating func append(_ element: Element) { items.append(element) }

    /// Takes out the element that has waited longest.
    mutating func popFirst() -> Element? {
        guard head < items.count else { return nil }
        let element = items[head]
        items[head] = nil
        head += 1
        // Spent places are dropped once they are the greater part, so each is moved once at most.
        if head * 2 > items.count {
            items.removeFirst(head)
            head = 0
        }
        return element
    }

    /// Takes out all, in order.
    mutating func removeAll() -> [Element] {
        defer { self = FIFO() }
        return items[head...].compactMap { $0 }
    }
}
