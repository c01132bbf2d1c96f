/// The segments of a request's path, each decoded by itself.
struct PathSegments: Sendable {
    let segments: [Result<String, InvalidParameter>]

    /// Splits a path that starts with `/`; `nil` when it does not, or has more than `limit`
    /// segments.
    ///
    /// The rest of a longer path is not read.
    init?(_ path: String, atMost limit: Int) {
        let pieces = Array(path.utf8).split(
            separator: UInt8(ascii: "/"), maxSplits: limit + 1, omittingEmptySubsequences: false)
        guard pieces[0].isEmpty, pieces.count >= 2, pieces.count - 1 <= limit else { return nil }
        segments = pieces.dropFirst().map { piece in
            Result { () throws(InvalidParameter) in try PercentDecoding.decode(piece) }
        }
    }
}
