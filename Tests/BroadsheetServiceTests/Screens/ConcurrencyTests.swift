import Broadsheet
import BroadsheetHTTP
import BroadsheetStores
import Testing

@testable import BroadsheetService

@Suite("Concurrent writers and readers")
struct ConcurrencyTests {
    @Test("Concurrent writers of one screen lose no update: every page exists, every revision once")
    func noLostUpdate() async throws {
        let service = try await TestService()
        let tags = try await withThrowingTaskGroup(of: [String].self) { group in
            for writer in 0..<8 {
                group.addTask {
                    var tags: [String] = []
                    for page in 0..<20 {
                        let response = try await service.send(
                            "PUT", "/v1/screens/home/pages/\(writer * 20 + page)",
                            Pages.list(["w\(writer)p\(page)"]), headers: [.prefer: "return=minimal"]
                        )
                        #expect(response.status == 201)
                        tags.append(response.etag ?? "")
                    }
                    return tags
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(tags) == Set((1...160).map { "\"r\($0)\"" }))
        let state = try await service.send("GET", "/v1/screens/home/pages")
        #expect(try state.number("/pageCount") == 160)
        #expect(try state.number("/revision") == 160)
    }

    @Test("POST without page numbers gives each page its own number")
    func posts() async throws {
        let service = try await TestService()
        let places = try await withThrowingTaskGroup(of: String.self) { group in
            for writer in 0..<50 {
                group.addTask {
                    let response = try await service.send(
                        "POST", "/v1/screens/home/pages", Pages.list(["w\(writer)"]))
                    return response.response.headers[.location] ?? ""
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(places == Set((0..<50).map { "/v1/screens/home/pages/\($0)" }))
    }

    @Test("Loops of GET and PUT with If-Match lose no increment", arguments: [false, true])
    func compareAndSet(twoDaemons: Bool) async throws {
        let store = ScreenStore.inMemory()
        let one = try await TestService(store: store)
        let two = twoDaemons ? try await TestService(store: store) : one
        let path = "/v1/screens/counter/pages/0"
        try await one.send("PUT", path, Self.counter(0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<6 {
                group.addTask {
                    for _ in 0..<10 { try await Self.increment(path, writer % 2 == 0 ? one : two) }
                }
            }
            try await group.waitForAll()
        }
        let page = try await one.send("GET", path)
        #expect(try page.number("/count") == 60)
        #expect(try await two.send("GET", "/v1/screens/counter/pages").number("/revision") == 61)
    }

    private static func counter(_ count: Int) -> String {
        "{\"count\":\(count),\"sections\":[]}"
    }

    /// Increments the count by a GET and a PUT with If-Match, and repeats both after a conflict.
    private static func increment(_ path: String, _ service: TestService) async throws {
        while true {
            let tag = try #require(
                try await service.send("GET", "/v1/screens/counter/pages").etag)
            let count = Int(try await service.send("GET", path).number("/count"))
            let response = try await service.send(
                "PUT", path, counter(count + 1), headers: [.ifMatch: tag])
            if response.status == 200 { return }
            #expect(response.status == 412)
        }
    }

    @Test("Readers see complete revisions in ascending order while a writer writes")
    func readers() async throws {
        let service = try await TestService()
        let path = "/v1/screens/home"
        try await service.send("PUT", "\(path)/pages/0", Pages.list(["p0"]))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for page in 1..<60 {
                    try await service.send("PUT", "\(path)/pages/\(page)", Pages.list(["p\(page)"]))
                }
            }
            for _ in 0..<4 {
                group.addTask {
                    var last = 0.0
                    for _ in 0..<40 {
                        let tree = try await service.send("GET", "\(path)/layout?pages=all")
                        let revision = try tree.number("/revision")
                        #expect(revision >= last)
                        #expect(try tree.number("/pageCount") == revision)
                        #expect(try tree.itemIds[0].count == Int(revision))
                        last = revision
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("Removed screens use no memory")
    func removedScreens() async throws {
        let service = try await TestService()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<8 {
                group.addTask {
                    for _ in 0..<20 {
                        try await service.send(
                            "PUT", "/v1/screens/s/pages/\(writer)", Pages.list([]))
                        try await service.send("GET", "/v1/screens/s/layout")
                        try await service.send("DELETE", "/v1/screens/s")
                    }
                }
            }
            try await group.waitForAll()
        }
        try await service.send("DELETE", "/v1/screens/s")
        try await service.send("GET", "/v1/screens/s/layout")
        let metrics = try await service.send("GET", "/metrics")
        #expect(metrics.text.contains("broadsheet_screens_in_memory 0.0\n"))
    }

    @Test("Writes and removals of another daemon on the same store are visible immediately")
    func twoDaemons() async throws {
        let store = ScreenStore.inMemory()
        let one = try await TestService(store: store)
        let two = try await TestService(store: store)
        for page in 0..<6 {
            let writer = page % 2 == 0 ? one : two
            let reader = page % 2 == 0 ? two : one
            try await writer.send("PUT", "/v1/screens/home/pages/\(page)", Pages.list(["p\(page)"]))
            let tree = try await reader.send("GET", "/v1/screens/home/layout?pages=all")
            #expect(try tree.itemIds[0].count == page + 1)
            #expect(
                tree.text
                    == (try await writer.send("GET", "/v1/screens/home/layout?pages=all").text))
        }
        try await one.send("DELETE", "/v1/screens/home/pages/3")
        #expect(try await two.send("GET", "/v1/screens/home/pages").number("/pageCount") == 5)
        try await two.send("DELETE", "/v1/screens/home")
        #expect(try await one.send("GET", "/v1/screens/home/pages").status == 404)
    }
}
