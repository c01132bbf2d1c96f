import Broadsheet
import BroadsheetHTTP
import BroadsheetStores
import Testing

@testable import BroadsheetService

@Suite("The list of screens, and GET and DELETE of one (docs/api.md, Screens)")
struct ScreensTests {
    private func service(
        screens: [String], store: ScreenStore = ScreenStore.inMemory()
    ) async throws
        -> TestService
    {
        let service = try await TestService(store: store)
        for screen in screens {
            try await service.send("PUT", "/v1/screens/\(screen)/pages/0", Pages.list([]))
        }
        return service
    }

    private func names(_ received: ReceivedResponse) throws -> [String] {
        try received.json["screens"]?.elements.compactMap { $0["screen"]?.string } ?? []
    }

    @Test("The list has the names in order with revisions, and no token if it is complete")
    func list() async throws {
        let service = try await service(screens: ["b", "a", "c"])
        try await service.send("PUT", "/v1/screens/b/pages/1", Pages.list([]))
        let received = try await service.send("GET", "/v1/screens")
        #expect(received.status == 200)
        #expect(
            received.text == """
                {"screens":[{"screen":"a","revision":1},{"screen":"b","revision":2},\
                {"screen":"c","revision":1}]}
                """)
    }

    @Test("The list of an empty store is empty")
    func empty() async throws {
        let received = try await TestService().send("GET", "/v1/screens")
        #expect(received.text == #"{"screens":[]}"#)
    }

    @Test("`pageSize` and `pageToken` list every screen once")
    func pages() async throws {
        let all = (0..<23).map { "s\($0 + 10)" }
        let service = try await service(screens: all)
        for size in [1, 2, 5, 22, 23, 24] {
            var listed: [String] = []
            var token: String?
            repeat {
                let rest = token.map { "&pageToken=\($0)" } ?? ""
                let received = try await service.send("GET", "/v1/screens?pageSize=\(size)\(rest)")
                let names = try names(received)
                #expect(names.count <= size)
                listed += names
                token = try received.value("/nextPageToken")?.string
            } while token != nil
            #expect(listed == all)
        }
    }

    @Test("A prefix limits the list, and its tokens contain it")
    func prefix() async throws {
        let service = try await service(screens: ["app", "app-1", "app-2", "app.x", "b", "App"])
        let path = "/v1/screens"
        let all = try await service.send("GET", "\(path)?prefix=app")
        #expect(try names(all) == ["app", "app-1", "app-2", "app.x"])
        #expect(try names(try await service.send("GET", "\(path)?prefix=")).count == 6)
        #expect(try names(try await service.send("GET", "\(path)?prefix=..")) == [])
        let first = try await service.send("GET", "\(path)?prefix=app-&pageSize=1")
        #expect(try names(first) == ["app-1"])
        let token = try first.string("/nextPageToken")
        for prefix in ["", "&prefix=app-"] {
            let rest = try await service.send("GET", "\(path)?pageToken=\(token)\(prefix)")
            #expect(try names(rest) == ["app-2"])
            #expect(try rest.value("/nextPageToken") == nil)
        }
        for prefix in ["", "app"] {
            let other = try await service.send("GET", "\(path)?pageToken=\(token)&prefix=\(prefix)")
            #expect(other.code == "PAGE_TOKEN_MISMATCH")
        }
        for prefix in ["a/b", "%20", "%C3%A9", String(repeating: "a", count: 129)] {
            let refused = try await service.send("GET", "\(path)?prefix=\(prefix)")
            #expect(refused.code == "INVALID_PARAMETER")
            #expect(try refused.string("/detail").hasPrefix("prefix must be at most 128 of"))
        }
    }

    @Test("GET of a screen returns its revision and number of pages, with the page state's tag")
    func get() async throws {
        let service = try await service(screens: ["a"])
        try await service.send("PUT", "/v1/screens/a/pages/7", Pages.list(["x"], hasNext: true))
        try await service.send("PUT", "/v1/screens/a/pages/3", Pages.list([]))
        let received = try await service.send("GET", "/v1/screens/a")
        #expect(
            received.text
                == #"{"screen":"a","revision":3,"page":3,"pageCount":3,"hasNext":true}"#)
        let state = try await service.send("GET", "/v1/screens/a/pages")
        #expect(received.etag != nil && received.etag == state.etag)
        let again = try await service.send(
            "GET", "/v1/screens/a", headers: [.ifNoneMatch: received.etag ?? ""])
        #expect(again.status == 304)
        #expect(try await service.send("HEAD", "/v1/screens/a").etag == state.etag)
        #expect(try await service.send("GET", "/v1/screens/b").code == "SCREEN_NOT_FOUND")
    }

    @Test("A token continues after its screen even if that was removed, with any page size")
    func goneMeanwhile() async throws {
        let service = try await service(screens: ["a", "b", "c", "d"])
        let token = try await service.send("GET", "/v1/screens?pageSize=2").string("/nextPageToken")
        try await service.send("DELETE", "/v1/screens/b")
        let rest = try await service.send("GET", "/v1/screens?pageToken=\(token)")
        #expect(try names(rest) == ["c", "d"])
    }

    @Test("The list has 100 screens by default and 1000 at most")
    func sizes() async throws {
        let service = try await service(screens: (0..<120).map { "s\($0)" })
        #expect(try names(try await service.send("GET", "/v1/screens")).count == 100)
        #expect(try names(try await service.send("GET", "/v1/screens?pageSize=1000")).count == 120)
    }

    @Test(
        "A page size out of range is refused",
        arguments: ["0", "1001", "-1", "x", "", "1.5", "010"])
    func badSize(size: String) async throws {
        let received = try await TestService().send("GET", "/v1/screens?pageSize=\(size)")
        #expect(received.code == "INVALID_PARAMETER")
        #expect(try received.string("/detail").hasPrefix("pageSize must be"))
    }

    @Test("A token that is damaged, of a layout or of another store is refused")
    func badTokens() async throws {
        let service = try await service(screens: ["a", "b"])
        let good = try await service.send("GET", "/v1/screens?pageSize=1").string("/nextPageToken")
        let other = try await self.service(screens: ["a", "b"])
        try await service.send("PUT", "/v1/screens/a/pages/0", Pages.list(["x"], hasNext: true))
        let layout = try await service.send("GET", "/v1/screens/a/layout").string("/nextPageToken")
        for token in [String(good.dropLast()), good + "A", layout, ""] {
            let received = try await service.send("GET", "/v1/screens?pageToken=\(token)")
            #expect(received.code == "INVALID_PAGE_TOKEN", "\(token)")
        }
        #expect(
            try await other.send("GET", "/v1/screens?pageToken=\(good)").code
                == "INVALID_PAGE_TOKEN")
        #expect(
            try await service.send("GET", "/v1/screens/a/layout?pageToken=\(good)").code
                == "INVALID_PAGE_TOKEN")
    }

    @Test("DELETE of a screen returns 204, and 404 once it is removed")
    func delete() async throws {
        let service = try await service(screens: ["a", "b"])
        let removed = try await service.send("DELETE", "/v1/screens/a")
        #expect(removed.status == 204)
        #expect(removed.etag == nil)
        #expect(try names(try await service.send("GET", "/v1/screens")) == ["b"])
        for (method, path) in [("DELETE", ""), ("GET", ""), ("GET", "/layout"), ("GET", "/pages")] {
            let received = try await service.send(method, "/v1/screens/a\(path)")
            #expect(received.status == 404)
            #expect(received.code == "SCREEN_NOT_FOUND")
        }
    }

    @Test("A recreated screen never repeats a revision, so an old If-Match does not match")
    func recreated() async throws {
        let service = try await service(screens: ["a"])
        try await service.send("DELETE", "/v1/screens/a")
        let recreated = try await service.send("PUT", "/v1/screens/a/pages/0", Pages.list([]))
        #expect(recreated.status == 201)
        #expect(recreated.etag == "\"r2\"")
        let stale = try await service.send(
            "PUT", "/v1/screens/a/pages/0", Pages.list([]), headers: [.ifMatch: "\"r1\""])
        #expect(stale.status == 412)
    }
}
