extension RandomAccessCollection {
    /// Returns the index of the first element for which `isInSecondPart` holds, or `endIndex`.
    ///
    /// - Parameter isInSecondPart: A condition that holds for no element before the index and for
    ///   all elements from it on.
    /// - Complexity: O(log count).
    @inlinable
    @inline(__always)
    package func partitioningIndex(where isInSecondPart: (Element) -> Bool) -> Index {
        var low = startIndex
        var count = count
        while count > 0 {
            let half = count / 2
            let middle = index(low, offsetBy: half)
            if isInSecondPart(self[middle]) {
                count = half
            } else {
                low = index(after: middle)
                count -= half + 1
            }
        }
        return low
    }
}
