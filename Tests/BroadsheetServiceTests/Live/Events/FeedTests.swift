import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores
import Testing

@testable import BroadsheetService

@Suite("The feed of a screen (docs/api.md, Events of clients)")
struct FeedTests {
    private func service() async throws -> TestService {
        let service = try await TestService(catalog: EventsTests.catalog)
        try await service.send("PUT", "/v1/screens/home/pages/0", Pages.list(["a", "b"]))
        return service
    }

    /// Returns an action of the first item.
    private func action(_ name: String, _ more: String = "") -> String {
        Reports.action(name, #""a""#, more)
    }

    private func report(_ name: String, _ more: String = "", _ service: TestService) async throws {
        let response = try await service.report(action(name, more))
        #expect(response.status == 202, "\(response.text)")
    }

    /// Opens the feed.
    private func feed(_ service: TestService, after id: String? = nil) async throws -> StreamReader
    {
        let headers: HTTPHeaders = id.map { [.lastEventID: $0] } ?? [:]
        let response = try await service.send("GET", "/v1/screens/home/feed", headers: headers)
        #expect(response.status == 200)
        #expect(response.response.headers[.contentType] == "text/event-stream")
        return try StreamReader(response.response)
    }

    @Test("It has the actions that the catalog forwards, as they were posted, with their screen")
    func content() async throws {
        let service = try await service()
        try await report("notify", #","input":{"n":0}"#, service)
        let reader = try await feed(service)
        #expect(reader.events().isEmpty)
        try await report(
            "notify", ",\n \"input\":{\"n\": 1} , \"screen\":\"x\",\"more\":[1e2]", service)
        try await report("remove", "", service)
        try await report("unknown", "", service)
        let events = reader.events()
        #expect(
            events.map(\.data) == [
                #"{"screen":"home","type":"action","section":"List","item":"a","name":"notify","#
                    + #""input":{"n": 1},"more":[1e2]}"#
            ])
        #expect(events.map(\.type) == ["client"])
        reader.close()
    }

    @Test("Of a repeated member it has the last value, which the daemon has used")
    func repeatedMembers() async throws {
        let service = try await service()
        let reader = try await feed(service)
        try await report(
            "unknown",
            #","name":"x","na\u006de":"notify","input":{"a":1, "b":[{"c":{},"c":2 }],"a" :3},"#
                + #""input":{"a":[1],"a":{"d":1,"d":{"e":1,"\u0065":[2],"f":3}}, "z": [ ]}"#,
            service)
        #expect(
            reader.events().map(\.data) == [
                #"{"screen":"home","type":"action","section":"List","item":"a","na\u006de":"notify","#
                    + #""input":{"a":{"d":{"\u0065":[2],"f":3}}, "z": [ ]}}"#
            ])
        reader.close()
    }

    @Test(
        "Last-Event-ID continues after an event, and an unknown one begins with all that are kept")
    func resumed() async throws {
        let service = try await service()
        let reader = try await feed(service)
        for number in 0..<5 { try await report("notify", #","input":\#(number)"#, service) }
        let ids = reader.events().compactMap(\.id)
        #expect(ids.count == 5)
        let numbers = ids.compactMap { $0.split(separator: ".").last.flatMap { Int($0) } }
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 + 1 })
        #expect(try await feed(service, after: ids[2]).events().count == 2)
        #expect(try await feed(service, after: ids[4]).events().isEmpty)
        let token = try #require(ids[0].split(separator: ".").first)
        for id in ["other.3", "7", ".", "\(token).6", "\(token).18446744073709551615"] {
            #expect(try await feed(service, after: id).events().count == 5)
        }
    }

    @Test("It keeps the last 1000 events of a screen")
    func bounded() async throws {
        let service = try await service()
        let events = Array(repeating: Reports.action("notify", #""b""#), count: 600)
        for _ in 0..<3 { try await service.report(events) }
        let kept = try await feed(service, after: "all").events()
        #expect(kept.count == 1000)
        #expect(kept.last?.id?.hasSuffix(".1800") == true)
    }

    @Test("It ends with the screen and when the daemon drains, and wakes up for what is new")
    func ending() async throws {
        let service = try await service()
        let (removed, drained) = (try await feed(service), try await feed(service))
        drained.drain()
        #expect(try await drained.next() == nil)
        try await report("notify", "", service)
        try await service.send("DELETE", "/v1/screens/home")
        _ = removed.events()
        #expect(try await removed.next() == nil)
        #expect(try await service.send("GET", "/v1/screens/home/feed").status == 404)
    }

    @Test("A forwarded action whose update fails, or whose item is gone, is not in it")
    func failing() async throws {
        let service = try await service()
        let reader = try await feed(service)
        let failed = try await service.report(
            action("notify"), Reports.action("name", #""b""#))
        #expect(failed.status == 409)
        let done = try await service.report(action("remove"), action("favourite"))
        #expect(done.status == 202)
        #expect(reader.events().isEmpty)
    }
}
