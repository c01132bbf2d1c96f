/// Takes the bytes of a connection, cut anywhere, and hands out the values that are complete.
///
/// A state machine without I/O. What a value holds so far is kept on a stack, so that no byte is
/// looked at twice, however the network cuts an reply of a million elements.
struct RESPParser {
    /// An array, map, set or push some of whose elements are still to come.
    private struct Aggregate {
        var elements: [RESPValue]
        var missing: Int
        let make: @Sendable ([RESPValue]) -> RESPValue
    }

    private let limits: RESPLimits
    private var buffer: [UInt8] = []
    /// The first byte of `buffer` that no value has taken yet.
    private var start = 0
    /// How far from `start` the search for a line's end has come.
    private var searched = 0
    /// The bulk whose length is known and whose bytes are not all there.
    private var pendingBulk: (length: Int, isError: Bool)?
    private var stack: [Aggregate] = []
    /// What the value that is being read has taken up so far.
    private var used = (bytes: 0, elements: 0)

    /// What one reading came to.
    private enum Step {
        /// The value is not all there yet.
        case needsMore
        /// A value that has no elements, or none to come.
        case value(RESPValue)
        /// An aggregate begins, whose elements come.
        case opened
    }

    /// Spent bytes are dropped once there are so many, not at every value.
    private static let compactionThreshold = 64 * 1024

    /// Has read nothing yet.
    init(limits: RESPLimits = RESPLimits()) { self.limits = limits }

    /// Adds bytes that have arrived.
    mutating func feed(_ bytes: UnsafeRawBufferPointer) {
        if start > Self.compactionThreshold {
            buffer.removeFirst(start)
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// The next complete value; nil until more bytes are fed.
    ///
    /// O(bytes) over all calls together. After an error the parser is of no more use.
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
        // One huge reply must not keep its room for as long as the connection lasts.
        buffer.removeAll(keepingCapacity: buffer.capacity <= Self.compactionThreshold)
        start = 0
    }

    /// Puts a complete value where it belongs; replies the outermost one once that is complete.
    private mutating func close(_ value: RESPValue) -> RESPValue? {
        var value = value
        while let last = stack.indices.last {
            // In node: a copy for each element would make an reply cost its square.
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

    /// The next whole line, without its end; nil until that has come.
    private mutating func nextLine() throws(RESPError) -> ArraySlice<UInt8>? {
        var index = start + searched
        while index + 1 < buffer.count {
            if buffer[index] == UInt8(ascii: "\r"), buffer[index + 1] == UInt8(ascii: "\n") {
                let line = buffer[start..<index]
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

/// Why bytes cannot be the protocol.
///
/// The connection that they came over is of no more use.
enum RESPError: Error, Hashable, Sendable {
    /// A value began with a byte that begins none.
    case unknownType(UInt8)
    /// A length or a number was no number.
    case malformedNumber
    /// A line, a bulk, a nesting or a whole reply was larger than ``RESPLimits`` allow.
    case tooLarge
    /// A bulk did not end where it said.
    case missingLineEnd
}

/// What a server's reply may take up; a server that sends more is not the one we think it is.
struct RESPLimits: Hashable, Sendable {
    /// The longest line, without its end, in bytes.
    var line = 64 * 1024
    /// The most bytes of one reply: four times what a screen may take up (``RedisScript``).
    var reply = 1024 * 1024 * 1024
    /// The most elements of one reply, nested ones included.
    var elements = 4_000_000
    /// How deep arrays may be nested.
    var depth = 16
}
