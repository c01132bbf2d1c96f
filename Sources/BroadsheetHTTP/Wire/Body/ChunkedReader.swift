/// Removes the chunked transfer coding from bytes that arrive cut anywhere (RFC 9112 §7.1).
struct ChunkedReader: Sendable {
    private enum State: Sendable {
        case line
        case data
        case carriageReturn
        case lineFeed
        case trailers
    }

    private let limits: HTTPLimits
    private var state: State = .line
    private var line = ChunkLine()
    /// Bytes of the chunk's data still to come.
    private var remaining = 0
    private var extensionBytes = 0
    private var trailers: TrailerReader

    init(limits: HTTPLimits) {
        self.limits = limits
        trailers = TrailerReader(limits: limits)
    }

    /// Takes input up to the end of the coding; false when it goes on after the input's end.
    mutating func read(
        _ input: inout UnsafeRawBufferPointer, into body: inout BodyBuffer
    ) throws(HTTPError) -> Bool {
        while !input.isEmpty {
            switch state {
            case .line: try readLine(&input, bodySize: body.bytes.count)
            case .data:
                remaining -= input.move(atMost: remaining, into: &body)
                if remaining == 0 { state = .carriageReturn }
            case .carriageReturn: try expect(.carriageReturn, from: &input, then: .lineFeed)
            case .lineFeed: try expect(.lineFeed, from: &input, then: .line)
            case .trailers: if try trailers.read(&input) { return true }
            }
        }
        return false
    }

    private mutating func readLine(
        _ input: inout UnsafeRawBufferPointer, bodySize: Int
    ) throws(HTTPError) {
        while let byte = input.first {
            input = UnsafeRawBufferPointer(rebasing: input.dropFirst())
            let size = try line.take(byte)
            if line.isInExtension { try countExtensionByte() }
            if let size { return try start(chunkOf: size, after: bodySize) }
        }
    }

    /// Refuses a chunk that would lead over the limit before any of it is read.
    private mutating func start(chunkOf size: Int, after bodySize: Int) throws(HTTPError) {
        guard size <= limits.maxBody - bodySize else {
            throw .bodyTooLarge(limit: limits.maxBody)
        }
        line = ChunkLine()
        remaining = size
        state = size == 0 ? .trailers : .data
    }

    private mutating func countExtensionByte() throws(HTTPError) {
        extensionBytes += 1
        guard extensionBytes <= limits.maxChunkExtensionBytes else {
            throw .chunkExtensionsTooLarge(limit: limits.maxChunkExtensionBytes)
        }
    }

    private mutating func expect(
        _ byte: UInt8, from input: inout UnsafeRawBufferPointer, then next: State
    ) throws(HTTPError) {
        guard input.first == byte else { throw .badRequest(.chunkNotTerminated) }
        input = UnsafeRawBufferPointer(rebasing: input.dropFirst())
        state = next
    }
}
