/// A byte's place in a text as editors show it.
public struct JSONPosition: Hashable, Sendable {
    /// Counted from 1; a line ends with its line feed.
    public let line: Int
    /// The byte's place in its line, counted from 1; a leading byte order mark does not count.
    public let column: Int

    /// Finds the place of the byte at `offset`, which may be the end of `bytes`; O(offset).
    public init(of offset: Int, in bytes: [UInt8]) {
        var line = 1
        var start = JSONDocument.byteOrderMarkLength(in: bytes)
        for index in 0..<min(max(offset, 0), bytes.count) where bytes[index] == UInt8(ascii: "\n") {
            line += 1
            start = index + 1
        }
        self.line = line
        self.column = max(offset - start, 0) + 1
    }
}
