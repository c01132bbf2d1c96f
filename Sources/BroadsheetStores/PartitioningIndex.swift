extension Array {
    /// The index of the first element that `belongs` to the second part, where the elements of the
    /// first part all stand before those of the second; `count` when there is none.
    ///
    /// O(log count).
    func partitioningIndex(where belongs: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = low + (high - low) / 2
            if belongs(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
