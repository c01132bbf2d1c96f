import Broadsheet
import BroadsheetHTTP
import BroadsheetStores
import Testing

@testable import BroadsheetService

@Suite("Limits across a screen (docs/cli.md)")
struct LimitTests {
    private static let tight = ScreenLimits(maxSections: 3, maxItems: 5, maxPages: 4)

    private func service() async throws -> TestService {
        let service = try await TestService(limits: Self.tight)
        try await service.send("PUT", "/v1/screens/home/pages/0", Pages.list(["a", "b"]))
        return service
    }

    private func expectRefusal(_ received: ReceivedResponse, flag: String, limit: Int) throws {
        #expect(received.status == 422)
        #expect(received.code == "INVALID_CONTRACT")
        #expect(try received.string("/detail").contains(flag))
        #expect(try received.string("/detail").contains("\(limit)"))
        #expect(try received.errors.count == 1)
    }

    @Test("A refused screen is not created")
    func noTrace() async throws {
        let service = try await TestService(limits: ScreenLimits(maxPages: 0))
        let received = try await service.send("PUT", "/v1/screens/home/pages/0", Pages.list([]))
        try expectRefusal(received, flag: "--max-pages", limit: 0)
        #expect(try await service.send("GET", "/v1/screens/home/pages").code == "SCREEN_NOT_FOUND")
        #expect(try await service.send("GET", "/v1/screens").text == #"{"screens":[]}"#)
    }
}
