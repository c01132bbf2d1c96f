import Glibc

/// A buffer of lines that arrive in arbitrary pieces.
struct LineBuffer: Sendable {
    /// The result of reading a line.
    enum Progress: Equatable {
        /// The line is complete, at this range of the buffer without its CRLF.
        case line(Range<Int>)
        /// The line continues after the input.
        case incomplete
        /// The line ends beyond the bound.
        case overBound
    }

    /// All lines so far, with their ends.
    private(set) var bytes: [UInt8] = []
    /// The index at which the current line starts.
    private(set) var lineStart = 0

    /// Moves input into the buffer, up to the next line's end.
    ///
    /// Whether a line is beyond the bound depends on its bytes only, not on the pieces.
    ///
    /// - Parameters:
    ///   - input: The input; consumed bytes are removed from its front.
    ///   - bound: The maximum number of bytes in the buffer.
    /// - Throws: `.bareLineFeed` when the line does not end in CRLF, and `.bareCarriageReturn` as
    ///   soon as a CR is followed by another byte than LF, so that no client waits for the rest of
    ///   a line that is invalid already (RFC 9112 §2.2).
    mutating func takeLine(
        from input: inout UnsafeRawBufferPointer, bound: Int
    ) throws(HTTPError) -> Progress {
        guard let base = input.baseAddress, !input.isEmpty else { return .incomplete }
        let window = min(input.count, max(bound - bytes.count, 0))
        let lineFeed = memchr(base, Int32(UInt8.lineFeed), window)
        let taken = lineFeed.map { UnsafeRawPointer($0) - base + 1 } ?? window
        try checkCarriageReturn(UnsafeRawBufferPointer(start: base, count: taken))
        if bytes.isEmpty { bytes.reserveCapacity(min(input.count, bound, Self.typicalHead)) }
        bytes.append(contentsOf: input.prefix(taken))
        input = UnsafeRawBufferPointer(rebasing: input.dropFirst(taken))
        guard lineFeed != nil else { return bytes.count >= bound ? .overBound : .incomplete }
        return .line(try endLine())
    }

    /// Removes all lines, and keeps the capacity.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        lineStart = 0
    }

    /// Checks the first CR of the next bytes of the line, and the one at the end of those before.
    private func checkCarriageReturn(_ next: UnsafeRawBufferPointer) throws(HTTPError) {
        guard let base = next.baseAddress, let first = next.first else { return }
        if bytes.count > lineStart, bytes.last == .carriageReturn, first != .lineFeed {
            throw .badRequest(.bareCarriageReturn)
        }
        guard let found = memchr(base, Int32(UInt8.carriageReturn), next.count) else { return }
        // A CR that is the last byte is checked with the byte after it.
        let index = UnsafeRawPointer(found) - base + 1
        guard index == next.count || next[index] == .lineFeed else {
            throw .badRequest(.bareCarriageReturn)
        }
    }

    private mutating func endLine() throws(HTTPError) -> Range<Int> {
        let end = bytes.count - 2
        guard end >= lineStart, bytes[end] == .carriageReturn else {
            throw .badRequest(.bareLineFeed)
        }
        defer { lineStart = bytes.count }
        return lineStart..<end
    }

    /// The initial capacity, with which the head of a usual client is copied only once.
    private static let typicalHead = 1024
}
