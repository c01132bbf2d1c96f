import Broadsheet
import BroadsheetClient
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores
import StoreTestSupport
import TestSupport
import Testing

@testable import BroadsheetService

@Suite("GET /v1/screens/{screen}/stream (docs/api.md, Streams)", .timeLimit(.minutes(hangMinutes)))
struct ScreenStreamTests {
    private let path = "/v1/screens/home"

    private func put(_ ids: [Int], text: String = "a", _ service: TestService) async throws {
        try await service.send(
            "PUT", "\(path)/pages/0", ChangesEndpointTests.page(ids, text: text))
    }

    @Test("Without changes each event is a revision: the current one at once, then each new one")
    func revisions() async throws {
        let service = try await TestService()
        try await put([1], service)
        let reader = try await service.stream()
        for revision in 1...4 {
            let event = try #require(try await reader.next())
            #expect(event.type == "revision" && event.id == "\(revision)")
            #expect(event.data == #"{"screen":"home","revision":\#(revision)}"#)
            try await put([1, revision + 1], service)
        }
        #expect(reader.response.headers[.contentType] == "text/event-stream")
        #expect(reader.response.headers[.cacheControl] == "no-cache")
        #expect(reader.response.headers[.accelBuffering] == "no")
    }

    @Test("With changes the first event is the tree, and then the changes of each revision")
    func changes() async throws {
        let service = try await TestService()
        try await put([1, 2, 3], service)
        let query = "?changes=true&width=300&pretty=true"
        let reader = try await service.stream(query)
        let first = try #require(try await reader.next())
        #expect(first.type == "tree")
        var view = try CollectionView(try first.value)
        for ids in [[1, 9, 2, 3], [9, 3], [3, 9, 4]] {
            try await put(ids, service)
            let event = try #require(try await reader.next())
            #expect(event.type == "changes")
            try view.apply(try event.value)
            let layout = try await service.send("GET", "\(path)/layout?width=300")
            #expect(view.tree == (try TreeValue(layout.json)))
            let revision = try #require(try layout.value("/revision")?.int)
            #expect(event.id == "\(revision).\(layout.etag?.filter { $0 != "\"" } ?? "")")
        }
    }

    @Test(
        "Last-Event-ID, or since, is the tree that the client has; the header takes precedence",
        arguments: [
            // The header and the query name a revision of three.
            ("1", nil, "changes"), (nil, "1", "changes"), ("2", "1", "changes"),
            ("3", "1", nil), (nil, "3", nil), ("9", "1", "tree"), (nil, "9", "tree"),
            ("x", "1", "tree"), (nil, "x", "tree"), ("1.other", nil, "tree"),
            ("3.other", nil, "tree"), ("", "3", nil), (nil, "", "tree"), ("01", nil, "tree"),
        ] as [(String?, String?, String?)])
    func lastEventID(header: String?, since: String?, type: String?) async throws {
        let service = try await TestService()
        for ids in [[1], [1, 2], [1, 2, 3]] { try await put(ids, service) }
        let reader = try await service.stream(
            "?changes=true\(since.map { "&since=\($0)" } ?? "")",
            headers: header.map { [.lastEventID: $0] } ?? [:])
        if type == nil { try await put([1, 2, 3, 4], service) }
        let event = try #require(try await reader.next())
        #expect(event.type == type ?? "changes")
        if event.type == "changes" {
            let known = type == nil ? 3 : header ?? since == "2" ? 2 : 1
            #expect(try event.json["from"]?["revision"]?.int == known)
        }
    }

    @Test("The id of an event continues the stream, also with the tag of the compressed tree")
    func continued() async throws {
        let service = try await TestService()
        try await put([1, 2], service)
        let first = try #require(try await service.stream("?changes=true").next())
        let id = try #require(first.id)
        var readers: [StreamReader] = []
        for known in [id, "\(id)-gzip"] {
            readers.append(
                try await service.stream("?changes=true", headers: [.lastEventID: known]))
        }
        try await put([1, 2, 3], service)
        for reader in readers {
            let event = try #require(try await reader.next())
            #expect(event.type == "changes" && event.id != id)
        }
    }

    @Test("A client that reads slowly receives one event, from the last state that it was sent")
    func slow() async throws {
        let service = try await TestService()
        try await put([1], service)
        let reader = try await service.stream("?changes=true")
        let tree = try #require(try await reader.next())
        let follower = try await service.stream("?changes=true")
        for count in 2...9 { try await put(Array(1...count), service) }
        try await read(upTo: 9, follower)
        let event = try #require(try await reader.next())
        #expect(try event.json["to"]?["revision"]?.int == 9)
        var view = try CollectionView(try tree.value)
        try view.apply(try event.value)
        let layout = try await service.send("GET", "\(path)/layout")
        #expect(view.tree == (try TreeValue(layout.json)))
        let revisions = try await service.stream()
        #expect(try await revisions.next()?.id == "9")
        let newest = try await service.stream()
        for text in ["b", "c", "d"] { try await put([1], text: text, service) }
        try await read(upTo: 12, newest)
        #expect(try await revisions.next()?.id == "12")
    }

    /// Reads events up to a revision: no event of an equal stream is then made for an earlier one.
    private func read(upTo revision: Int, _ reader: StreamReader) async throws {
        var last: String?
        while last != "\(revision)" {
            let event = try #require(try await reader.next())
            last = event.id.flatMap { $0.split(separator: ".").first }.map { String($0) }
        }
    }

    @Test("Writes that do not change the tree of a client are no events")
    func otherPages() async throws {
        let service = try await TestService()
        for page in 0..<3 {
            try await service.send(
                "PUT", "\(path)/pages/\(page)", ChangesEndpointTests.page([page], hasNext: true))
        }
        let reader = try await service.stream("?changes=true&page=1")
        let first = try #require(try await reader.next())
        let all = try await service.stream("?changes=true&pages=all")
        _ = try await all.next()
        for ids in [[7], [8]] {
            try await service.send(
                "PUT", "\(path)/pages/2", ChangesEndpointTests.page(ids, hasNext: true))
            #expect(try await all.next()?.type == "changes")
        }
        try await service.send(
            "PUT", "\(path)/pages/1", ChangesEndpointTests.page([5], hasNext: true))
        let event = try #require(try await reader.next())
        #expect(try event.json["from"]?["revision"]?.int == first.json["revision"]?.int)
        #expect(try event.json["to"]?["revision"]?.int == 6)
    }

    @Test("Another catalog is the tree again")
    func catalog() async throws {
        let service = try await TestService(catalog: Catalogs.shop)
        try await put([1], service)
        let reader = try await service.stream("?changes=true")
        _ = try await reader.next()
        try await put([1, 2], service)
        #expect(try await reader.next()?.type == "changes")
        service.service.reload(
            catalogs: try CatalogSet(Catalog(Array((Catalogs.shop + "\n").utf8))))
        let event = try #require(try await reader.next())
        let layout = try await service.send("GET", "\(path)/layout")
        #expect(event.type == "tree")
        #expect(try event.value == (try TreeValue(layout.json)))
    }

    @Test("The data is one line, whatever was posted")
    func lines() async throws {
        let service = try await TestService()
        let page = ChangesEndpointTests.page([1]).replacing("\"id\"", with: "\r\n\n \"id\"")
        try await service.send("PUT", "\(path)/pages/0", page)
        let reader = try await service.stream("?changes=true")
        let event = try #require(try await reader.next())
        let layout = try await service.send("GET", "\(path)/layout")
        #expect(layout.text.contains("\r\n"))
        #expect(try event.value == (try TreeValue(layout.json)))
    }

    @Test("A large tree is written while it is sent, and each stream has its own position")
    func large() async throws {
        let memory = MemoryBudget(limit: 256 << 20)
        let service = try await TestService(memory: memory)
        try await put(Array(1...4000), service)
        let readers = [
            try await service.stream("?changes=true"), try await service.stream("?changes=true"),
        ]
        let part = try #require(await readers[0].waitForPart())
        #expect(part.byteCount < 200_000)
        let layout = try await service.send("GET", "\(path)/layout")
        #expect(layout.body.count > 500_000)
        for reader in readers {
            let event = try #require(try await reader.next())
            #expect(try event.value == (try TreeValue(layout.json)))
        }
        try await put(Array(1...4001), service)
        for reader in readers { #expect(try await reader.next()?.type == "changes") }
        for reader in readers { reader.close() }
        #expect(service.streams.groupCount == 0)
    }
}
