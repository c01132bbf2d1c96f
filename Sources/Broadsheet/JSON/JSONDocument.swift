/// A JSON text that has been checked whole and indexed in place.
///
/// The bytes stay as they came; beside them lies a flat tape of 8 bytes a value. Nothing is decoded
/// until someone asks. Documents are immutable and may be read from any thread.
public final class JSONDocument: Sendable {
    /// The text as it was given.
    public let bytes: [UInt8]
    let tape: JSONTape

    /// The most bytes that any document may have: node offsets keep one of their 32 bits for a flag.
    public static let maxByteCount = Int(Int32.max)

    /// Checks and indexes `bytes`, a text of UTF-8 as RFC 8259 has it; one leading byte order mark is
    /// skipped.
    ///
    /// O(bytes) in time, about one byte of tape for a byte of text, and never deeper than the loop it
    /// is, however deep the containers.
    ///
    /// - Parameters:
    ///   - maxDepth: How deep containers may be nested; the document's own counts 1.
    ///   - limit: How many bytes are read, never more than `maxByteCount`.
    /// - Throws: The first fault, with its place; no document comes to be.
    public init(
        _ bytes: [UInt8], maxDepth: Int = 128, maxByteCount limit: Int = JSONDocument.maxByteCount
    ) throws(JSONError) {
        let limit = min(limit, Self.maxByteCount)
        guard bytes.count <= limit else {
            throw JSONError(.tooLarge(limit: limit), at: limit, in: bytes)
        }
        let start = Self.byteOrderMarkLength(in: bytes)
        self.bytes = bytes
        do throws(JSONFault) {
            tape = try Self.tape(of: bytes, startingAt: start, maxDepth: maxDepth)
        } catch {
            throw JSONError(error.reason, at: error.offset, in: bytes)
        }
    }

    private static func tape(
        of bytes: [UInt8], startingAt start: Int, maxDepth: Int
    ) throws(JSONFault) -> JSONTape {
        let span = bytes.span
        return try span.withUnsafeBufferPointer { buffer throws(JSONFault) in
            try JSONIndexer(buffer, startingAt: start, maxDepth: maxDepth).indexed()
        }
    }

    /// The document's only value.
    public var root: JSONValue { JSONValue(document: self, node: 0) }

    /// The value whose node is `node`, as `JSONValue.node` told it.
    package func value(at node: UInt32) -> JSONValue { JSONValue(document: self, node: node) }

    /// 3 when `bytes` begins with U+FEFF, else 0.
    static func byteOrderMarkLength(in bytes: [UInt8]) -> Int {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }
}
