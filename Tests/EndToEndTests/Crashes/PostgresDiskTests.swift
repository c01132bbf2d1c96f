import Foundation
import Glibc
import TestSupport
import Testing

extension EndToEndFailures.Crashing {
    @Test(
        "On a full disk of PostgreSQL every refused write has changed nothing, and none is lost")
    func fullPostgres() throws {
        guard let disk = SmallDisk(megabytes: 16) else {
            return print("not tested: a full disk of PostgreSQL, which needs a mount")
        }
        let postgres = try PostgresServer(["autovacuum=off"])
        let daemon = try TestDaemon(["--store", postgres.url()])
        let token = try TokenProbe(storingAt: daemon)
        try postgres.moveObjects(to: disk)
        let ledger = WriteLedger()
        for round in FailureRounds.all {
            let comment: Comment = "round \(round)"
            let ballast = disk.path + "/ballast-\(round)"
            let before = ledger.tally
            // More pages than the disk has space for: few enough would soon be written in the space
            // of those that they replace.
            let writers = Writers(ledger, at: [daemon.port], round: round, pagesEach: 1_000)
            try Data(repeating: 1, count: disk.freeBytes() * 9 / 10)
                .write(to: URL(filePath: ballast))
            try ledger.wait { $0.refused - before.refused >= 20 }
            #expect(try daemon.request("GET", "/readyz").status == 200, comment)
            #expect(try daemon.request("GET", "/readyz?writes=true").status == 503, comment)
            try token.check(daemon, comment)
            unlink(ballast)
            let full = ledger.tally
            try ledger.wait { $0.acknowledged - full.acknowledged >= 20 }
            try writers.stop()
            try postgres.execute("VACUUM")
            try postgres.restart()
            let deadline = Deadline.within()
            while try daemon.request("GET", "/readyz").status != 200, !deadline.hasPassed {}
            try ledger.check(daemon, comment)
        }
    }
}

extension PostgresServer {
    /// Moves the objects of the store to a small disk, and stores them uncompressed from then on.
    fileprivate func moveObjects(to disk: SmallDisk) throws {
        let folder = disk.path + "/space"
        chmod(disk.path, 0o755)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        PostgresProgram.handOver(folder)
        try execute("CREATE TABLESPACE small LOCATION '\(folder)'")
        try execute("ALTER TABLE broadsheet.objects ALTER COLUMN bytes SET STORAGE EXTERNAL")
        for table in ["objects", "probes"] {
            try execute("ALTER TABLE broadsheet.\(table) SET TABLESPACE small")
        }
    }
}

extension SmallDisk {
    /// Returns the number of bytes that are free.
    fileprivate func freeBytes() throws -> Int {
        let attributes = try FileManager.default.attributesOfFileSystem(forPath: path)
        return (attributes[.systemFreeSize] as? NSNumber)?.intValue ?? 0
    }
}
