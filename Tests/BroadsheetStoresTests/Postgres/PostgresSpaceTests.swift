import Foundation
import Glibc
import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

@Suite("PostgreSQL on a full disk", .timeLimit(.minutes(hangMinutes)))
struct PostgresSpaceTests {
    @Test("On a full disk writes fail and change nothing, and reads and removals go on")
    func full() async throws {
        guard let disk = SmallDisk(megabytes: 8) else {
            return print("not tested: a full disk of PostgreSQL, which needs a mount")
        }
        try await withPostgresStore { store, server, database in
            let space = disk.path + "/space"
            try FileManager.default.createDirectory(
                atPath: space, withIntermediateDirectories: true)
            chmod(disk.path, 0o755)
            PostgresProgram.handOver(space)
            try server.execute("CREATE TABLESPACE t\(database) LOCATION '\(space)'")
            try server.execute(
                "ALTER TABLE broadsheet.objects SET TABLESPACE t\(database)", in: database)
            let home = try name("home")
            var generator = SeededGenerator(seed: SeededGenerator.seed(of: "PostgresSpaceTests"))
            let page = (0..<(1 << 20)).map { _ in UInt8.random(in: 0...255, using: &generator) }
            var revision: UInt64?
            var failure: (any Error)?
            for number in 0..<16 where failure == nil {
                do {
                    revision = try await store.commit(
                        .put(page: number, bytes: page), to: home, expecting: revision)
                } catch {
                    failure = error
                }
            }
            guard case StoreError.full? = failure as? StoreError else {
                Issue.record("\(String(describing: failure))")
                return
            }
            let stored = try await store.stored(home)
            #expect(stored.revision == revision)
            #expect(stored.pages.allSatisfy { $0.bytes == page })
            try await store.checkReadiness()
            try await store.write(.removeScreen, to: home)
            #expect(try await store.load(home, unlessAt: nil) == .absent)
            try server.execute(
                "ALTER TABLE broadsheet.objects SET TABLESPACE pg_default", in: database)
            try server.execute("DROP TABLESPACE t\(database)")
        }
    }
}
