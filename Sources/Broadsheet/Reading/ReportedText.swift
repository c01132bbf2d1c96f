/// The limit of the texts by which diagnostics and violations are reported.
enum ReportedText {
    /// The maximum size of a pointer, and of a detail, in bytes; a longer one is cut.
    static let maxByteCount = 1024

    /// Returns `text`, or its beginning and an ellipsis if it is too long.
    ///
    /// - Complexity: O(``maxByteCount``).
    static func cut(_ text: String) -> String {
        guard text.utf8.count > maxByteCount else { return text }
        return beginning(of: text, byteCount: maxByteCount - ellipsis.utf8.count) + ellipsis
    }

    /// Returns the characters of `text` that are entirely in its first `byteCount` bytes.
    static func beginning(of text: String, byteCount: Int) -> String {
        // An index in the middle of a character is rounded down.
        String(text[..<text.utf8.index(text.startIndex, offsetBy: byteCount)])
    }

    private static let ellipsis = "…"
}
