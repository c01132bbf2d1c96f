import Foundation
import Synchronization
import Testing

extension EndToEnd.Deployment {
    /// The turns of clients behind the shipped nginx.conf (docs/operations.md, "Expensive
    /// requests").
    @Suite struct ProxyTurns {
        /// The number of requests that the busy client always has in progress.
        private static let requests = 8
        /// The number of the busy client's address, and of the other client's.
        private static let addresses: (busy: UInt8, other: UInt8) = (2, 3)

        @Test("Behind the shipped nginx.conf, turns are by the address that nginx has appended")
        func trusted() throws {
            let waits = try completionsInFront(["--trusted-proxies", "127.0.0.1"])
            #expect(waits < Self.requests / 2)
        }

        @Test("Behind a proxy that is not trusted, all clients are the proxy and wait in one queue")
        func notTrusted() throws {
            #expect(try completionsInFront([]) >= Self.requests / 2)
        }

        /// Returns how many requests of a busy client end before a request of another one does, in
        /// the best of several attempts; the other client claims to be the busy one.
        private func completionsInFront(_ options: [String]) throws -> Int {
            let folder = try ScratchFolder()
            let limits = ["--loops", "1", "--workers", "1", "--max-answer", "1000000"]
            let daemon = try TestDaemon(limits + options)
            let proxy = try ProxyServer(folder: folder.path, before: [daemon])
            let busy = BusyClient(port: proxy.port, address: Self.addresses.busy)
            busy.start(Self.requests)
            defer { busy.stop() }
            let forged = ("X-Forwarded-For", "127.0.0.\(Self.addresses.busy)")
            let request = Request.bytes(
                "POST", "/v1/layout", headers: [forged],
                body: Self.page(items: 5_000, data: #"{"title":"a text of some length"}"#))
            let other = try ClientConnection(port: proxy.port, from: Self.addresses.other)
            var best = Int.max
            for _ in 0..<3 {
                // One may have ended, and the next one may be on its way.
                try daemon.wait(
                    for: "broadsheet_work_requests", toBe: Self.requests - 2...Self.requests)
                let before = busy.completed
                try other.send(request)
                #expect(try other.receive().status == 200)
                best = min(best, busy.completed - before)
            }
            #expect(busy.unexpected == [])
            return best
        }

        /// Returns a page of equal items.
        fileprivate static func page(items: Int, data: String) -> [UInt8] {
            let all = Array(repeating: data, count: items).joined(separator: ",")
            let unit = #"{"unitType":"SS_PRODUCT_LIST","unitData":[\#(all)]}"#
            return Array(#"{"sections":[[\#(unit)]]}"#.utf8)
        }
    }
}

/// A client that has several expensive requests in progress until it is stopped.
private final class BusyClient: Sendable {
    private struct State {
        var completed = 0
        var unexpected: [Int] = []
        var isStopped = false
    }

    private let port: UInt16
    private let address: UInt8
    private let state = Mutex(State())

    init(port: UInt16, address: UInt8) {
        self.port = port
        self.address = address
    }

    /// The number of requests that have ended.
    var completed: Int { state.withLock { $0.completed } }

    /// The statuses of requests that did not end as expected.
    var unexpected: [Int] { state.withLock { $0.unexpected } }

    /// Starts the requests, each on a connection and a thread of its own.
    func start(_ count: Int) {
        // Laid out completely before the tree turns out to be too long: much work, little traffic.
        let body = EndToEnd.Deployment.ProxyTurns.page(items: 200_000, data: "{}")
        let request = Request.bytes("POST", "/v1/layout", body: body)
        for _ in 0..<count {
            Thread.detachNewThread { [self] in
                while !state.withLock({ $0.isStopped }) { run(request) }
            }
        }
    }

    /// Sends no more requests.
    func stop() { state.withLock { $0.isStopped = true } }

    private func run(_ request: [UInt8]) {
        let status = try? {
            let connection = try ClientConnection(port: port, from: address)
            try connection.send(request)
            return try connection.receive().status
        }()
        state.withLock {
            $0.completed += 1
            if status != 422, !$0.isStopped { $0.unexpected.append(status ?? 0) }
        }
    }
}
