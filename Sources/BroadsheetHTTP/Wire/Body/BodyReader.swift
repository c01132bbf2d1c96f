/// Gathers one request's body (RFC 9112 §6.3).
struct BodyReader: Sendable {
    private var buffer: BodyBuffer
    /// Bytes still to come of a body whose length was announced.
    private var remaining = 0
    /// The chunks of a body that comes in chunks.
    private var chunks: ChunkedReader?

    /// A reader of a body framed so; `nil` when there is none to read.
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

    /// Takes input up to the body's end; `nil` when the body goes on after the input's end.
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
    /// Moves up to `count` bytes from the front into a body; returns how many there were.
    mutating func move(atMost count: Int, into buffer: inout BodyBuffer) -> Int {
        let moved = Swift.min(self.count, count)
        buffer.append(UnsafeRawBufferPointer(rebasing: prefix(moved)))
        self = UnsafeRawBufferPointer(rebasing: dropFirst(moved))
        return moved
    }
}
