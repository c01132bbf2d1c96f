/// The search for the items of a section by the many names of one operation.
struct ItemSearch {
    private let parts: [ScreenEditor.Part]
    /// The index in the section of the first item of each part, once an index is searched for.
    private var starts: [Int] = []
    /// The items of the parts in which an index was found.
    private var lists: [ScreenEditor.Part: [ScreenEditor.Item]] = [:]
    /// The items of the section by their ids, once they are needed.
    var itemsById: [JSONKey: ScreenEditor.Item]?

    /// Creates a search in the parts of a section.
    init(_ parts: [ScreenEditor.Part]) {
        self.parts = parts
    }

    /// Returns the item at an index of the section, or `nil`.
    ///
    /// - Complexity: O(log parts), beside O(parts) once, and O(items) once for each part.
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
        guard let part = parts[safe: number] else { return nil }
        if lists[part] == nil, index - starts[number] < editor.itemCount(of: part) {
            lists[part] = try editor.items(of: part)
        }
        return lists[part]?[safe: index - starts[number]]
    }
}
