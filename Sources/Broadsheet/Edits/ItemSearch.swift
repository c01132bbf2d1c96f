import BroadsheetCollections

/// The search for the items of a section by the many indexes of one operation.
struct ItemSearch {
    /// The number of names in one operation above which items are listed, which takes as long as
    /// that many searches.
    private static let maxSearched = 256

    private let parts: [ScreenEditor.Part]
    /// A Boolean value that indicates whether there are so many names that lists of items take
    /// less than a search for each.
    let isLong: Bool
    /// The index in the section of the first item of each part, and then the number of items, once
    /// an index is searched for.
    private var starts: [Int] = []
    /// The items of the parts that indexes lead into, if there are many names.
    private var listed: [ScreenEditor.Part: [ScreenEditor.Item]] = [:]

    init(_ parts: [ScreenEditor.Part], count: Int) {
        self.parts = parts
        isLong = count > Self.maxSearched
    }

    /// Returns the item at an index of the section, or `nil`.
    ///
    /// - Complexity: O(log parts), beside O(parts) once, and O(units) of the item's part, or, with
    ///   many names, O(elements) of the part once.
    mutating func item(
        at index: Int, in editor: ScreenEditor
    ) throws(EditFailure) -> ScreenEditor.Item? {
        if starts.isEmpty {
            starts = [0]
            for part in parts { starts.append((starts.last ?? 0) + editor.itemCount(of: part)) }
        }
        let number = starts.partitioningIndex { $0 > index } - 1
        guard let part = parts[safe: number] else { return nil }
        let offset = index - starts[number]
        guard isLong, try !editor.hasDirectIndexes(part) else {
            return try editor.item(offset, of: part)
        }
        if let items = listed[part] { return items[safe: offset] }
        let items = try editor.items(of: part)
        listed[part] = items
        return items[safe: offset]
    }
}
