import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores
import Testing

@testable import BroadsheetService

@Suite("The feed of a screen (docs/api.md, Events of clients)")
struct FeedTests {
    private func service(maxStreams: Int = 10) async throws -> TestService {
        let service = try await TestService(catalog: EventsTests.catalog)
        try await service.send("PUT", "/v1/screens/home/pages/0", Pages.list(["a", "b"]))
        return service
    }

    private func report(_ name: String, _ more: String = "", _ service: TestService) async throws {
        let event =
            #"{"type":"action","section":"List","item":"a","name":"\#(name)"\#(more)}"#
        let response = try await service.send(
            "POST", "/v1/screens/home/events", #"{"events":[\#(event)]}"#)
        #expect(response.status == 202, "\(response.text)")
    }

    /// A stream of events, as a connection reads it.
    private final class Reader {
        let source: any StreamSource
        private(set) var text = ""
        private(set) var isEnded = false

        init(_ service: TestService, after id: String? = nil) async throws {
            let headers: HTTPHeaders = id.map { [.lastEventID: $0] } ?? [:]
            let response = try await service.send(
                "GET", "/v1/screens/home/feed", headers: headers)
            #expect(response.status == 200)
            #expect(response.response.headers[.contentType] == "text/event-stream")
            source = try #require(response.response.stream).source
            source.begin(StreamSignal { _ in })
        }

        /// Reads all events that are due, and returns their data.
        func read() -> [String] {
            var found = ""
            while true {
                switch source.next() {
                case .part(let part): found += String(decoding: part.bytes, as: UTF8.self)
                case .end, .failure:
                    isEnded = true
                    fallthrough
                case .wait:
                    text += found
                    return found.split(separator: "\n").filter { $0.hasPrefix("data: ") }
                        .map { String($0.dropFirst(6)) }
                }
            }
        }

        /// The ids of the events that were read.
        var ids: [String] {
            text.split(separator: "\n").filter { $0.hasPrefix("id: ") }
                .map { String($0.dropFirst(4)) }
        }
    }

    @Test("It has the actions that the catalog forwards, as they were posted, with their screen")
    func content() async throws {
        let service = try await service()
        try await report("notify", #","input":{"n":0}"#, service)
        let reader = try await Reader(service)
        #expect(reader.read().isEmpty)
        try await report(
            "notify", ",\n \"input\":{\"n\": 1} , \"screen\":\"x\",\"more\":[1e2]", service)
        try await report("remove", "", service)
        try await report("unknown", "", service)
        let data = reader.read()
        #expect(
            data == [
                #"{"screen":"home","type":"action","section":"List","item":"a","name":"notify","#
                    + #""input":{"n": 1},"more":[1e2]}"#
            ])
        #expect(reader.text.hasPrefix("event: client\nid: "))
        reader.source.end()
    }

    @Test(
        "Last-Event-ID continues after an event, and an unknown one begins with all that are kept")
    func resumed() async throws {
        let service = try await service()
        let reader = try await Reader(service)
        for number in 0..<5 { try await report("notify", #","input":\#(number)"#, service) }
        #expect(reader.read().count == 5)
        let numbers = reader.ids.compactMap { $0.split(separator: ".").last.flatMap { Int($0) } }
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 + 1 })
        #expect(try await Reader(service, after: reader.ids[2]).read().count == 2)
        #expect(try await Reader(service, after: reader.ids[4]).read().isEmpty)
        for id in ["other.3", "7", "."] {
            #expect(try await Reader(service, after: id).read().count == 5)
        }
    }

    @Test("It keeps the last 1000 events of a screen")
    func bounded() async throws {
        let service = try await service()
        let events = Array(
            repeating: #"{"type":"action","section":"List","item":"b","name":"notify"}"#,
            count: 600
        ).joined(separator: ",")
        for _ in 0..<3 {
            try await service.send(
                "POST", "/v1/screens/home/events", #"{"events":[\#(events)]}"#)
        }
        let reader = try await Reader(service, after: "all")
        #expect(reader.read().count == 1000)
        #expect(reader.ids.last?.hasSuffix(".1800") == true)
    }

    @Test("It ends with the screen and when the daemon drains, and wakes up for what is new")
    func ending() async throws {
        let service = try await service()
        let (removed, drained) = (try await Reader(service), try await Reader(service))
        drained.source.drain()
        #expect(drained.read().isEmpty && drained.isEnded)
        try await report("notify", "", service)
        try await service.send("DELETE", "/v1/screens/home")
        _ = removed.read()
        #expect(removed.isEnded)
        #expect(try await service.send("GET", "/v1/screens/home/feed").status == 404)
    }

    @Test("A forwarded action whose update fails, or whose item is gone, is not in it")
    func failing() async throws {
        let service = try await service()
        let reader = try await Reader(service)
        let events =
            #"{"type":"action","section":"List","item":"a","name":"notify"},"#
            + #"{"type":"action","section":"List","item":"b","name":"name"}"#
        let failed = try await service.send(
            "POST", "/v1/screens/home/events", #"{"events":[\#(events)]}"#)
        #expect(failed.status == 409)
        let removed =
            #"{"type":"action","section":"List","item":"a","name":"remove"},"#
            + #"{"type":"action","section":"List","item":"a","name":"favourite"}"#
        let done = try await service.send(
            "POST", "/v1/screens/home/events", #"{"events":[\#(removed)]}"#)
        #expect(done.status == 202)
        #expect(reader.read().isEmpty)
    }
}
