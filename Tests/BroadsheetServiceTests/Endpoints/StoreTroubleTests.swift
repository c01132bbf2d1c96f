import BroadsheetHTTP
import BroadsheetStores
import StoreTestSupport
import Testing

@testable import BroadsheetService

@Suite("A store in trouble: what clients and supervisors are told")
struct StoreTroubleTests {
    private let page = #"{"sections":[]}"#
    private let path = "/v1/screens/home/pages/0"

    @Test(
        "Reads and writes get 503 STORE_UNAVAILABLE with Retry-After, and all is well once it is back",
        arguments: [StoreError.unavailable("the disk is asleep"), .full("no room on /secret")])
    func away(error: StoreError) async throws {
        let store = InterceptingStore()
        let service = try await TestService(store: store)
        try await service.send("PUT", path, page)
        store.fail(with: error)
        for (method, target) in [
            ("PUT", path), ("GET", path), ("DELETE", path), ("GET", "/v1/screens"),
            ("GET", "/v1/screens/home/layout"), ("GET", "/v1/screens/home/pages"),
        ] {
            let answer = try await service.send(method, target, method == "PUT" ? page : "")
            #expect(answer.status == 503)
            #expect(answer.code == "STORE_UNAVAILABLE")
            #expect(answer.response.headers[.retryAfter] == "1")
            #expect(!answer.text.contains("secret"), "places are the operator's to know")
        }
        store.fail(with: nil)
        #expect(try await service.send("GET", path).status == 200)
    }

    @Test("What is damaged is not served: 500 without Retry-After")
    func corrupt() async throws {
        let store = InterceptingStore()
        let service = try await TestService(store: store)
        store.fail(with: .corrupt("row 7"))
        let answer = try await service.send("GET", path)
        #expect(answer.status == 500)
        #expect(answer.code == "INTERNAL")
        #expect(answer.response.headers[.retryAfter] == nil)
    }

    @Test("While it is away /readyz is 503 with Retry-After, and /livez 200")
    func health() async throws {
        let store = InterceptingStore()
        let service = try await TestService(store: store)
        #expect(try await service.send("GET", "/readyz").status == 200)
        store.fail(with: .unavailable("gone"))
        let ready = try await service.send("GET", "/readyz")
        #expect(ready.status == 503)
        #expect(ready.response.headers[.retryAfter] == "1")
        #expect(try await service.send("GET", "/livez").status == 200)
        store.fail(with: nil)
        #expect(try await service.send("GET", "/readyz").status == 200)
    }

    @Test("The log says what the store said, which the answer does not")
    func cause() {
        let problem = Problem(StoreError.unavailable("connect: refused by 10.0.0.7"))
        #expect(!problem.detail.contains("10.0.0.7"))
        #expect(problem.cause == "connect: refused by 10.0.0.7")
    }
}
