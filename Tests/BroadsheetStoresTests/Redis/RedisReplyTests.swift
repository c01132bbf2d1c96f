import Synchronization
import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

/// Replies that something between the store and its server repeats, delays, or drops.
@Suite("Replies of a Redis server through a proxy", .serialized, .timeLimit(.minutes(hangMinutes)))
struct RedisReplyTests {
    /// The screen that one task writes and reads, and what the task knows about it.
    private struct Known {
        let screen: ScreenName
        var revision: UInt64?
        /// The text of page 0; `nil` if a write has an unknown outcome.
        var text: String?

        /// Returns the text of a write, which has the name of the screen.
        func text(_ turn: Int) -> String { "\(screen) 0 \(turn)" }
    }

    /// The outcomes of calls.
    private final class Outcomes: Sendable {
        let succeeded = Atomic(0)
        let failed = Atomic(0)
    }

    private static let screens = 4
    private static let calls = 20

    @Test(
        "No reply that is repeated, delayed or dropped is taken for the reply to another request",
        arguments: ReplyProxy.Disturbance.allCases)
    func disturbed(by disturbance: ReplyProxy.Disturbance) async throws {
        let replies = Atomic(0)
        try await withRedisServer { server in
            let proxy = try ReplyProxy(upstream: server.port) {
                replies.add(1, ordering: .relaxed).newValue.isMultiple(of: 19) ? disturbance : nil
            }
            let outcomes = Outcomes()
            let log = EventLog()
            try await withRedisStore(server.endpoint()) { direct, _, _ in
                try await withRedisStore(proxy.endpoint, log: log) { store, _, _ in
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for index in 0..<Self.screens {
                            let screen = try name("screen-\(index)")
                            group.addTask { try await use(store, direct, screen, outcomes) }
                        }
                        try await group.waitForAll()
                    }
                }
            }
            proxy.stop()
            // The connection was closed, and what was lost with it was sent again.
            #expect(log.events.contains { if case .unreachable = $0 { true } else { false } })
        }
    }

    /// Writes and reads a screen that no other task writes, and checks every result.
    private func use(
        _ store: ScreenStore, _ direct: ScreenStore, _ screen: ScreenName, _ outcomes: Outcomes
    ) async throws {
        var known = Known(screen: screen)
        try await write(0, through: direct, &known)
        var turn = 1
        while outcomes.succeeded.load(ordering: .relaxed) < Self.calls * Self.screens {
            do {
                switch turn % 4 {
                case 0: try await write(turn, through: store, &known)
                case 1: try await checkUnchanged(store, known)
                case 2: try await checkList(store)
                default: try await check(store, known)
                }
                outcomes.succeeded.add(1, ordering: .relaxed)
            } catch StoreError.unavailable, StoreError.conflict {
                outcomes.failed.add(1, ordering: .relaxed)
                // The connection is established again after a delay.
                _ = await eventually { (try? await store.checkReadiness()) != nil }
                known.revision = try await direct.revision(screen)
                known.text = nil
            }
            turn += 1
        }
    }

    private func write(
        _ turn: Int, through store: ScreenStore, _ known: inout Known
    ) async throws {
        let text = known.text(turn)
        let change = ScreenCommit.put(page: 0, bytes: Array(text.utf8))
        let revision = try await store.commit(change, to: known.screen, expecting: known.revision)
        #expect(revision == (known.revision ?? 0) + 1)
        known.revision = revision
        known.text = text
    }

    private func check(_ store: ScreenStore, _ known: Known) async throws {
        let stored = try await store.stored(known.screen)
        #expect(stored.revision == known.revision)
        let text = String(decoding: stored.pages.first?.bytes ?? [], as: UTF8.self)
        #expect(text.hasPrefix("\(known.screen) 0 "))
        if let expected = known.text { #expect(text == expected) }
    }

    private func checkUnchanged(_ store: ScreenStore, _ known: Known) async throws {
        let found = try await store.load(known.screen, unlessAt: known.revision)
        #expect(found == .unchanged)
    }

    private func checkList(_ store: ScreenStore) async throws {
        let listed = try await store.screens(after: nil, limit: 99)
        #expect(listed.map(\.name.text).allSatisfy { $0.hasPrefix("screen-") })
    }
}
