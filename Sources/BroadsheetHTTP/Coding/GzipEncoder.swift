import CZlib

/// A compressor of one content into a gzip stream (RFC 1952), by the system's zlib.
///
/// Equal contents in equal parts give equal bytes: the header has neither a time nor a name.
package final class GzipEncoder {
    /// The level of compression: zlib's usual compromise between time and size.
    package static let level: Int32 = 6
    /// The level that takes the most time, for what is compressed once.
    package static let highestLevel: Int32 = 9

    /// The number of bytes that zlib writes at a time.
    private static let chunkBytes = 16 << 10
    /// The largest window, with 16 added for the gzip format.
    private static let windowBits: Int32 = 15 + 16
    /// The memory level that zlib itself uses.
    private static let memoryLevel: Int32 = 8

    private let limit: Int
    /// zlib's state refers to this address, so it must not change.
    private let stream: UnsafeMutablePointer<z_stream>
    private var output: [UInt8] = []

    /// `limit` is in compressed bytes; `nil` if there is no memory for the state.
    package init?(limit: Int, level: Int32 = GzipEncoder.level) {
        self.limit = limit
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let result = deflateInit2_(
            stream, level, Z_DEFLATED, Self.windowBits, Self.memoryLevel,
            Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard result == Z_OK else { return nil }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Compresses the next part of the content.
    ///
    /// - Returns: `false` once there would be more bytes than the limit; the compressor is then of
    ///   no further use.
    package func append(_ part: borrowing Span<UInt8>) -> Bool { compress(part, Z_NO_FLUSH) }

    /// Ends the stream and returns all its bytes; `nil` if they are more than the limit.
    package func finish() -> [UInt8]? {
        var bytes: [UInt8] = []
        guard compress(bytes.span, Z_FINISH) else { return nil }
        swap(&bytes, &output)
        return bytes
    }

    private func compress(_ part: borrowing Span<UInt8>, _ flush: Int32) -> Bool {
        part.withUnsafeBufferPointer { part in
            // zlib only reads its input, but its declaration has no const.
            stream.pointee.next_in = UnsafeMutablePointer(mutating: part.baseAddress)
            stream.pointee.avail_in = UInt32(clamping: part.count)
            defer { stream.pointee.next_in = nil }
            return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.chunkBytes) {
                drain(through: $0, flush)
            }
        }
    }

    /// Moves compressed bytes to the output until zlib has no more.
    private func drain(through chunk: UnsafeMutableBufferPointer<UInt8>, _ flush: Int32) -> Bool {
        repeat {
            stream.pointee.next_out = chunk.baseAddress
            stream.pointee.avail_out = UInt32(clamping: chunk.count)
            guard deflate(stream, flush) != Z_STREAM_ERROR else { return false }
            let count = chunk.count - Int(stream.pointee.avail_out)
            guard count <= limit - output.count else { return false }
            output.append(contentsOf: chunk.prefix(count))
        } while stream.pointee.avail_out == 0
        return true
    }
}
