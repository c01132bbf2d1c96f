import BroadsheetHTTP
import BroadsheetStores
import StoreTestSupport
import Testing

@testable import BroadsheetService

@Suite("Writes that are too large for the store")
struct StoreLimitTests {
    private static let limit = 1000
    private static let path = "/v1/screens/home"
    private static let page =
        #"{"sections":[],"x":""# + String(repeating: "x", count: limit) + #""}"#

    /// Returns a store that refuses writes above the limit.
    private static func backend() -> InterceptingBackend {
        InterceptingBackend { call, _ throws(StoreError) in
            guard case .apply(let batch) = call, batch.pageBytes > Self.limit else { return }
            throw .tooLarge(byteCount: batch.pageBytes, limit: Self.limit)
        }
    }

    @Test(
        "A write above the limit of the store is 422 SCREEN_TOO_LARGE, and changes nothing",
        arguments: [
            ("PUT", "\(path)/pages/0", page), ("POST", "\(path)/pages", page),
            ("PUT", path, #"{"pages":[\#(page)]}"#),
        ])
    func response(method: String, target: String, body: String) async throws {
        let service = try await TestService(store: Self.backend().store)
        try await service.send("PUT", "\(Self.path)/pages/0", #"{"sections":[]}"#)
        let before = try await service.send("GET", "\(Self.path)/pages/0")
        let refused = try await service.send(method, target, body)
        #expect(refused.status == 422)
        #expect(refused.code == "SCREEN_TOO_LARGE")
        #expect(refused.text.contains("the limit of the store is \(Self.limit)"))
        #expect(refused.response.headers[.retryAfter] == nil)
        let after = try await service.send("GET", "\(Self.path)/pages/0")
        #expect(after.status == 200 && after.text == before.text && after.etag == before.etag)
    }

    @Test("It is not a failure of the store: writes count as possible, and none is tried for it")
    func status() async throws {
        let backend = Self.backend()
        let service = try await TestService(store: backend.store)
        #expect(try await service.send("PUT", "\(Self.path)/pages/0", Self.page).status == 422)
        #expect(try await service.metric("broadsheet_store_writable") == 1)
        #expect(try await service.metric("broadsheet_store_failures_total") == 0)
        let hasChecked = backend.hasCheckedWrites
        #expect(!hasChecked)
        #expect(try await service.send("GET", "/readyz?writes=true").status == 200)
    }
}
