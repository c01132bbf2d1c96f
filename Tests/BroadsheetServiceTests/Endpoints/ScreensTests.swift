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

    @Test("The list has 100 screens by default and 1000 at most")
    func sizes() async throws {
        let service = try await service(screens: (0..<120).map { "s\($0)" })
        #expect(try names(try await service.send("GET", "/v1/screens")).count == 100)
        #expect(try names(try await service.send("GET", "/v1/screens?pageSize=1000")).count == 120)
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
}
