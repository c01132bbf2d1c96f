import Glibc

/// Gathers lines that arrive cut anywhere, one after the other in one buffer.
struct LineBuffer: Sendable {
    /// What reading on came to.
    enum Progress: Equatable {
        /// A whole line lies in the buffer at this range, its CRLF left out.
        case line(Range<Int>)
        /// The line goes on after the input's end.
        case incomplete
        /// The line would end beyond the bound.
        case overBound
    }

    /// Every line taken so far, ends included.
    private(set) var bytes: [UInt8] = []
    /// Where the line that is being gathered starts.
    private(set) var lineStart = 0

    /// Moves input into the buffer up to the next line's end.
    ///
    /// Whether a line is over the bound depends on the bytes alone, not on their cuts.
    /// - Parameters:
    ///   - input: what arrived; what is taken is removed from its front.
    ///   - bound: how many bytes the buffer may hold.
    /// - Throws: `.bareLineFeed` when the line does not end in CRLF (RFC 9112 §2.2).
    mutating func takeLine(
        from input: inout UnsafeRawBufferPointer, bound: Int
    ) throws(HTTPError) -> Progress {
        guard let base = input.baseAddress, !input.isEmpty else { return .incomplete }
        let window = min(input.count, max(bound - bytes.count, 0))
        let lineFeed = memchr(base, Int32(UInt8.lineFeed), window)
        let taken = lineFeed.map { UnsafeRawPointer($0) - base + 1 } ?? window
        if bytes.isEmpty { bytes.reserveCapacity(min(input.count, bound, Self.typicalHead)) }
        bytes.append(contentsOf: input.prefix(taken))
        input = UnsafeRawBufferPointer(rebasing: input.dropFirst(taken))
        guard lineFeed != nil else { return bytes.count >= bound ? .overBound : .incomplete }
        return .line(try endLine())
    }

    /// Forgets all lines, and keeps the memory.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        lineStart = 0
    }

    private mutating func endLine() throws(HTTPError) -> Range<Int> {
        let end = bytes.count - 2
        guard end >= lineStart, bytes[end] == .carriageReturn else {
            throw .badRequest(.bareLineFeed)
        }
        defer { lineStart = bytes.count }
        return lineStart..<end
    }

    /// Bytes set aside at once, so that the head of a usual client is copied but once.
    private static let typicalHead = 1024
}
