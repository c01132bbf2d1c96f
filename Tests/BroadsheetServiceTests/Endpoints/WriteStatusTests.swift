import BroadsheetHTTP
import BroadsheetStores
import StoreTestSupport
import Synchronization
import Testing

@testable import BroadsheetService

/// A store in memory whose writes fail from a size on.
private final class FullStore: Sendable {
    private let limit = Mutex<Int?>(nil)
    private let isOfOneScreen: Bool
    let checks = Mutex<[Int]>([])

    /// - Parameter isOfOneScreen: A Boolean value that indicates whether checks succeed.
    init(isOfOneScreen: Bool = false) { self.isOfOneScreen = isOfOneScreen }

    /// Makes writes of at least `bytes` bytes fail, or none.
    func fail(from bytes: Int?) { limit.withLock { $0 = bytes } }

    var store: ScreenStore {
        let backend = InterceptingBackend { [self] call, _ throws(StoreError) in
            let size: Int
            switch call {
            case .apply(let batch): size = batch.pageBytes
            case .checkWrites(let bytes):
                checks.withLock { $0.append(bytes) }
                guard !isOfOneScreen else { return }
                size = bytes
            default: return
            }
            guard let limit = limit.withLock({ $0 }), size >= limit else { return }
            throw .full("no space for \(size) bytes")
        }
        return backend.store
    }
}

@Suite("Whether writes to the store succeed")
struct WriteStatusTests {
    private let page = #"{"sections":[]}"#
    private let path = "/v1/screens/home/pages/0"

    private func page(ofBytes count: Int) -> String {
        #"{"sections":[],"x":""# + String(repeating: "x", count: count) + #""}"#
    }

    private func isWritable(_ service: TestService) async throws -> Bool {
        try await service.send("GET", "/metrics").text.contains("\nbroadsheet_store_writable 1")
    }

    @Test("While writes fail, /readyz is 200, /readyz?writes=true is 503, and the metric is 0")
    func failing() async throws {
        let full = FullStore()
        let service = try await TestService(store: full.store)
        #expect(try await service.send("GET", "/readyz?writes=true").status == 200)
        #expect(try await isWritable(service))
        full.fail(from: 0)
        #expect(try await service.send("PUT", path, page).status == 503)
        #expect(try await !isWritable(service))
        for (target, status) in [
            ("/readyz", 200), ("/readyz?writes=false", 200), ("/readyz?writes=true", 503),
        ] {
            let response = try await service.send("GET", target)
            #expect(response.status == status, "\(target)")
            #expect((response.response.headers[.retryAfter] == "1") == (status == 503))
        }
        full.fail(from: nil)
        #expect(try await service.send("GET", "/readyz?writes=true").status == 200)
        #expect(try await isWritable(service))
    }

    @Test("Writes are checked also before a client has written, and HEAD is checked too")
    func withoutWrites() async throws {
        let full = FullStore()
        let service = try await TestService(store: full.store)
        full.fail(from: WriteStatus.usualCheckBytes)
        #expect(try await service.send("HEAD", "/readyz?writes=true").status == 503)
        #expect(try await service.send("HEAD", "/readyz").status == 200)
    }

    @Test("A value of writes other than true and false is INVALID_PARAMETER", arguments: ["", "1"])
    func invalidValue(value: String) async throws {
        let service = try await TestService()
        let response = try await service.send("GET", "/readyz?writes=\(value)")
        #expect(response.status == 400)
        #expect(response.code == "INVALID_PARAMETER")
    }

    @Test("The failure and the recovery are logged once each, however many writes fail")
    func loggedOnce() async throws {
        let full = FullStore()
        let sink = MemoryLogSink()
        let service = try await TestService(store: full.store, log: Log(format: .json, sink: sink))
        for _ in 0..<3 {
            full.fail(from: 0)
            for _ in 0..<5 { #expect(try await service.send("PUT", path, page).status == 503) }
            full.fail(from: nil)
            for _ in 0..<5 { #expect(try await service.send("PUT", path, page).status < 300) }
        }
        let failures = sink.lines.filter { $0.contains("writes to the store fail") }
        #expect(failures.count == 3)
        #expect(failures.allSatisfy { $0.contains(#""level":"error""#) })
        #expect(failures.allSatisfy { $0.contains("no space for") })
        #expect(sink.lines.count { $0.contains("writes to the store succeed again") } == 3)
    }

    @Test("Smaller writes do not end the failure of larger ones; as large a write or check does")
    func sizes() async throws {
        let full = FullStore()
        let sink = MemoryLogSink()
        let service = try await TestService(store: full.store, log: Log(format: .json, sink: sink))
        full.fail(from: 10_000)
        let large = page(ofBytes: 20_000)
        for _ in 0..<3 {
            #expect(try await service.send("PUT", path, large).status == 503)
            #expect(try await service.send("PUT", path, page).status < 300)
        }
        #expect(try await !isWritable(service))
        #expect(sink.lines.count { $0.contains("writes to the store") } == 1)
        full.fail(from: nil)
        #expect(try await service.send("PUT", path, large).status < 300)
        #expect(try await isWritable(service))
        #expect(full.checks.withLock { $0.allSatisfy { $0 <= WriteStatus.maxCheckBytes } })
    }

    @Test("A removal that was refused, and then succeeds, does not show that pages can be stored")
    func removals() async throws {
        let full = FullStore()
        let service = try await TestService(store: full.store)
        #expect(try await service.send("PUT", path, page).status == 201)
        full.fail(from: 0)
        #expect(try await service.send("PUT", path, page).status == 503)
        #expect(try await service.send("DELETE", "/v1/screens/home").status == 503)
        // Removals succeed, and no page does.
        full.fail(from: 1)
        #expect(try await service.send("GET", "/readyz?writes=true").status == 503)
        #expect(try await !isWritable(service))
        #expect(try await service.send("DELETE", "/v1/screens/home").status == 204)
        #expect(try await service.send("PUT", path, page).status == 503)
        #expect(try await service.send("GET", "/readyz?writes=true").status == 503)
        #expect(try await !isWritable(service))
        full.fail(from: nil)
        #expect(try await service.send("GET", "/readyz?writes=true").status == 200)
        #expect(try await isWritable(service))
    }

    @Test("Writes succeed again from the largest size that has failed, and not from the smallest")
    func largest() async throws {
        let full = FullStore()
        let service = try await TestService(store: full.store)
        full.fail(from: 0)
        for count in [100, 100_000, 10_000] {
            #expect(try await service.send("PUT", path, page(ofBytes: count)).status == 503)
        }
        full.fail(from: 50_000)
        #expect(try await service.send("PUT", path, page(ofBytes: 10_000)).status == 201)
        #expect(try await service.send("GET", "/readyz?writes=true").status == 503)
        full.fail(from: nil)
        #expect(try await service.send("GET", "/readyz?writes=true").status == 200)
    }

    @Test("A caller during a check that is too small for it receives the result of another one")
    func sharedCheck() async throws {
        let isHeld = Mutex(true)
        let sizes = Mutex<[Int]>([])
        let backend = InterceptingBackend { call, _ throws(StoreError) in
            guard case .checkWrites(let bytes) = call else { return }
            sizes.withLock { $0.append(bytes) }
            while isHeld.withLock({ $0 }) { await Task.yield() }
            if bytes > 50_000 { throw .full("no space for \(bytes) bytes") }
        }
        let metrics = ServiceMetrics()
        let status = WriteStatus(of: backend.store, gauge: metrics.storeWritable, log: .silent)
        async let small = status.check()
        while sizes.withLock({ $0.isEmpty }) { await Task.yield() }
        let large = Task { await status.recordFailure(.full("no space"), ofBytes: 85_000) }
        for _ in 0..<1000 { await Task.yield() }
        isHeld.withLock { $0 = false }
        #expect(await small == nil)
        await large.value
        #expect(metrics.storeWritable.value == 0)
        #expect(sizes.withLock { $0 } == [WriteStatus.usualCheckBytes, 85_000])
    }

    @Test("A store that cannot serve requests is not up, and cannot be written to")
    func away() async throws {
        let backend = InterceptingBackend()
        let sink = MemoryLogSink()
        let service = try await TestService(
            store: backend.store, log: Log(format: .json, sink: sink))
        func isUp() async throws -> Bool {
            try await service.send("GET", "/metrics").text.contains("\nbroadsheet_store_up 1")
        }
        #expect(try await isUp())
        backend.fail(with: .unavailable("gone"))
        for _ in 0..<3 {
            #expect(try await !isUp())
            #expect(try await !isWritable(service))
        }
        #expect(!backend.hasCheckedWrites)
        backend.fail(with: nil)
        #expect(try await isUp())
        #expect(try await service.send("PUT", path, page(ofBytes: 5000)).status < 300)
        #expect(try await isWritable(service))
        #expect(sink.lines.count { $0.contains("writes to the store fail") } == 1)
        #expect(sink.lines.count { $0.contains("writes to the store succeed again") } == 1)
    }

    @Test("A failure that concerns one screen only is not a failure of the store")
    func oneScreen() async throws {
        let full = FullStore(isOfOneScreen: true)
        let service = try await TestService(store: full.store)
        full.fail(from: 0)
        #expect(try await service.send("PUT", path, page).status == 503)
        #expect(try await isWritable(service))
        #expect(try await service.send("GET", "/readyz?writes=true").status == 200)
    }

    @Test("A scrape of the metrics while writes fail begins a check, which ends the failure")
    func scrape() async throws {
        let full = FullStore()
        let service = try await TestService(store: full.store)
        full.fail(from: 0)
        #expect(try await service.send("PUT", path, page).status == 503)
        full.fail(from: nil)
        var attempts = 0
        while try await !isWritable(service) {
            attempts += 1
            try #require(attempts < 1_000_000)
            await Task.yield()
        }
    }

    @Test("A store that cannot be read is not ready with either form, and is not written to")
    func unreadable() async throws {
        let backend = InterceptingBackend()
        let service = try await TestService(store: backend.store)
        backend.fail(with: .unavailable("gone"))
        for target in ["/readyz", "/readyz?writes=true"] {
            #expect(try await service.send("GET", target).status == 503)
        }
        #expect(!backend.hasCheckedWrites)
    }
}
