import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores
import StoreTestSupport
import Testing
import TestSupport

@testable import BroadsheetService

@Suite(
    "Keys that cannot write are shared by addresses (docs/operations.md, Expensive requests)",
    .timeLimit(.minutes(hangMinutes)))
struct SharedKeyTests {
    private static let keys = [
        "web read * never", "backend read,write * never", "metrics admin * never",
        "reports events * never",
    ]

    private static func access() throws -> AccessConfiguration {
        AccessConfiguration(keys: try KeyRing(ofLines: keys))
    }

    /// The fields of a request with a key, which the proxy has received from an address.
    private static func fields(_ key: String, from number: Int) -> HTTPHeaders {
        var headers = HTTPHeaders.key(key)
        headers.append(.forwardedFor, "203.0.113.9, 192.0.2.\(number)")
        return headers
    }

    /// The peer of the requests of a test service.
    private static func proxies() throws -> [AddressRange] {
        [try #require(AddressRange("::/128"))]
    }

    @Test("A key that can write is one client; of another key each address is one")
    func clients() throws {
        let address = try #require(IPAddress("192.0.2.1"))
        let ring = try KeyRing(ofLines: Self.keys)
        func client(_ name: String) throws -> ClientKey {
            let key = try #require(ring.keys.first { $0.name == name })
            return Caller(key: key, validity: AccessValidity()).client(at: address)
        }
        #expect(try client("backend") == .name("backend"))
        for name in ["web", "metrics", "reports"] {
            #expect(try client(name) == ClientKey(address, sharing: name))
        }
        #expect(Caller.anyone.client(at: address) == ClientKey(address))
    }

    @Test("Expensive requests of one address leave those of another with the same key their turns")
    func work() async throws {
        var limits = WorkerPool.Limits()
        (limits.perClient, limits.perKey) = (2, 3)
        let pool = try WorkerPool(threads: 1, limits: limits)
        defer { pool.shutdown() }
        let service = try await TestService(
            access: Self.access(), workers: pool, trustedProxies: Self.proxies())
        let held = [1, 1, 2].map { number in
            pool.begin(
                for: ClientKey(IPAddress("192.0.2.\(number)") ?? .unspecified, sharing: "web"))
        }
        let large = String(repeating: " ", count: Work.maxInlineBody) + #"{"pages":[]}"#
        func status(_ key: String, from number: Int) async throws -> Int {
            try await service.send(
                "POST", "/v1/layout", large, headers: Self.fields(key, from: number)
            ).status
        }
        // The key is at its bound; clients of other keys are not concerned.
        #expect(try await status("web", from: 3) == 503)
        #expect(try await status("backend", from: 1) == 200)
        held[2]?.end()
        #expect(try await status("web", from: 1) == 503)
        #expect(try await status("web", from: 2) == 200)
        for work in held[..<2] { work?.end() }
        #expect(try await status("web", from: 1) == 200)
    }

    @Test(
        "A stream, and a request that waits for changes, tries again while there is no turn",
        .timeLimit(.minutes(hangMinutes)))
    func retries() async throws {
        var limits = WorkerPool.Limits()
        limits.perClient = 1
        let pool = try WorkerPool(threads: 1, limits: limits)
        defer { pool.shutdown() }
        let sleep = ManualSleep()
        let service = try await TestService(workers: pool, sleep: sleep.sleep)
        func put(_ count: Int) async throws {
            let ids = (0..<count).map { "item \($0)" }
            let written = try await service.send(
                "PUT", "/v1/screens/home/pages/0", Pages.list(ids),
                headers: [.prefer: "return=minimal"])
            #expect(written.status < 300)
        }
        try await put(1)
        try await put(5_000)
        let held = try #require(pool.begin(for: ClientKey(.unspecified)))
        // Without a turn a request that does not wait is refused.
        #expect(try await service.send("GET", "/v1/screens/home/layout").code == "OVERLOADED")
        let reader = try await service.stream("?changes=true")
        async let changes = service.send(
            "GET", "/v1/screens/home/changes?since=1", headers: [.prefer: "wait=20"])
        // The stream opens, and makes its first event when it is read.
        await until { sleep.durations.contains(StreamGroup.retryInterval) }
        held.end()
        let ending = Task {
            while !Task.isCancelled {
                sleep.end()
                await Task.yield()
            }
        }
        #expect(try await changes.status == 200)
        #expect(try await reader.next()?.type == "tree")
        ending.cancel()
        reader.close()
    }

    @Test("Waiting requests and streams of one address leave space to others, and to other keys")
    func waits() async throws {
        let sleep = ManualSleep()
        let service = try await TestService(
            access: Self.access(), maxWaiters: 4, maxStreams: 4, trustedProxies: Self.proxies(),
            sleep: sleep.sleep)
        try await service.send(
            "PUT", "/v1/screens/home/pages/0", Pages.list(["a"]), headers: .key("backend"))
        func wait(_ key: String, from number: Int) async throws -> ReceivedResponse {
            var headers = Self.fields(key, from: number)
            headers.append(.prefer, "wait=20")
            return try await service.send(
                "GET", "/v1/screens/home/changes?since=1", headers: headers)
        }
        let observers = service.service.screens.observers
        var waiting: [Task<Int, any Error>] = []
        for (key, number) in [("web", 1), ("web", 2), ("web", 3), ("backend", 1)] {
            waiting.append(Task { try await wait(key, from: number).status })
            await until { observers.count == waiting.count }
            if waiting.count < 4 {
                #expect(try await wait("web", from: number).code == "OVERLOADED")
            }
            if waiting.count == 3 {
                #expect(try await wait("web", from: 4).code == "OVERLOADED")
            }
        }
        service.service.drain()
        for task in waiting { #expect(try await task.value == 204) }
        #expect(observers.count == 0)

        var readers: [StreamReader] = []
        for number in 1...3 {
            let fields = Self.fields("web", from: number)
            readers.append(try await service.stream(headers: fields))
            let refused = try await service.send(
                "GET", "/v1/screens/home/stream", headers: fields)
            #expect(refused.code == "OVERLOADED")
        }
        func open() async throws -> Int {
            let fields = Self.fields("web", from: 4)
            return try await service.send(
                "GET", "/v1/screens/home/stream", headers: fields
            ).status
        }
        #expect(try await open() == 503)
        readers.append(try await service.stream(headers: Self.fields("backend", from: 1)))
        readers.removeFirst().close()
        #expect(try await open() == 200)
        for reader in readers { reader.close() }
    }
}
