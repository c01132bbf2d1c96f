import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores
import Synchronization
import Testing

@testable import BroadsheetService

/// A clock that tests set.
private final class Calendar: Sendable {
    private let now = Mutex<Int64>(1_000_000)

    var clock: TimeSource { TimeSource(unixMilliseconds: { [self] in now.withLock { $0 } }) }

    func pass(seconds: Int64) { now.withLock { $0 += seconds * 1000 } }
}

@Suite("Lifetimes of screens: Broadsheet-TTL and --screen-ttl")
struct LifetimeTests {
    private let page = #"{"sections":[]}"#
    private let path = "/v1/screens/home/pages/0"
    private let calendar = Calendar()

    private func service(_ lifetime: ScreenLifetime = .unchanged) async throws -> TestService {
        try await TestService(
            store: ScreenStore.inMemory(clock: calendar.clock), lifetime: lifetime)
    }

    @Test("A screen is removed after the lifetime that its write set")
    func seconds() async throws {
        let service = try await service()
        let put = try await service.send("PUT", path, page, headers: ["Broadsheet-TTL": "60"])
        #expect(put.status == 201)
        calendar.pass(seconds: 59)
        #expect(try await service.send("GET", path).status == 200)
        calendar.pass(seconds: 1)
        #expect(try await service.send("GET", path).code == "SCREEN_NOT_FOUND")
        let again = try await service.send("PUT", path, page)
        #expect(again.status == 201)
        #expect(again.etag == "\"r2\"", "a revision is never repeated")
    }

    @Test("A write without the header does not change the lifetime")
    func asBefore() async throws {
        let service = try await service()
        try await service.send("PUT", path, page, headers: ["Broadsheet-TTL": "60"])
        calendar.pass(seconds: 40)
        try await service.send("PUT", path, page)
        calendar.pass(seconds: 20)
        #expect(try await service.send("GET", path).status == 404)
    }

    @Test("Removing the pages of a screen without pages is a write only if it sets a lifetime")
    func emptied() async throws {
        let service = try await service(.seconds(60))
        try await service.send("PUT", path, page)
        let pages = "/v1/screens/home/pages"
        #expect(try await service.send("DELETE", pages).etag == "\"r2\"")
        #expect(try await service.send("DELETE", pages).etag == "\"r2\"")
        let said = try await service.send("DELETE", pages, headers: ["Broadsheet-TTL": "10"])
        #expect(said.status == 204)
        #expect(said.etag == "\"r3\"")
        calendar.pass(seconds: 10)
        #expect(try await service.send("GET", pages).code == "SCREEN_NOT_FOUND")
    }

    @Test("With --screen-ttl every write sets the lifetime again, unless its header sets another")
    func standard() async throws {
        let service = try await service(.seconds(60))
        try await service.send("PUT", path, page)
        calendar.pass(seconds: 40)
        try await service.send("PUT", path, page)
        calendar.pass(seconds: 40)
        #expect(try await service.send("GET", path).status == 200)
        try await service.send("DELETE", path, headers: ["Broadsheet-TTL": "none"])
        calendar.pass(seconds: 1_000_000)
        #expect(try await service.send("GET", "/v1/screens/home/pages").status == 200)
    }

    @Test(
        "An invalid lifetime is refused, and nothing is changed",
        arguments: ["0", "-1", "+5", "1.5", "1e3", "", "indefinite", "None", "315360001", "05"])
    func invalid(value: String) async throws {
        let service = try await service()
        for method in ["PUT", "DELETE"] {
            let received = try await service.send(
                method, path, method == "PUT" ? page : "", headers: ["Broadsheet-TTL": value])
            #expect(received.code == "INVALID_PARAMETER")
            #expect(received.text.contains("Broadsheet-TTL"))
        }
        #expect(try await service.send("GET", path).status == 404)
    }

    @Test("A repeated header is refused")
    func twice() async throws {
        var headers = HTTPHeaders()
        headers.append("Broadsheet-TTL", "5")
        headers.append("Broadsheet-TTL", "6")
        let received = try await service().send("PUT", path, page, headers: headers)
        #expect(received.code == "INVALID_PARAMETER")
    }
}
