/// An event of a stream of Server-Sent Events.
public struct ServerSentEvent: Sendable, Hashable {
    /// The name; `message` for an event without one.
    public var name: String
    /// The last id of the stream.
    public var id: String
    /// The data, lines with line feeds between them.
    public var data: [UInt8]

    /// Creates an event.
    public init(name: String = "message", id: String = "", data: [UInt8]) {
        self.name = name
        self.id = id
        self.data = data
    }
}

/// A decoder of Server-Sent Events, as the HTML standard interprets a stream, from parts of any
/// size.
public struct EventDecoder: Sendable {
    private let maxEventBytes: Int
    /// The bytes of a line that is not complete.
    private var line: [UInt8] = []
    private var endsWithReturn = false
    private var isFirstLine = true
    private var name = ""
    private var data: [UInt8] = []
    private var hasData = false
    private var id = ""

    /// The id that a client sends as `Last-Event-ID` when it connects again.
    public private(set) var lastEventID = ""
    /// The time after which a client connects again, if the stream has set one.
    public private(set) var retry: Duration?

    /// Creates a decoder.
    ///
    /// - Parameter maxEventBytes: The maximum size of an event.
    public init(maxEventBytes: Int = 256 << 20) { self.maxEventBytes = maxEventBytes }

    /// Decodes the next part of a stream, and returns the events that it completes.
    ///
    /// - Throws: ``ClientError/invalidResponse(_:)`` for an event that is too large.
    /// - Complexity: O(bytes).
    public mutating func decode(
        _ part: some Sequence<UInt8>
    ) throws(ClientError) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        for byte in part {
            let followsReturn = endsWithReturn
            endsWithReturn = byte == UInt8(ascii: "\r")
            switch byte {
            case UInt8(ascii: "\n") where followsReturn: break
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                if let event = endLine() { events.append(event) }
            default:
                guard line.count + data.count < maxEventBytes else {
                    throw .invalidResponse("an event has more than \(maxEventBytes) bytes")
                }
                line.append(byte)
            }
        }
        return events
    }

    /// Interprets a complete line, and returns the event that an empty one completes.
    private mutating func endLine() -> ServerSentEvent? {
        defer { line.removeAll(keepingCapacity: true) }
        if isFirstLine, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        isFirstLine = false
        guard !line.isEmpty else { return dispatch() }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[min(colon + 1, line.endIndex)...]
        if value.first == UInt8(ascii: " ") { value.removeFirst() }
        field(String(decoding: line[..<colon], as: UTF8.self), value)
        return nil
    }

    private mutating func field(_ name: String, _ value: ArraySlice<UInt8>) {
        switch name {
        case "event": self.name = String(decoding: value, as: UTF8.self)
        case "data":
            if hasData { data.append(UInt8(ascii: "\n")) }
            data += value
            hasData = true
        case "id" where !value.contains(0): id = String(decoding: value, as: UTF8.self)
        case "retry" where !value.isEmpty && value.allSatisfy { 0x30...0x39 ~= $0 }:
            let milliseconds = Int64(String(decoding: value, as: UTF8.self))
            retry = milliseconds.map { .milliseconds($0) } ?? retry
        default: break
        }
    }

    private mutating func dispatch() -> ServerSentEvent? {
        lastEventID = id
        defer {
            name = ""
            data = []
            hasData = false
        }
        guard hasData else { return nil }
        // Bytes that are not UTF-8 are replaced, as the standard decodes a stream.
        let text = data.validText == nil ? Array(String(decoding: data, as: UTF8.self).utf8) : data
        return ServerSentEvent(name: name.isEmpty ? "message" : name, id: lastEventID, data: text)
    }
}
