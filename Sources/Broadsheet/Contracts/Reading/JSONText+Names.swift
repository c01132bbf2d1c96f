extension JSONText {
    /// Whether the text has the code points of `name`; O(length).
    ///
    /// Not `string == name`: Swift's strings are equal when they look the same, however composed.
    func equals(_ name: String) -> Bool {
        if hasEscapes { return utf8.elementsEqual(name.utf8) }
        guard range.count == name.utf8.count else { return false }
        return bytes[Int(range.lowerBound)..<Int(range.upperBound)].elementsEqual(name.utf8)
    }
}
