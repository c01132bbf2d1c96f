import Broadsheet
import BroadsheetHTTP
import BroadsheetIO

/// The compression of responses with gzip (docs/api.md, "Compression").
enum Compression {
    /// The size in bytes below which a content is never compressed.
    static let minBytes = 1024
    /// The maximum size of a compressed content, in bytes, because it is in memory as a whole until
    /// the client has read it.
    static let maxBytes = 4 << 20
    /// The memory of an encoder, and of the part that it compresses, in bytes.
    static let encoderBytes = 768 << 10
    /// The number of bytes that are compressed before other clients have their turn.
    static let bytesPerTurn = 128 << 10

    /// Returns a content in the gzip coding, compressed on a worker thread.
    ///
    /// A large document is written in parts, so that only its compressed bytes are in memory.
    ///
    /// - Parameters:
    ///   - content: The content, of which nothing has been sent.
    ///   - preference: The preference of the client, which accepts gzip.
    ///   - work: The access of the request, whose reservation grows by the memory of the compressed
    ///     bytes; without that the content remains plain.
    /// - Throws: The error of a lost connection.
    static func compress(
        _ content: LayoutContent, for preference: CodingPreference, _ work: Work
    ) async throws(Problem) -> CompressedContent {
        // Less than a tenth is not worth the time of the client.
        let size = content.byteCount
        let limit = min(maxBytes, preference == .gzipOnly ? maxBytes : size - size / 10)
        guard work.memory.resize(to: work.memory.count + limit + encoderBytes) else {
            return .plain(isPermanent: false)
        }
        let compressed = try await work.performOptional {
            (work) async throws(Problem) -> CompressedContent in
            guard let encoder = GzipEncoder(limit: limit) else {
                return .plain(isPermanent: false)
            }
            let isWhole = try await content.forEachPart(of: bytesPerTurn) {
                (part) async throws(Problem) in
                guard encoder.append(part.span) else { return false }
                try await work.giveWay()
                return true
            }
            let bytes = isWhole ? encoder.finish() : nil
            return bytes.map(CompressedContent.bytes) ?? .plain(isPermanent: preference == .gzip)
        }
        return compressed ?? .plain(isPermanent: false)
    }
}

/// The outcome of the compression of a content.
enum CompressedContent: Sendable {
    case bytes([UInt8])
    /// The content remains plain: it would not become smaller by a tenth, or would have more than
    /// ``Compression/maxBytes``, which are permanent reasons; or too much expensive work waits.
    case plain(isPermanent: Bool)
}
