import BroadsheetIO
import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

/// Writes that change nothing any more, or no screen, and wait for the synchronous replica as well.
@Suite("PostgreSQL waits for the synchronous replica", .timeLimit(.minutes(hangMinutes)))
struct PostgresWaitTests {
    @Test("A removal that is sent again and finds no screen is not acknowledged before the replica")
    func removal() async throws {
        let (primary, replica) = try await PostgresServer.withSynchronousReplica()
        let address = try PostgresServer.address(ofPrimaryAmong: [primary, replica])
        try await withPostgresStore(at: address, timeout: .seconds(60)) { store, _ async throws in
            let home = try name("home")
            try await store.put(0, to: home)
            replica.kill()
            let removal = Task {
                try await store.commit(.removeScreen, to: home, expecting: 1)
            }
            let first = try await Self.process(of: primary)
            try primary.execute("SELECT pg_terminate_backend(\(first))")
            let second = try await Self.process(of: primary, besides: first)
            try primary.execute("SELECT pg_cancel_backend(\(second))")
            await expectUnavailable { try await removal.value }
            primary.kill()
            try replica.restart()
            try replica.promote()
            // The replica does not have the removal, which was not acknowledged.
            #expect(try await store.stored(home).pages.count == 1)
        }
    }

    @Test("A write fails at the deadline of its task, before earlier ones with the store's timeout")
    func deadlineOfTask() async throws {
        let server = try PostgresServer()
        try await withPostgresStore(at: server.address(), timeout: .seconds(20)) {
            store, _ async throws in
            let screens = (patient: try name("patient"), hasty: try name("hasty"))
            for screen in [screens.patient, screens.hasty] { try await store.put(0, to: screen) }
            try server.pause()
            let ended = Recorder<String>()
            func remove(_ screen: ScreenName, _ deadline: MonotonicInstant?) -> Task<Void, Never> {
                Task {
                    await expectUnavailable {
                        try await StoreDeadline.binding(deadline) { () async throws in
                            try await store.commit(.removeScreen, to: screen, expecting: 1)
                        }
                    }
                    ended.record(screen.text)
                }
            }
            let patient = remove(screens.patient, nil)
            let hasty = remove(screens.hasty, MonotonicInstant(nanoseconds: 0))
            await hasty.value
            #expect(ended.values == ["hasty"])
            await patient.value
            try server.resume()
        }
    }

    @Test("Identity, floor and mark of a store wait, whatever synchronous_commit of the role is")
    func storeRow() async throws {
        let (primary, replica) = try await PostgresServer.withSynchronousReplica()
        try primary.execute("ALTER ROLE broadsheet SET synchronous_commit = local")
        try await withPostgresStore(at: primary.address(), timeout: .seconds(60)) {
            store, _ async throws in
            replica.kill()
            let writes: [@Sendable () async throws -> Void] = [
                { _ = try await store.identity() }, { try await store.raiseFloor(to: 7) },
                { try await store.markIncomplete() },
            ]
            for write in writes {
                let task = Task { try await write() }
                let process = try await Self.process(of: primary)
                try primary.execute("SELECT pg_cancel_backend(\(process))")
                await expectUnavailable { try await task.value }
            }
        }
    }

    /// Returns the process of a server that waits for the replica, once there is one.
    ///
    /// - Parameter known: Another process, which may wait too.
    private static func process(
        of server: PostgresServer, besides known: String = "0"
    ) async throws -> String {
        var found: [String] = []
        _ = try await eventually {
            found = try server.execute(
                """
                SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND pid <> \(known)
                """)
            return !found.isEmpty
        }
        return try #require(found.first)
    }
}
