/// A reader of a request's body (RFC 9112 §6.3).
struct BodyReader: Sendable {
    private var buffer: BodyBuffer
    /// The number of bytes to come of a body with a declared length.
    private var remaining = 0
    private var chunks: ChunkedReader?

    init?(_ framing: BodyFraming, limits: HTTPLimits) {
        switch framing {
        case .none: return nil
        case .length(let length):
            buffer = BodyBuffer(ceiling: length)
            remaining = length
        case .chunked:
            buffer = BodyBuffer(ceiling: limits.maxBody)
            chunks = ChunkedReader(limits: limits)
        }
    }

    var count: Int { buffer.bytes.count }

    var capacity: Int { buffer.bytes.capacity }

    func capacity(after count: Int) -> Int { buffer.capacity(after: count) }

    /// Consumes input up to the body's end; returns `nil` when the body continues after the input.
    mutating func read(_ input: inout UnsafeRawBufferPointer) throws(HTTPError) -> [UInt8]? {
        if chunks != nil {
            guard try chunks?.read(&input, into: &buffer) == true else { return nil }
        } else {
            remaining -= input.move(atMost: remaining, into: &buffer)
            guard remaining == 0 else { return nil }
        }
        return buffer.bytes
    }
}

extension UnsafeRawBufferPointer {
    mutating func move(atMost count: Int, into buffer: inout BodyBuffer) -> Int {
        let moved = Swift.min(self.count, count)
        buffer.append(UnsafeRawBufferPointer(rebasing: prefix(moved)))
        self = UnsafeRawBufferPointer(rebasing: dropFirst(moved))
        return moved
    }
}

/// A buffer for a body, which grows with the bytes that have arrived and not with the declared
/// length.
struct BodyBuffer: Sendable {
    private(set) var bytes: [UInt8] = []
    /// The length of the body, or its maximum.
    private let ceiling: Int

    init(ceiling: Int) { self.ceiling = ceiling }

    /// Appends bytes.
    ///
    /// The capacity doubles up to the ceiling, so that a body with a declared length ends in a
    /// buffer of its size. It is the ceiling as soon as half of that has arrived, so that a body is
    /// moved less often.
    mutating func append(_ input: UnsafeRawBufferPointer) {
        let capacity = capacity(after: input.count)
        if capacity > bytes.capacity { bytes.reserveCapacity(capacity) }
        bytes.append(contentsOf: input)
    }

    func capacity(after count: Int) -> Int {
        let needed = min(bytes.count + count, ceiling)
        guard needed > bytes.capacity else { return bytes.capacity }
        let doubled = max(Self.firstStep, bytes.capacity * 2)
        return max(needed, ceiling / 2 <= needed ? ceiling : min(doubled, ceiling))
    }

    /// The initial capacity: the memory that a client can occupy by declaring a large body and
    /// sending little of it.
    private static let firstStep = 64 * 1024
}

/// The method by which the end of a request's body is found (RFC 9112 §6.3).
enum BodyFraming: Sendable, Hashable {
    case none
    /// A number of bytes; more than 0 and at most the limit.
    case length(Int)
    /// Chunks (RFC 9112 §7.1).
    case chunked

    /// A Boolean value that indicates whether the body may be longer than
    /// ``HTTPLimits/maxUncheckedBody``.
    var mayBeLarge: Bool {
        switch self {
        case .none: false
        case .length(let count): count > HTTPLimits.maxUncheckedBody
        case .chunked: true
        }
    }
}

/// A decoder of the chunked transfer coding, for bytes in arbitrary pieces (RFC 9112 §7.1).
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
    private var remaining = 0
    private var extensionBytes = 0
    private var trailers: TrailerReader

    init(limits: HTTPLimits) {
        self.limits = limits
        trailers = TrailerReader(limits: limits)
    }

    /// Consumes input up to the end of the coding; returns `false` when it continues after the
    /// input.
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

    /// Starts a chunk; rejects one that would exceed the limit before any of it is read.
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

/// A reader of the line that starts a chunk, `size [;name[=value]]… CRLF` (RFC 9112 §7.1).
///
/// Extensions are validated and discarded. Every CR must be followed by LF, and every LF preceded
/// by CR, in quotes as well: a proxy that ends the line elsewhere would find other chunks.
private struct ChunkLine: Sendable {
    private enum State: Sendable {
        case sizeStart, size, blankAfterSize
        case nameStart, name, blankAfterName
        case valueStart, token, quoted, escaped, quotedEnd, blankAfterValue
        case lineFeed
    }

    private var state: State = .sizeStart
    private var size = 0
    private var digits = 0

    var isInExtension: Bool {
        switch state {
        case .sizeStart, .size, .lineFeed: false
        default: true
        }
    }

    /// Consumes the line's next byte; returns the chunk's size when the byte ends the line.
    mutating func take(_ byte: UInt8) throws(HTTPError) -> Int? {
        if state == .lineFeed {
            guard byte == .lineFeed else { throw .badRequest(.bareCarriageReturn) }
            return size
        }
        guard byte != .lineFeed else { throw .badRequest(.bareLineFeed) }
        state = isInExtension ? try afterSize(byte) : try inSize(byte)
        return nil
    }

    private mutating func inSize(_ byte: UInt8) throws(HTTPError) -> State {
        if let digit = byte.hexValue {
            digits += 1
            // 15 digits are less than 2^60: beyond any limit, and never an overflow.
            guard digits <= 15 else { throw .badRequest(.malformedChunkSize) }
            size = size << 4 | digit
            return .size
        }
        guard state == .size else { throw .badRequest(.malformedChunkSize) }
        switch byte {
        case .carriageReturn: return .lineFeed
        case UInt8(ascii: ";"): return .nameStart
        case .space, .tab: return .blankAfterSize
        default: throw .badRequest(.malformedChunkSize)
        }
    }

    private func afterSize(_ byte: UInt8) throws(HTTPError) -> State {
        guard let next = state == .quoted || state == .escaped ? inQuotes(byte) : outside(byte)
        else {
            throw .badRequest(
                state == .blankAfterSize ? .malformedChunkSize : .malformedChunkExtension)
        }
        return next
    }

    /// Handles `qdtext`, `quoted-pair` or the closing quote (RFC 9110 §5.6.4).
    private func inQuotes(_ byte: UInt8) -> State? {
        guard byte.isFieldValueByte else { return nil }
        if state == .escaped { return .quoted }
        switch byte {
        case UInt8(ascii: "\""): return .quotedEnd
        case UInt8(ascii: "\\"): return .escaped
        default: return .quoted
        }
    }

    /// Handles a byte outside quotes; blanks are allowed before `;` and around `=` only.
    private func outside(_ byte: UInt8) -> State? {
        switch (state, byte) {
        case (.name, .carriageReturn), (.token, .carriageReturn), (.quotedEnd, .carriageReturn):
            .lineFeed
        case (.nameStart, .space), (.nameStart, .tab): .nameStart
        case (.valueStart, .space), (.valueStart, .tab): .valueStart
        case (.name, .space), (.name, .tab): .blankAfterName
        case (.token, .space), (.token, .tab): .blankAfterValue
        case (.quotedEnd, .space), (.quotedEnd, .tab): .blankAfterValue
        case (_, .space), (_, .tab): state
        case (.nameStart, UInt8(ascii: ";")), (.valueStart, UInt8(ascii: ";")): nil
        case (_, UInt8(ascii: ";")): .nameStart
        case (.name, UInt8(ascii: "=")), (.blankAfterName, UInt8(ascii: "=")): .valueStart
        case (.valueStart, UInt8(ascii: "\"")): .quoted
        case (.nameStart, _), (.name, _): byte.isTokenByte ? .name : nil
        case (.valueStart, _), (.token, _): byte.isTokenByte ? .token : nil
        default: nil
        }
    }
}

/// A reader of a chunked body's trailer section: its lines are validated like a head's and
/// discarded.
///
/// A trailer never becomes a header, because it would escape the checks of the head (RFC 9110
/// §6.5.1).
private struct TrailerReader: Sendable {
    private let limits: HTTPLimits
    private var lines = LineBuffer()
    private var count = 0

    init(limits: HTTPLimits) { self.limits = limits }

    /// Consumes input up to the empty line that ends the section; returns `false` when it continues
    /// after the input.
    mutating func read(_ input: inout UnsafeRawBufferPointer) throws(HTTPError) -> Bool {
        while true {
            switch try lines.takeLine(from: &input, bound: limits.maxTrailerBytes) {
            case .incomplete: return false
            case .overBound: throw .trailersTooLarge(limit: limits.maxTrailerBytes)
            case .line(let line) where line.isEmpty: return true
            case .line(let line):
                _ = try FieldLine.parse(line, in: lines.bytes.span)
                count += 1
                guard count <= limits.maxTrailers else {
                    throw .tooManyTrailers(limit: limits.maxTrailers)
                }
            }
        }
    }
}
