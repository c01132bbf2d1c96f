import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import TestSupport
import Testing

@testable import BroadsheetService

@Suite("Compression (docs/api.md, Compression)", .timeLimit(.minutes(hangMinutes)))
struct CompressionTests {
    private static let page = "/v1/screens/home/pages/0"
    private static let gzip: HTTPHeaders = [.acceptEncoding: "gzip"]
    /// Targets of GET whose content is compressed; those with a tag, first.
    private static let tagged = [
        "/v1/screens/home/layout", "/v1/screens/home/layout?pages=all&width=768",
        "/v1/screens/home/layout?rect=0,0,390,844", "/v1/screens/home/layout.svg", page,
    ]
    private static let untagged = ["/openapi.json", "/metrics"]

    private func service(_ workers: WorkerPool? = nil) async throws -> TestService {
        let service = try await TestService(workers: workers)
        try await service.send("PUT", Self.page, Pages.list((0..<60).map { "item \($0)" }))
        return service
    }

    /// Requests a target plain and compressed, and checks both against each other.
    private func compare(
        _ service: TestService, _ method: String, _ target: String, _ body: String = ""
    ) async throws -> ReceivedResponse {
        let plain = try await service.send(method, target, body)
        let coded = try await service.send(method, target, body, headers: Self.gzip)
        #expect(coded.status == plain.status)
        #expect(plain.response.headers[.contentEncoding] == nil)
        #expect(coded.response.headers[.contentEncoding] == "gzip", "\(target)")
        for response in [plain, coded] {
            #expect(response.response.headers.values(of: .vary).contains("Accept-Encoding"))
        }
        #expect(coded.response.contentLength == coded.body.count)
        #expect(coded.body.count < plain.body.count)
        // Problems and metrics differ from one request to the next.
        let content = try gunzip(coded.body)
        if plain.code == nil, target != "/metrics" { #expect(content == plain.body, "\(target)") }
        return coded
    }

    @Test(
        "A client that accepts gzip receives the same content compressed, with a tag of its own",
        arguments: tagged)
    func reads(target: String) async throws {
        let service = try await service()
        let tag = try #require(try await service.send("GET", target).etag)
        // The second time from the cache.
        for _ in 0..<2 {
            let coded = try await compare(service, "GET", target)
            #expect(coded.etag == "\(tag.dropLast())-gzip\"")
            let head = try await service.send("HEAD", target, headers: Self.gzip)
            #expect(
                head.response.headers.filter { $0.name != "X-Request-Id" }.map(\.value)
                    == coded.response.headers.filter { $0.name != "X-Request-Id" }.map(\.value))
            #expect(head.response.contentLength == coded.body.count)
        }
    }

    @Test("Responses without a tag of a representation are compressed too", arguments: untagged)
    func others(target: String) async throws {
        _ = try await compare(try await service(), "GET", target)
    }

    @Test("Compositions, the trees after writes, and long problems are compressed")
    func writes() async throws {
        let service = try await service()
        let list = Pages.list((0..<60).map { "item \($0)" })
        _ = try await compare(service, "POST", "/v1/layout", list)
        let invalid = "[\(Array(repeating: "1", count: 100).joined(separator: ","))]"
        let problem = try await compare(
            service, "POST", "/v1/layout?pretty=true", #"{"sections":\#(invalid)}"#)
        #expect(problem.status == 422)
        let written = try await service.send("PUT", Self.page, list, headers: Self.gzip)
        #expect(written.response.headers[.contentEncoding] == "gzip")
        #expect(written.etag == "\"r2\"", "the tag of the revision has no forms")
        #expect(try JSONDocument(gunzip(written.body)).root["revision"]?.double == 2)
    }

    @Test("A content below the minimum is never compressed, and does not vary")
    func tiny() async throws {
        let service = try await service()
        for (count, isCompressed) in [
            (Compression.minBytes - 1, false), (Compression.minBytes, true),
        ] {
            let body = #"{"sections":[]}"#.padding(toBytes: count)
            try await service.send("PUT", Self.page, body)
            for accepted in ["gzip", "gzip, identity;q=0"] {
                let read = try await service.send(
                    "GET", Self.page, headers: [.acceptEncoding: accepted])
                #expect((read.response.headers[.contentEncoding] == "gzip") == isCompressed)
                #expect((read.response.headers[.vary] == "Accept-Encoding") == isCompressed)
                #expect(read.etag?.hasSuffix("-gzip\"") == isCompressed)
            }
        }
        for target in ["/livez", "/v1/screens/none", "/v1/screens/home/pages/0?wrong=1"] {
            let small = try await service.send("GET", target, headers: Self.gzip)
            #expect(small.response.headers[.contentEncoding] == nil)
            #expect(small.response.headers[.vary] == nil)
        }
    }

    @Test(
        "If-None-Match matches the tag of the form that the client would receive", arguments: tagged
    )
    func notModified(target: String) async throws {
        let service = try await service()
        let plain = try #require(try await service.send("GET", target).etag)
        let coded = try #require(try await service.send("GET", target, headers: Self.gzip).etag)
        let cases: [(tag: String, accepted: String, received: String?)] = [
            (plain, "", plain), (coded, "", nil), (plain, "gzip", nil), (coded, "gzip", coded),
            ("W/\(coded)", "gzip", coded), ("\(plain), \(coded)", "gzip", coded),
            ("\(plain), \(coded)", "identity", plain), ("*", "gzip", coded), ("*", "", plain),
            (coded, "gzip;q=0", nil), ("\"x\"", "gzip", nil),
        ]
        for method in ["GET", "HEAD"] {
            for (tag, accepted, received) in cases {
                let response = try await service.send(
                    method, target, headers: [.ifNoneMatch: tag, .acceptEncoding: accepted])
                #expect(response.status == (received == nil ? 200 : 304), "\(tag) \(accepted)")
                if let received { #expect(response.etag == received) }
                let vary = response.response.headers.values(of: .vary)
                #expect(vary.contains("Accept-Encoding"))
            }
        }
    }

    @Test("A client that accepts gzip and has a small plain content receives 304 with its tag")
    func notModifiedPlain() async throws {
        let service = try await TestService()
        try await service.send("PUT", Self.page, #"{"sections":[]}"#)
        for target in ["/v1/screens/home/layout", "/v1/screens/home", Self.page] {
            let tag = try #require(try await service.send("GET", target, headers: Self.gzip).etag)
            #expect(!tag.contains("-gzip"))
            for value in [tag, "*"] {
                let response = try await service.send(
                    "GET", target, headers: [.ifNoneMatch: value, .acceptEncoding: "gzip"])
                #expect(response.status == 304 && response.etag == tag)
            }
        }
    }

    @Test("If-Match takes the tags of both forms, of reads and of writes (RFC 9110 §13.1.1)")
    func ifMatch() async throws {
        let service = try await service()
        for target in Self.tagged {
            let coded = try #require(
                try await service.send("GET", target, headers: Self.gzip).etag)
            for accepted in ["gzip", ""] {
                let headers: HTTPHeaders = [.ifMatch: coded, .acceptEncoding: accepted]
                #expect(try await service.send("GET", target, headers: headers).status == 200)
                let weak: HTTPHeaders = [.ifMatch: "W/\(coded)", .acceptEncoding: accepted]
                #expect(try await service.send("GET", target, headers: weak).status == 412)
            }
        }
        let list = Pages.list((0..<60).map { "item \($0)" })
        for target in [Self.page, "/v1/screens/home/pages"] {
            let tag = try #require(try await service.send("GET", target).etag)
            for form in [tag, "\(tag.dropLast())-gzip\""] {
                let current = try #require(try await service.send("GET", target).etag)
                let isCurrent = form == current || form == "\(current.dropLast())-gzip\""
                let write = try await service.send(
                    "PUT", Self.page, list, headers: [.ifMatch: form])
                #expect(write.status == (isCurrent ? 200 : 412), "\(target) \(form)")
            }
            let stale = try await service.send(
                "PUT", Self.page, list, headers: [.ifMatch: "\(tag.dropLast())-gzip\""])
            #expect(stale.status == 412)
            let now = try #require(try await service.send("GET", target).etag)
            let coded = try await service.send(
                "PUT", Self.page, list, headers: [.ifMatch: "\(now.dropLast())-gzip\""])
            #expect(coded.status == 200)
            let unchanged = try #require(try await service.send("GET", target).etag)
            let refused = try await service.send(
                "PUT", Self.page, list,
                headers: [.ifNoneMatch: "\(unchanged.dropLast())-gzip\""])
            #expect(refused.status == 412)
        }
    }
}

@Suite("The work of compression", .timeLimit(.minutes(hangMinutes)))
struct CompressionWorkTests {
    private static let layout = "/v1/screens/home/layout"
    private static let gzip: HTTPHeaders = [.acceptEncoding: "gzip"]

    @Test("A large tree is compressed as a whole, and the cache keeps its compressed bytes")
    func large() async throws {
        let service = try await TestService()
        let ids = (0..<4_000).map { "\($0) " + String(repeating: "x", count: 150) }
        try await service.send("PUT", "/v1/screens/home/pages/0", Pages.list(ids))
        let plain = try await service.send("GET", Self.layout)
        #expect(plain.response.source != nil)
        let coded = try await service.send("GET", Self.layout, headers: Self.gzip)
        #expect(coded.response.source == nil)
        #expect(try gunzip(coded.body) == plain.body)
        #expect(coded.body.count * 5 < plain.body.count)
        let again = try await service.send("GET", Self.layout, headers: Self.gzip)
        #expect(again.body == coded.body && again.response.repeatable != nil)
        let composed = try await service.send(
            "POST", "/v1/layout", Pages.list(ids), headers: Self.gzip)
        #expect(composed.response.headers[.contentEncoding] == "gzip")
    }

    @Test("Compressed bytes count in the cache, beside the plain ones, and are dropped with them")
    func cache() async throws {
        let service = try await TestService()
        let cache = service.service.renderer.cache
        let ids = (0..<60).map { "item \($0)" }
        try await service.send("PUT", "/v1/screens/home/pages/0", Pages.list(ids))
        let plain = try await service.send("GET", Self.layout)
        let (bytes, count) = (cache.byteCount, cache.count)
        let coded = try await service.send("GET", Self.layout, headers: Self.gzip)
        #expect(cache.count == count + 1)
        #expect(cache.byteCount == bytes + coded.body.count + LayoutCache.entryOverhead)
        #expect(try await service.send("GET", Self.layout).body == plain.body)
        try await service.send("PUT", "/v1/screens/home/pages/0", Pages.list(["a"]))
        _ = try await service.send("GET", Self.layout)
        #expect(cache.byteCount < bytes)
    }

    @Test("An event loop never compresses; while no thread is free, what is cached is at hand")
    func workers() async throws {
        let blocked = try await BlockedService()
        defer { blocked.end() }
        let page = Array(Pages.list((0..<60).map { "item \($0)" }).utf8)
        _ = try await blocked.start("PUT", "/v1/screens/home/pages/0", page).value
        #expect(try await blocked.start("GET", Self.layout).value.status == 200)
        let misses = [
            blocked.start("GET", Self.layout, headers: Self.gzip),
            blocked.start("POST", "/v1/layout", page, headers: Self.gzip),
        ]
        await blocked.waitForQueue(of: misses.count)
        await blocked.release()
        for miss in misses {
            #expect(try await miss.value.response.headers[.contentEncoding] == "gzip")
        }
        let starts = Recorder<UInt64>()
        blocked.pool.observeStarts { starts.record($0) }
        let hit = try await blocked.start("GET", Self.layout, headers: Self.gzip).value
        #expect(hit.response.headers[.contentEncoding] == "gzip" && starts.count == 0)
    }

    @Test("What does not change while the daemon runs is compressed once")
    func constants() async throws {
        let path = "/openapi.json"
        let blocked = try await BlockedService(isBlocked: false)
        defer { blocked.end() }
        let starts = Recorder<UInt64>()
        blocked.pool.observeStarts { starts.record($0) }
        let first = try await blocked.start("GET", path, headers: Self.gzip).value
        #expect(first.response.headers[.contentEncoding] == "gzip")
        #expect(first.response.headers[.vary] == "Accept-Encoding")
        let begun = starts.count
        #expect(begun > 0)
        let second = try await blocked.start("GET", path, headers: Self.gzip).value
        #expect(second.body == first.body && starts.count == begun)
        let plain = try await blocked.start("GET", path).value
        #expect(try gunzip(second.body) == plain.body)

        let catalog = Catalogs.shop.padding(toBytes: Compression.minBytes)
        let service = try await TestService(catalog: catalog)
        let read = try await service.send("GET", "/v1/catalog", headers: Self.gzip)
        #expect(try gunzip(read.body) == Array(catalog.utf8))
        service.service.reload(catalogs: try CatalogSet(Catalog(Array(Catalogs.flatter.utf8))))
        let other = try await service.send("GET", "/v1/catalog", headers: Self.gzip)
        #expect(other.text == Catalogs.flatter)
    }

    @Test("While too much work waits, responses remain plain instead of being refused")
    func overloaded() async throws {
        var limits = WorkerPool.Limits()
        limits.total = 1
        let blocked = try await BlockedService(limits: limits)
        defer { blocked.end() }
        let page = Array(Pages.list((0..<60).map { "item \($0)" }).utf8)
        _ = try await blocked.start("PUT", "/v1/screens/home/pages/0", page).value
        let plain = try await blocked.start("GET", Self.layout, headers: Self.gzip).value
        #expect(plain.status == 200 && plain.response.headers[.contentEncoding] == nil)
        #expect(plain.response.headers[.vary] == "Accept-Encoding")
        await blocked.release()
        let coded = try await blocked.start("GET", Self.layout, headers: Self.gzip).value
        #expect(coded.response.headers[.contentEncoding] == "gzip")
    }

    @Test("What does not become smaller, or is too large, remains plain unless that is refused")
    func notWorthwhile() async throws {
        let metrics = ServiceMetrics()
        let work = Work(
            pool: nil, client: ClientKey(.unspecified), metrics: metrics, in: .unlimited)
        var random = SeededGenerator(seed: 7)
        func noise(_ count: Int) -> LayoutContent {
            .bytes(
                (0..<count / 8).flatMap { _ in withUnsafeBytes(of: random.next(), Array.init) })
        }
        func isPlain(
            _ content: LayoutContent, _ preference: CodingPreference
        ) async throws -> Bool {
            let result = try await Compression.compress(
                content, for: preference, work.withOwnMemory())
            return if case .plain = result { true } else { false }
        }
        let small = noise(2048)
        #expect(try await isPlain(small, .gzip))
        #expect(try await !isPlain(small, .gzipOnly))
        let large = noise(Compression.maxBytes)
        #expect(try await isPlain(large, .gzipOnly))
    }
}

extension String {
    /// Returns a text of `count` bytes, with spaces at its end.
    fileprivate func padding(toBytes count: Int) -> String {
        self + String(repeating: " ", count: max(0, count - utf8.count))
    }
}
