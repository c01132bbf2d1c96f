import Broadsheet
import BroadsheetHTTP
import BroadsheetStores
import TestSupport
import Testing

@testable import BroadsheetService

@Suite("Layouts that are repeated on the event loop", .timeLimit(.minutes(hangMinutes)))
struct RepeatedLayoutTests {
    private static let path = "/v1/screens/home/layout"

    private func withServer(
        store: ScreenStore? = nil, layoutCacheBytes: Int = 1 << 20,
        _ body: (LoopbackServer, ManualClock) async throws -> Void
    ) async throws {
        let clock = ManualClock()
        let service = try await TestService(
            store: store ?? ScreenStore.inMemory(clock: clock.time),
            layoutCacheBytes: layoutCacheBytes)
        try await service.send("PUT", "/v1/screens/home/pages/0", Pages.list(["a", "b"]))
        let server = try await LoopbackServer(service, clock: clock, repeats: true)
        try await body(server, clock)
        await server.stop()
    }

    private func get(_ target: String = path, _ fields: String...) -> String {
        "GET \(target) HTTP/1.1\r\nHost: h\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n"
    }

    @Test("The second request with the same head does not reach a handler's task")
    func second() async throws {
        try await withServer { server, _ in
            let first = try await server.send([get()])[0]
            for _ in 0..<5 {
                let next = try await server.send([get()])[0]
                #expect(next.maskingID == first.maskingID)
                #expect(next.id != first.id)
            }
            #expect(server.handler.callCount == 1)
        }
    }

    @Test("304 and HEAD are repeated as they are")
    func otherResponses() async throws {
        try await withServer { server, _ in
            let tag = try #require(try await server.send([get()])[0].field("ETag"))
            for _ in 0..<3 {
                let unchanged = try await server.send([get(Self.path, "If-None-Match: \(tag)")])[0]
                #expect(unchanged.hasPrefix("HTTP/1.1 304 "))
                let head = "HEAD \(Self.path) HTTP/1.1\r\nHost: h\r\n\r\n"
                let response = try await server.send([head], hasBody: false)[0]
                #expect(response.field("Content-Length") != "0")
            }
            #expect(server.handler.callCount == 3)
        }
    }

    @Test("Changes, with nothing new and with something new, are repeated until the next write")
    func changesDocuments() async throws {
        try await withServer { server, _ in
            let path = "/v1/screens/home/changes?since="
            for (revision, ids) in [(1, ["b"]), (2, ["b", "c"])] {
                for since in 1...revision {
                    let before = server.handler.callCount
                    let first = try await server.send([get("\(path)\(since)")])[0]
                    #expect(first.hasPrefix("HTTP/1.1 200 "))
                    #expect(first.contains("\"stages\":[]") == (since == revision))
                    for _ in 0..<3 {
                        let next = try await server.send([get("\(path)\(since)")])[0]
                        #expect(next.maskingID == first.maskingID)
                    }
                    #expect(server.handler.callCount == before + 1)
                }
                try await server.service.send(
                    "PUT", "/v1/screens/home/pages/0", Pages.list(ids))
            }
            let before = server.handler.callCount
            for _ in 0..<2 {
                _ = try await server.send([get("\(path)2")])
                // A response after a wait, or with a reset, is made again each time.
                _ = try await server.send([get("\(path)2", "Prefer: wait=1")])
                _ = try await server.send([get("\(path)99")])
            }
            #expect(server.handler.callCount == before + 5)
        }
    }

    @Test("The layouts and changes of each client are repeated with its own page token")
    func clients() async throws {
        try await withServer { server, _ in
            let page = Pages.list(["a"], hasNext: true)
            try await server.service.send("PUT", "/v1/screens/home/pages/0", page)
            var tokens: Set<String> = []
            for target in [Self.path + "?", "/v1/screens/home/changes?since=1&"] {
                for client in ["ios/4", "ios/5", "web/1"] {
                    let before = server.handler.callCount
                    let request = get("\(target)client=\(client)")
                    let first = try await server.send([request])[0]
                    for _ in 0..<3 {
                        let next = try await server.send([request])[0]
                        #expect(next.maskingID == first.maskingID)
                    }
                    #expect(server.handler.callCount == before + 1)
                    let token = try #require(first.firstMatch(of: /"nextPageToken":"([^"]*)"/))
                    tokens.insert(String(token.1))
                }
            }
            #expect(tokens.count == 3)
        }
    }

    @Test("Compressed layouts are repeated with the same bytes, and 304 with their tags")
    func compressed() async throws {
        try await withServer { server, _ in
            let page = Pages.list((0..<60).map { "item \($0)" })
            try await server.service.send("PUT", "/v1/screens/home/pages/0", page)
            let first = try await server.send([get(Self.path, "Accept-Encoding: gzip")])[0]
            #expect(first.field("Content-Encoding") == "gzip")
            let tag = try #require(first.field("ETag"))
            let condition = "If-None-Match: \(tag)\r\nAccept-Encoding: gzip"
            for _ in 0..<3 {
                let again = try await server.send([get(Self.path, "Accept-Encoding: gzip")])[0]
                #expect(again.maskingID == first.maskingID)
                let unchanged = try await server.send([get(Self.path, condition)])[0]
                #expect(unchanged.hasPrefix("HTTP/1.1 304 ") && unchanged.field("ETag") == tag)
                #expect(unchanged.field("Vary") == "Accept-Encoding")
            }
            #expect(server.handler.callCount == 2)
        }
    }

    @Test(
        "A request with a body, an id, an expectation, or a long head is never repeated",
        arguments: [
            "Content-Length: 0", "X-Request-Id: mine", "Expect: 100-continue",
            "X-Long: " + String(repeating: "x", count: 2048),
        ])
    func excluded(field: String) async throws {
        try await withServer { server, _ in
            for _ in 0..<3 { _ = try await server.send([get(Self.path, field)]) }
            #expect(server.handler.callCount == 3)
        }
    }

    @Test("Parts of a layout and errors are never repeated")
    func otherOperations() async throws {
        try await withServer { server, _ in
            for target in [
                "\(Self.path)?rect=0,0,100,100", "/v1/screens/other/layout", "/livez",
                "\(Self.path)?scale=9",
            ] {
                let before = server.handler.callCount
                for _ in 0..<3 { _ = try await server.send([get(target)]) }
                #expect(server.handler.callCount == before + 3, "\(target)")
            }
        }
    }

    @Test("A write, a removal, and an expiry are seen by the next request")
    func changes() async throws {
        try await withServer { server, clock in
            for ids in [["c"], ["d", "e"]] {
                _ = try await server.send([get()])
                let page = Pages.list(ids)
                try await server.service.send(
                    "PUT", "/v1/screens/home/pages/0", page, headers: ["Broadsheet-TTL": "60"])
                let response = try await server.send([get()])[0]
                #expect(response.contains("\"id\":\"\(ids[0])\""))
            }
            clock.advance(milliseconds: 59_999)
            #expect(try await server.send([get()])[0].hasPrefix("HTTP/1.1 200 "))
            clock.advance(milliseconds: 1)
            #expect(try await server.send([get()])[0].hasPrefix("HTTP/1.1 404 "))
        }
    }

    @Test("A reload of the catalog is seen by the next request")
    func reload() async throws {
        try await withServer { server, _ in
            _ = try await server.send([get()])
            server.service.service.reload(
                catalogs: try CatalogSet(Catalog(Array(Catalogs.flatter.utf8))))
            #expect(try await server.send([get()])[0].contains("\"height\":50"))
        }
    }

    @Test("Content that the cache has dropped is not kept for repetitions")
    func eviction() async throws {
        try await withServer(layoutCacheBytes: 0) { server, _ in
            for _ in 0..<3 { _ = try await server.send([get()]) }
            #expect(server.handler.callCount == 3)
        }
    }

    @Test("Content that is repeated is not evicted as unused")
    func useOfTheCache() async throws {
        try await withServer(layoutCacheBytes: 40_000) { server, _ in
            _ = try await server.send([get()])
            for width in 400..<440 {
                _ = try await server.send([get()])
                _ = try await server.send([get("\(Self.path)?width=\(width)")])
            }
            #expect(server.handler.callCount == 41)
        }
    }

    @Test("Two requests in one packet, and a request in two, have the usual responses")
    func pieces() async throws {
        try await withServer { server, _ in
            let expected = try await server.send([get()])[0].maskingID
            let both = try await server.send([get() + get()], responses: 2)
            #expect(both.map(\.maskingID) == [expected, expected])
            for count in 1..<get().utf8.count {
                let parts = [String(get().prefix(count)), String(get().dropFirst(count))]
                #expect(try await server.send(parts)[0].maskingID == expected)
            }
        }
    }

    @Test(
        "Random requests and writes have the responses of a server that repeats none",
        arguments: 1...6)
    func random(seed: UInt64) async throws {
        // The two services evict different entries when the cache is full, so their metrics differ.
        let isCacheSmall = seed % 3 == 0
        let identity = StoreIdentity.random()
        let sinks = [MemoryLogSink(), MemoryLogSink()]
        let clocks = [ManualClock(), ManualClock()]
        var servers: [LoopbackServer] = []
        for (sink, clock) in zip(sinks, clocks) {
            let service = try await TestService(
                store: ScreenStore.inMemory(identity: identity, clock: clock.time),
                named: RandomAction.named,
                log: Log(format: .json, sink: sink, clock: clock.time), clock: clock.time,
                layoutCacheBytes: isCacheSmall ? 20_000 : 1 << 20)
            servers.append(
                try await LoopbackServer(service, clock: clock, repeats: servers.isEmpty))
        }
        var script = RandomRequests(seed: seed)
        for step in 0..<300 {
            let action = script.next()
            let result = try await action.perform(on: servers[0], clocks[0])
            let expected = try await action.perform(on: servers[1], clocks[1])
            try #require(result == expected, "seed \(seed), step \(step): \(action)")
            script.read(result)
        }
        #expect(servers[0].handler.callCount < servers[1].handler.callCount)
        if !isCacheSmall {
            var difference: String?
            // The metrics of the process have other lengths each time.
            var metricsBytes = [0, 0]
            // A client may have a response before the memory of its request is released.
            for attempt in 0..<100 where attempt == 0 || difference != nil {
                var metrics: [[Substring]] = []
                for (index, server) in servers.enumerated() {
                    let response = try await server.send([get("/metrics")])[0].maskingID
                    let body = try #require(response.split(separator: "\r\n").last)
                    metrics.append(
                        body.split(separator: "\n").map { line in
                            Self.without(metricsBytes[index], line)
                        })
                    metricsBytes[index] += body.utf8.count
                }
                try #require(metrics[0].count == metrics[1].count)
                difference = zip(metrics[0], metrics[1]).first { !isMetric($0, sameAs: $1) }
                    .map { "\($0), \($1)" }
            }
            #expect(difference == nil)
        }
        for server in servers { await server.stop() }
        // A client may have a response before its line is in the log.
        let lines = sinks.map { $0.lines.map(\.maskingTimeAndID).sorted() }
        #expect(lines[0].count == lines[1].count)
        #expect(zip(lines[0], lines[1]).first { $0 != $1 } == nil)
    }

    /// Returns whether a line of the metrics is that of another service.
    ///
    /// The sizes of layouts are estimated from the capacities of arrays. An array has a little more
    /// capacity if the allocator has no block that is as small as the array needs.
    private func isMetric(_ line: Substring, sameAs other: Substring) -> Bool {
        let (fields, others) = (line.split(separator: " "), other.split(separator: " "))
        if fields.first?.hasPrefix("process_") ?? false { return fields.first == others.first }
        guard line != other, fields.count == 2, others.count == 2, fields[0] == others[0],
            Self.estimates.contains(where: fields[0].hasPrefix),
            let value = Double(fields[1]), let expected = Double(others[1])
        else { return line == other }
        return abs(value - expected) <= expected / 20
    }

    /// Returns a line of the metrics, without the bytes of earlier responses with metrics in the
    /// sum of all.
    private static func without(_ byteCount: Int, _ line: Substring) -> Substring {
        let fields = line.split(separator: " ")
        guard fields.count == 2, fields[0] == "broadsheet_http_response_body_bytes_total",
            let sum = Double(fields[1])
        else { return line }
        return "\(fields[0]) \(sum - Double(byteCount))"
    }

    /// The names of the metrics that the estimated sizes of layouts are in.
    private static let estimates = [
        "broadsheet_layout_cache_bytes", "broadsheet_history_bytes",
        "broadsheet_memory_used_bytes",
    ]
}
