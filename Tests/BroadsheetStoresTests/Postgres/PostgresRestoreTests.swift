import BroadsheetIO
import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

/// Backups of a store that went on after them, and what they are restored to.
@Suite("PostgreSQL, restored from a backup", .timeLimit(.minutes(hangMinutes)))
struct PostgresRestoreTests {
    @Test(
        "After a restore revisions go on a million higher, and none is assigned again",
        arguments: Backup.allCases)
    func restores(backup: Backup) async throws {
        let original = try PostgresServer(["fsync=off"])
        let (home, gone) = (try name("home"), try name("gone"))
        let (copy, identity) = try await withPostgresStore(at: original.address()) {
            store, _ async throws in
            let identity = try await store.identity()
            for page in 0..<3 { try await store.put(page, to: home) }
            try await store.put(0, to: gone)
            try await store.write(.removeScreen, to: gone)
            let copy = try backup.restore(original)
            // The backup lacks these.
            #expect(try await store.put(0, "lost", to: home) == 4)
            #expect(try await store.put(0, "lost", to: gone) == 2)
            return (copy, identity)
        }
        let address = try copy.server.address(copy.database)
        if backup.needsAdvance { try PostgresBackend.advance(address) }
        try await withPostgresStore(at: address) { store, _ async throws in
            let stored = try await store.stored(home)
            #expect(stored.pages.map(\.bytes) == Array(repeating: Array("{}".utf8), count: 3))
            // The revision of a screen of another line changes with its next write.
            #expect(stored.revision == 3)
            #expect(try await store.put(0, "new", to: home) == 1_000_004)
            #expect(try await store.put(1, "new", to: home) == 1_000_005)
            #expect(try await store.put(0, to: gone) > 1_000_000)
            #expect(try await store.identity() == identity)
        }
    }

    /// A backup, and the way in which it is restored.
    enum Backup: CaseIterable, Sendable {
        /// A dump in a database of another server, which has another identifier.
        case dumpElsewhere
        /// A dump in another database of the server.
        case dumpBeside
        /// A base backup that is started like the server itself.
        case base
        /// A base backup that is recovered up to a point in time, with a timeline of its own.
        case pointInTime

        /// A Boolean value that indicates whether a daemon cannot notice the restore.
        var needsAdvance: Bool { self == .dumpBeside || self == .base }

        /// Restores the store as it is.
        func restore(
            _ original: PostgresServer
        ) throws -> (server: PostgresServer, database: String) {
            switch self {
            case .dumpElsewhere:
                let server = try PostgresServer.withOwnIdentifier(["fsync=off"])
                try original.dump(to: server)
                return (server, "postgres")
            case .dumpBeside:
                let database = try original.newDatabase()
                try original.dump(to: original, database)
                return (original, database)
            case .base: return (try original.backup(), "postgres")
            case .pointInTime: return (try original.backup(isRecovered: true), "postgres")
            }
        }
    }

    @Test("A daemon that is led to a restored dump delivers a restart before it reads from it")
    func replacedServer() async throws {
        let servers = [
            try PostgresServer(["fsync=off"]), try PostgresServer.withOwnIdentifier(["fsync=off"]),
        ]
        let address = try PostgresServer.address(ofPrimaryAmong: servers)
        try await withPostgresStore(at: address) { store, received async throws in
            let home = try name("home")
            for page in 0..<3 { try await store.put(page, to: home) }
            try servers[0].dump(to: servers[1])
            #expect(try await store.put(3, to: home) == 4)
            #expect(!received.events.contains(.restarted))
            servers[0].kill()
            #expect(try await store.stored(home).revision == 3)
            #expect(received.events.contains(.restarted))
            #expect(try await store.put(3, to: home) == 1_000_004)
        }
    }
}
