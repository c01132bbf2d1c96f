import Broadsheet
import BroadsheetClient
import BroadsheetHTTP
import Synchronization
import TestSupport
import Testing

@testable import BroadsheetService

/// A client of a stream, which asks its source as a connection does.
final class StreamReader: Sendable {
    /// An event as a browser reads it.
    struct Event: Sendable, Equatable {
        var type = "message"
        var id: String?
        var data = ""
        /// The time after which the client connects again, in milliseconds.
        var retry: Int?

        /// The data as JSON.
        var json: JSONValue {
            get throws { try JSONDocument(Array(data.utf8)).root }
        }

        /// The data as a value of trees and changes.
        var value: TreeValue { get throws { try TreeValue(json) } }
    }

    /// The reset of the connection by the source.
    struct Failure: Error {}

    let response: HTTPResponse
    private let stream: HTTPStream
    private let wakes = AsyncStream<Void>.makeStream()
    private let text: Mutex<String>

    /// Begins the stream of a response.
    init(_ response: HTTPResponse) throws {
        self.response = response
        stream = try #require(
            response.stream, "\(response.status) \(ReceivedResponse(response).text)")
        text = Mutex(String(decoding: stream.first?.bytes ?? [], as: UTF8.self))
        stream.source.begin(
            StreamSignal { [wakes] signal in
                signal.receive()
                wakes.continuation.yield()
            })
    }

    /// Returns the next event, or `nil` at the end of the stream and in a cancelled task.
    func next() async throws -> Event? {
        while true {
            if let event = parsed() { return event }
            switch stream.source.next() {
            case .part(let part): append(part)
            case .wait where Task.isCancelled: return nil
            case .wait: for await _ in wakes.stream { break }
            case .end: return nil
            case .failure: throw Failure()
            }
        }
    }

    /// Returns the next part, or `nil` if there is none now.
    func part() -> StreamPart? {
        guard case .part(let part) = stream.source.next() else { return nil }
        append(part)
        return part
    }

    /// Returns the events that there are now.
    func events() -> [Event] {
        while part() != nil {}
        var events: [Event] = []
        while let event = parsed() { events.append(event) }
        return events
    }

    /// Waits for a part, of which nothing is read.
    func waitForPart() async -> StreamPart? {
        while true {
            if let part = part() { return part }
            for await _ in wakes.stream { break }
        }
    }

    /// Requests the end, as a server that drains.
    func drain() { stream.source.drain() }

    /// Ends the connection.
    func close() { stream.source.end() }

    private func append(_ part: StreamPart) {
        text.withLock { $0 += String(decoding: part.bytes, as: UTF8.self) }
    }

    /// Removes the next event from the text; blocks without data are no events.
    private func parsed() -> Event? {
        text.withLock { text in
            while let end = text.firstRange(of: "\n\n") {
                let lines = text[..<end.lowerBound].split(separator: "\n")
                text = String(text[end.upperBound...])
                var event = Event()
                var hasData = false
                for line in lines where !line.hasPrefix(":") {
                    let parts = line.split(separator: ": ", maxSplits: 1).map(String.init)
                    switch parts[0] {
                    case "event": event.type = parts[1]
                    case "id": event.id = parts[1]
                    case "retry": event.retry = Int(parts[1])
                    case "data": (event.data, hasData) = (parts[1], true)
                    default: break
                    }
                }
                if hasData { return event }
            }
            return nil
        }
    }
}

extension TestService {
    /// Opens a stream of a screen.
    func stream(
        _ query: String = "", of screen: String = "home", headers: HTTPHeaders = [:]
    ) async throws -> StreamReader {
        let target = "/v1/screens/\(screen)/stream\(query)"
        return try StreamReader(try await send("GET", target, headers: headers).response)
    }

    /// The open streams.
    var streams: ScreenStreams { service.streams }
}
