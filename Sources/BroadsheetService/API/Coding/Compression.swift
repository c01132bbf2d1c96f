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
    ///   - content: The bytes, or the parts that are written one after another.
    ///   - preference: The preference of the client, which accepts gzip.
    ///   - work: The access to the worker threads.
    ///   - memory: A reservation, which grows by the memory of the compressed bytes; without that
    ///     the content remains plain.
    /// - Throws: The error of a lost connection.
    static func compress(
        _ content: UncompressedContent, for preference: CodingPreference, _ work: Work,
        _ memory: MemoryReservation
    ) async throws(Problem) -> CompressedContent {
        // Less than a tenth is not worth the time of the client.
        let size = content.byteCount
        let limit = min(maxBytes, preference == .gzipOnly ? maxBytes : size - size / 10)
        guard memory.resize(to: memory.count + limit + encoderBytes) else {
            return .plain(isPermanent: false)
        }
        let compressed = try await work.performOptional {
            (work) async throws(Problem) -> CompressedContent in
            guard let encoder = GzipEncoder(limit: limit) else {
                return .plain(isPermanent: false)
            }
            var rest = content
            while let part = rest.next(byteCount: bytesPerTurn) {
                guard encoder.append(part.span) else {
                    return .plain(isPermanent: preference == .gzip)
                }
                try await work.giveWay()
            }
            return encoder.finish().map(CompressedContent.bytes)
                ?? .plain(isPermanent: preference == .gzip)
        }
        return compressed ?? .plain(isPermanent: false)
    }
}

/// The outcome of the compression of a content.
enum CompressedContent: Sendable {
    /// The compressed bytes.
    case bytes([UInt8])
    /// The content remains plain: it would not become smaller by a tenth, or would have more than
    /// ``Compression/maxBytes``, which are permanent reasons; or too much expensive work waits.
    case plain(isPermanent: Bool)
}

/// A content that may be compressed: all bytes, or the parts of a large document.
enum UncompressedContent: Sendable {
    /// The bytes that have not been taken.
    case bytes(ArraySlice<UInt8>)
    /// The parts that have not been taken, and the number of their bytes.
    case parts(any PayloadParts, byteCount: Int)

    /// The number of bytes.
    var byteCount: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .parts(_, let byteCount): byteCount
        }
    }

    /// Returns the next part, or `nil` after the last one.
    fileprivate mutating func next(byteCount: Int) -> [UInt8]? {
        switch self {
        case .bytes(let rest):
            guard !rest.isEmpty else { return nil }
            self = .bytes(rest.dropFirst(byteCount))
            return Array(rest.prefix(byteCount))
        case .parts(var rest, let total):
            // Otherwise both copies have the buffer, and the writer copies it.
            self = .bytes([])
            defer { self = .parts(rest, byteCount: total) }
            return rest.next(byteCount: byteCount)
        }
    }
}
