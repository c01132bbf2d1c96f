/// A reader of a request's body (RFC 9112 §6.3).
struct BodyReader: Sendable {
    private var buffer: BodyBuffer
    /// The number of bytes to come of a body with a declared length.
    private var remaining = 0
    /// The reader of a chunked body.
    private var chunks: ChunkedReader?

    /// Creates a reader for a framing; `nil` when there is no body.
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
    /// Moves up to `count` bytes from the front into a body; returns their number.
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
    /// The bytes that have arrived.
    private(set) var bytes: [UInt8] = []
    /// The length of the body, or its maximum.
    private let ceiling: Int

    /// Creates a buffer for a body of at most `ceiling` bytes.
    init(ceiling: Int) { self.ceiling = ceiling }

    /// Appends bytes.
    ///
    /// The capacity doubles up to the ceiling, so that a body with a declared length ends in a
    /// buffer of its size.
    mutating func append(_ input: UnsafeRawBufferPointer) {
        let needed = bytes.count + input.count
        if needed > bytes.capacity {
            let doubled = max(Self.firstStep, bytes.capacity * 2)
            bytes.reserveCapacity(max(needed, min(doubled, ceiling)))
        }
        bytes.append(contentsOf: input)
    }

    /// The initial capacity: the memory that a client can occupy by declaring a large body and
    /// sending little of it.
    private static let firstStep = 64 * 1024
}

/// The method by which the end of a request's body is found (RFC 9112 §6.3).
enum BodyFraming: Sendable, Hashable {
    /// There is no body.
    case none
    /// A number of bytes; more than 0 and at most the limit.
    case length(Int)
    /// Chunks (RFC 9112 §7.1).
    case chunked
}
