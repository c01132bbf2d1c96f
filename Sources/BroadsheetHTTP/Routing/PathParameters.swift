/// What the named parts of a path pattern stood for in a request's path, decoded.
package struct PathParameters: Sendable, Hashable {
    private var items: [Item] = []

    private struct Item: Hashable {
        let name: String
        let value: String
    }

    /// No parameters.
    package init() {}

    /// The decoded text of a part; `nil` when the pattern has no part of that name.
    package subscript(_ name: String) -> String? { items.first { $0.name == name }?.value }

    mutating func append(_ name: String, _ value: String) {
        items.append(Item(name: name, value: value))
    }
}
