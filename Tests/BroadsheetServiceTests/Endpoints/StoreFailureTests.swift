import BroadsheetHTTP
import BroadsheetStores
import StoreTestSupport
import Testing

@testable import BroadsheetService

@Suite("Responses while the store fails")
struct StoreFailureTests {
    private let page = #"{"sections":[]}"#
    private let path = "/v1/screens/home/pages/0"

    @Test(
        "Reads and writes return 503 STORE_UNAVAILABLE with Retry-After until the store recovers",
        arguments: [StoreError.unavailable("the disk is asleep"), .full("no space on /secret")])
    func away(error: StoreError) async throws {
        let backend = InterceptingBackend()
        let service = try await TestService(store: backend.store)
        try await service.send("PUT", path, page)
        backend.fail(with: error)
        for (method, target) in [
            ("PUT", path), ("GET", path), ("DELETE", path), ("GET", "/v1/screens"),
            ("GET", "/v1/screens/home/layout"), ("GET", "/v1/screens/home/pages"),
        ] {
            let received = try await service.send(method, target, method == "PUT" ? page : "")
            #expect(received.status == 503)
            #expect(received.code == "STORE_UNAVAILABLE")
            #expect(received.response.headers[.retryAfter] == "1")
            #expect(!received.text.contains("secret"), "paths are not for clients")
        }
        backend.fail(with: nil)
        #expect(try await service.send("GET", path).status == 200)
    }

    @Test("Damaged data is not served; the response is 500 without Retry-After")
    func corrupt() async throws {
        let backend = InterceptingBackend()
        let service = try await TestService(store: backend.store)
        backend.fail(with: .corrupt("row 7"))
        let received = try await service.send("GET", path)
        #expect(received.status == 500)
        #expect(received.code == "INTERNAL")
        #expect(received.response.headers[.retryAfter] == nil)
    }

    @Test("While the store fails, /readyz is 503 with Retry-After and /livez is 200")
    func health() async throws {
        let backend = InterceptingBackend()
        let service = try await TestService(store: backend.store)
        #expect(try await service.send("GET", "/readyz").status == 200)
        backend.fail(with: .unavailable("gone"))
        let ready = try await service.send("GET", "/readyz")
        #expect(ready.status == 503)
        #expect(ready.response.headers[.retryAfter] == "1")
        #expect(try await service.send("GET", "/livez").status == 200)
        backend.fail(with: nil)
        #expect(try await service.send("GET", "/readyz").status == 200)
    }

    @Test("The cause of a store failure is in the log and not in the response")
    func cause() {
        let problem = Problem(StoreError.unavailable("connect: refused by 10.0.0.7"))
        #expect(!problem.detail.contains("10.0.0.7"))
        #expect(problem.cause == "connect: refused by 10.0.0.7")
    }
}
