/// The search for the items of a section by the many names of one operation.
struct ItemSearch {
    private let parts: [ScreenEditor.Part]
    /// The number of names.
    let count: Int
    /// The index in the section of the first item of each part, once an index is searched for.
    private var starts: [Int] = []
    /// The items of the section by their ids, once they are needed.
    var itemsById: [JSONKey: ScreenEditor.Item]?

    /// Creates a search in the parts of a section for a number of names.
    init(_ parts: [ScreenEditor.Part], count: Int) {
        self.parts = parts
        self.count = count
    }

    /// Returns the item at an index of the section, or `nil`.
    ///
    /// - Complexity: O(log parts), beside O(parts) once, and O(units) of the item's part.
    mutating func item(
        at index: Int, in editor: ScreenEditor
    ) throws(EditFailure) -> ScreenEditor.Item? {
        if starts.isEmpty {
            var next = 0
            for part in parts {
                starts.append(next)
                next += editor.itemCount(of: part)
            }
        }
        let number = starts.partitioningIndex { $0 > index } - 1
        guard let part = parts[safe: number],
            index - starts[number] < editor.itemCount(of: part)
        else { return nil }
        return try editor.item(index - starts[number], of: part)
    }
}
