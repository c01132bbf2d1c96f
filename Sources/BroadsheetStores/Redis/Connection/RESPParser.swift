/// An incremental parser: it takes the bytes of a connection in pieces of any size and returns
/// complete values.
///
/// A state machine without I/O. Incomplete values are kept on a stack, so each byte is read once,
/// however the network splits a reply of a million elements.
struct RESPParser {
    /// An array, map, set or push with missing elements.
    private struct Aggregate {
        var elements: [RESPValue]
        var missing: Int
        let make: @Sendable ([RESPValue]) -> RESPValue
    }

    private let limits: RESPLimits
    private var buffer: [UInt8] = []
    /// The index in `buffer` of the first byte that is not part of a returned value.
    private var start = 0
    /// The number of bytes after `start` that were searched for a line end.
    private var searched = 0
    /// The bulk string whose length is known and whose bytes are incomplete.
    private var pendingBulk: (length: Int, isError: Bool)?
    private var stack: [Aggregate] = []
    /// The size of the current value so far.
    private var used = (bytes: 0, elements: 0)

    /// The result of one parsing step.
    private enum Step {
        case needsMore
        /// A value without missing elements.
        case value(RESPValue)
        /// An aggregate has begun; its elements follow.
        case opened
    }

    /// The number of consumed bytes at which they are removed from the buffer.
    private static let compactionThreshold = 64 * 1024

    init(limits: RESPLimits = RESPLimits()) { self.limits = limits }

    /// The estimated memory of the reply that has not been returned, in bytes: the buffer, and the
    /// elements that are complete.
    var byteCount: Int {
        buffer.capacity + used.bytes + used.elements * MemoryLayout<RESPValue>.stride
    }

    mutating func feed(_ bytes: UnsafeRawBufferPointer) {
        if start > Self.compactionThreshold {
            buffer.removeFirst(start)
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// Returns the next complete value, or `nil` until more bytes are fed.
    ///
    /// After an error the parser cannot be used.
    ///
    /// - Complexity: O(bytes) over all calls together.
    mutating func next() throws(RESPError) -> RESPValue? {
        while true {
            switch try readOne() {
            case .needsMore: return nil
            case .opened: continue
            case .value(let value):
                guard let whole = close(value) else { continue }
                used = (0, 0)
                forgetSpentBytes()
                return whole
            }
        }
    }

    private mutating func forgetSpentBytes() {
        guard start == buffer.count else { return }
        // One huge reply must not occupy memory for the lifetime of the connection.
        buffer.removeAll(keepingCapacity: buffer.capacity <= Self.compactionThreshold)
        start = 0
    }

    /// Adds a complete value to its aggregate and returns the outermost one once it is complete.
    private mutating func close(_ value: RESPValue) -> RESPValue? {
        var value = value
        while let last = stack.indices.last {
            // In place: a copy for each element would make a reply O(elements²).
            stack[last].elements.append(value)
            stack[last].missing -= 1
            guard stack[last].missing == 0 else { return nil }
            let aggregate = stack.removeLast()
            value = aggregate.make(aggregate.elements)
        }
        return value
    }

    private mutating func readOne() throws(RESPError) -> Step {
        if let bulk = pendingBulk { return try finishBulk(bulk.length, isError: bulk.isError) }
        guard let line = try nextLine(), let type = line.first else { return .needsMore }
        let rest = line.dropFirst()
        switch type {
        case UInt8(ascii: "+"), UInt8(ascii: "("): return .value(.simple(Self.text(rest)))
        case UInt8(ascii: "-"): return .value(.error(Self.text(rest)))
        case UInt8(ascii: ":"): return .value(.integer(try Self.number(rest)))
        case UInt8(ascii: ","): return .value(.double(Double(Self.text(rest)) ?? .nan))
        case UInt8(ascii: "#"): return .value(.bool(rest.first == UInt8(ascii: "t")))
        case UInt8(ascii: "_"): return .value(.null)
        case UInt8(ascii: "$"), UInt8(ascii: "="): return try openBulk(rest, isError: false)
        case UInt8(ascii: "!"): return try openBulk(rest, isError: true)
        case UInt8(ascii: "*"), UInt8(ascii: "~"): return try open(rest, 1) { .array($0) }
        case UInt8(ascii: "%"): return try open(rest, 2) { .map($0) }
        case UInt8(ascii: ">"): return try open(rest, 1) { .push($0) }
        default: throw .unknownType(type)
        }
    }

    private mutating func openBulk(
        _ digits: ArraySlice<UInt8>, isError: Bool
    ) throws(RESPError) -> Step {
        let length = try Self.number(digits)
        if length == -1 { return .value(.null) }
        guard length >= 0 else { throw .malformedNumber }
        try use(bytes: length)
        return try finishBulk(Int(length), isError: isError)
    }

    private mutating func finishBulk(
        _ length: Int, isError: Bool
    ) throws(RESPError) -> Step {
        guard buffer.count - start >= length + 2 else {
            pendingBulk = (length, isError)
            return .needsMore
        }
        pendingBulk = nil
        let end = start + length
        guard buffer[end] == UInt8(ascii: "\r"), buffer[end + 1] == UInt8(ascii: "\n") else {
            throw .missingLineEnd
        }
        let bytes = buffer[start..<end]
        start = end + 2
        return .value(isError ? .error(Self.text(bytes)) : .bulk(Array(bytes)))
    }

    private mutating func open(
        _ digits: ArraySlice<UInt8>, _ factor: Int,
        _ make: @escaping @Sendable ([RESPValue]) -> RESPValue
    ) throws(RESPError) -> Step {
        let count = try Self.number(digits)
        if count == -1 { return .value(.null) }
        guard count >= 0 else { throw .malformedNumber }
        guard count <= limits.elements, stack.count < limits.depth else { throw .tooLarge }
        used.elements += Int(count) * factor
        guard used.elements <= limits.elements else { throw .tooLarge }
        if count == 0 { return .value(make([])) }
        stack.append(Aggregate(elements: [], missing: Int(count) * factor, make: make))
        return .opened
    }

    /// Returns the next complete line without its end, or `nil` if it is incomplete.
    private mutating func nextLine() throws(RESPError) -> ArraySlice<UInt8>? {
        var index = start + searched
        while index + 1 < buffer.count {
            if buffer[index] == UInt8(ascii: "\r"), buffer[index + 1] == UInt8(ascii: "\n") {
                let line = buffer[start..<index]
                // Also if the line arrives in one piece.
                guard line.count <= limits.line else { throw .tooLarge }
                try use(bytes: Int64(line.count))
                start = index + 2
                searched = 0
                guard !line.isEmpty else { throw .unknownType(UInt8(ascii: "\r")) }
                return line
            }
            index += 1
        }
        searched = index - start
        guard searched <= limits.line else { throw .tooLarge }
        return nil
    }

    private mutating func use(bytes: Int64) throws(RESPError) {
        guard bytes <= Int64(limits.reply - used.bytes) else { throw .tooLarge }
        used.bytes += Int(bytes)
    }

    private static func number(_ digits: ArraySlice<UInt8>) throws(RESPError) -> Int64 {
        guard let value = Int64(text(digits)) else { throw .malformedNumber }
        return value
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}

/// A violation of the protocol.
///
/// The connection cannot be used after it.
enum RESPError: Error, Hashable, Sendable {
    case unknownType(UInt8)
    /// A length or a number is malformed.
    case malformedNumber
    /// A line, a bulk string, the nesting or a whole reply exceeds ``RESPLimits``.
    case tooLarge
    /// A bulk string is not followed by a line end.
    case missingLineEnd
}

/// The limits for replies.
///
/// A server that exceeds them is not the expected one.
struct RESPLimits: Hashable, Sendable {
    /// The maximum length of a line without its end, in bytes.
    var line = 64 * 1024
    /// The maximum size of a reply in bytes: four times that of a screen.
    var reply = 1024 * 1024 * 1024
    /// The maximum number of elements of a reply, including nested ones.
    var elements = 4_000_000
    var depth = 16
}
