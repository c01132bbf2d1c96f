import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Tests that damage is reported, and that pages in responses are pages that were written.
    @Suite struct DamagedStores {
        /// The number of damaged copies for each kind of damage.
        private static let repetitions = 6

        @Test(
            "A damaged database is rejected, or returns written pages and a problem for lost ones"
        )
        func damagedDatabase() throws {
            let folder = try ScratchFolder()
            let written = try WrittenScreens(in: folder.path("screens.db"), killing: false)
            try damageAll(written.files, log: false) { daemon, comment in
                for page in written.pages {
                    let response = try daemon.request("GET", page.path)
                    if response.status == 200 {
                        #expect(response.body == page.versions.last, comment)
                    } else {
                        try expectReport(response, in: daemon.program.errors, comment)
                    }
                }
                let list = try daemon.request("GET", "/v1/screens?pageSize=1000")
                if list.status == 200 {
                    let count = list.text.matches(of: /"screen-[0-9]+"/).count
                    #expect(count == written.pages.count, comment)
                } else {
                    try expectReport(list, in: daemon.program.errors, comment)
                }
            }
        }

        @Test("A damaged write-ahead log is rejected, or contains a prefix of the writes")
        func damagedLog() throws {
            let folder = try ScratchFolder()
            let written = try WrittenScreens(in: folder.path("screens.db"), killing: true)
            try damageAll(written.files, log: true) { daemon, comment in
                let found = try written.pages.map { page in
                    let response = try daemon.request("GET", page.path)
                    if response.status == 404 { return 0 }
                    return try #require(page.versions.firstIndex(of: response.body), comment) + 1
                }
                // A write that is present implies that all earlier writes are present.
                let (most, fewest) = try (#require(found.first), #require(found.last))
                #expect(found == found.sorted(by: >) && most - fewest <= 1, comment)
            }
        }

        /// Starts a daemon on each damaged copy; calls `check` if it starts, and expects a
        /// message if it does not.
        private func damageAll(
            _ files: DamagedFiles, log: Bool, _ check: (TestDaemon, Comment) throws -> Void
        ) throws {
            let kind = log ? "damaged logs" : "damaged databases"
            let seed = SeededGenerator.seed(of: kind)
            var generator = SeededGenerator(seed: seed)
            var counts = (all: 0, refused: 0)
            for damage in DamagedFiles.Damage.allCases {
                for _ in 0..<Self.repetitions {
                    let folder = try ScratchFolder()
                    let path = folder.path("screens.db")
                    let description = try files.write(
                        to: path, damage, toLog: log, using: &generator)
                    counts.all += 1
                    if let daemon = try start(on: path, "seed \(seed): \(description)") {
                        try check(daemon, "seed \(seed): \(description)")
                    } else {
                        counts.refused += 1
                    }
                }
            }
            print("\(kind): \(counts.refused) of \(counts.all) refused")
        }

        /// Returns the daemon, or `nil` if it ends with status 1 and a message about the file.
        private func start(on path: String, _ comment: Comment) throws -> TestDaemon? {
            let program = try Program(
                [Repository.binary, "serve", "--port", "0", "--store", "sqlite:" + path])
            do {
                return try TestDaemon(program)
            } catch {
                #expect(try program.wait() == .status(1), comment)
                let errors = try program.errors.all()
                let message =
                    /broadsheet: .* (is damaged|is not a Broadsheet database|was written|cannot be)/
                #expect(errors.contains(path) && errors.contains(message), "\(comment): \(errors)")
                return nil
            }
        }

        /// Expects a problem document for a failure of the server, and its reason in the log.
        private func expectReport(
            _ response: Response, in log: ProgramOutput, _ comment: Comment
        ) throws {
            let code = try response.problem().code
            #expect(["INTERNAL", "STORE_UNAVAILABLE"].contains(code), comment)
            let request = try #require(response["X-Request-Id"])
            let line = try log.line { $0.contains(request) && $0.contains(#""level":"error""#) }
            #expect(line.contains("damaged"), "\(comment): \(line)")
        }
    }
}
