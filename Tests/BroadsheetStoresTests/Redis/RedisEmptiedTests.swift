import BroadsheetIO
import Synchronization
import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

@Suite("A Redis server that loses its keys", .timeLimit(.minutes(hangMinutes)))
struct RedisEmptiedTests {
    private func isEmptied(_ event: StoreEvent) -> Bool {
        if case .emptied = event { true } else { false }
    }

    @Test("After FLUSHALL no revision is assigned again, so that no daemon keeps what was there")
    func flushed() async throws {
        try await withTwoRedisStores { one, two, probe in
            let home = try name("home")
            let identity = try await one.identity()
            #expect(try await two.identity() == identity)
            for page in 0..<3 { try await one.put(page, "before", to: home) }
            #expect(try await two.stored(home).revision == 3)
            let restarts = Mutex(0)
            one.observeInvalidations { invalidation in
                if invalidation == .restarted { restarts.withLock { $0 += 1 } }
            }
            try await probe.send("FLUSHALL")
            var last: UInt64 = 3
            for page in 0..<3 {
                // The screen does not exist, so that a writer that knows revision 3 conflicts.
                let expected = page == 0 ? nil : last
                let next = try await one.commit(
                    .put(page: page, bytes: Array("after".utf8)), to: home, expecting: expected)
                #expect(next > last)
                last = next
            }
            #expect(restarts.withLock { $0 } > 0)
            let load = try await two.load(home, unlessAt: 3)
            guard case .screen(let stored) = load else {
                Issue.record("\(load)")
                return
            }
            #expect(stored.revision == last)
            #expect(stored.pages.allSatisfy { $0.bytes == Array("after".utf8) })
            // The keys of page tokens are those of before.
            #expect(try await two.identity() == identity)
        }
    }

    @Test("A server that restarts without its data is continued above the time, and reported once")
    func restarted() async throws {
        try await withRedisServer { server in
            let log = EventLog()
            try await withRedisStore(server.endpoint(), log: log) { store, clock, _ in
                let identity = try await store.identity()
                let home = try name("home")
                try await store.put(0, to: home)
                let connections = log.connectionCount
                server.kill()
                try server.restart()
                await log.waitForConnection(connections + 1)
                clock.advance(seconds: 1_000_000)
                let floor = UInt64(clamping: clock.time.unixMilliseconds)
                #expect(try await store.put(0, to: home) == floor + 1)
                #expect(try await store.put(0, to: home) == floor + 2)
                #expect(try await store.put(0, to: name("other")) == floor + 1)
                #expect(try await store.identity() == identity)
                #expect(log.events.filter(isEmptied) == [.emptied(floor: "\(floor)")])
            }
        }
    }

    @Test("A new daemon that begins the store has the others drop what they know")
    func newDaemon() async throws {
        try await withRedisServer { server in
            try await withTwoRedisStores(on: server) { one, two, probe in
                let identity = try await one.identity()
                let home = try name("home")
                try await one.put(0, "before", to: home)
                #expect(try await probe.hasSubscribers(2))
                let restarts = Mutex(0)
                one.observeInvalidations { invalidation in
                    if invalidation == .restarted { restarts.withLock { $0 += 1 } }
                }
                try await probe.send("FLUSHALL")
                #expect(try await two.identity() != identity)
                // It has not begun the store itself, so that the revision may be assigned again.
                try await two.put(0, "after", to: home)
                let stored = try await one.stored(home)
                #expect(stored.pages.map(\.bytes) == [Array("after".utf8)])
                #expect(restarts.withLock { $0 } == 1)
            }
        }
    }

    @Test("Writers of two daemons that find it at the same time begin above the same revision")
    func concurrent() async throws {
        try await withTwoRedisStores { one, two, probe in
            _ = (try await one.identity(), try await two.identity())
            for _ in 0..<20 { try await one.put(0, to: name("home")) }
            #expect(try await two.revision(name("home")) == 20)
            try await probe.send("FLUSHALL")
            let revisions = try await withThrowingTaskGroup(of: UInt64.self) { group in
                for number in 0..<16 {
                    group.addTask {
                        let store = number.isMultiple(of: 2) ? one : two
                        return try await store.put(0, to: name("screen-\(number)"))
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(revisions).count == 1)
            #expect(revisions.allSatisfy { $0 > 20 })
        }
    }
}
