import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Damage is reported, and what is answered is what was written.
    @Suite struct DamagedStores {
        /// How many damages of each kind a file suffers.
        private static let repetitions = 6

        @Test(
            "A damaged database is refused, or answers what was written, and a fault for what is lost"
        )
        func damagedDatabase() throws {
            let folder = try ScratchFolder()
            let written = try WrittenScreens(in: folder.path("screens.db"), killing: false)
            try inflictAll(on: written.files, log: false) { daemon, comment in
                for page in written.pages {
                    let reply = try daemon.request("GET", page.path)
                    if reply.status == 200 {
                        #expect(reply.body == page.versions.last, comment)
                    } else {
                        try expectReport(reply, in: daemon.program.errors, comment)
                    }
                }
                let list = try daemon.request("GET", "/v1/screens?limit=1000")
                if list.status == 200 {
                    let count = list.text.matches(of: /"screen-[0-9]+"/).count
                    #expect(count == written.pages.count, comment)
                } else {
                    try expectReport(list, in: daemon.program.errors, comment)
                }
            }
        }

        @Test("A damaged write-ahead log is refused, or holds a beginning of what was written")
        func damagedLog() throws {
            let folder = try ScratchFolder()
            let written = try WrittenScreens(in: folder.path("screens.db"), killing: true)
            try inflictAll(on: written.files, log: true) { daemon, comment in
                let found = try written.pages.map { page in
                    let reply = try daemon.request("GET", page.path)
                    if reply.status == 404 { return 0 }
                    return try #require(page.versions.firstIndex(of: reply.body), comment) + 1
                }
                // They were written in turn: a write that is there has all earlier ones with it.
                let (most, fewest) = try (#require(found.first), #require(found.last))
                #expect(found == found.sorted(by: >) && most - fewest <= 1, comment)
            }
        }

        /// Starts a daemon on each of some dozen damaged copies; one that starts is given to `check`,
        /// one that does not has to say why.
        private func inflictAll(
            on files: DamagedFiles, log: Bool, _ check: (Daemon, Comment) throws -> Void
        ) throws {
            let kind = log ? "damaged logs" : "damaged databases"
            let seed = SeededGenerator.seed(of: kind)
            var generator = SeededGenerator(seed: seed)
            var counts = (all: 0, refused: 0)
            for damage in DamagedFiles.Damage.allCases {
                for _ in 0..<Self.repetitions {
                    let folder = try ScratchFolder()
                    let path = folder.path("screens.db")
                    let words = try files.write(to: path, damage, toLog: log, using: &generator)
                    counts.all += 1
                    if let daemon = try start(on: path, "seed \(seed): \(words)") {
                        try check(daemon, "seed \(seed): \(words)")
                    } else {
                        counts.refused += 1
                    }
                }
            }
            print("\(kind): \(counts.refused) of \(counts.all) refused")
        }

        /// The daemon, or nil when it ends with status 1 and a sentence about the file.
        private func start(on path: String, _ comment: Comment) throws -> Daemon? {
            let program = try Program(
                [Repository.binary, "serve", "--port", "0", "--store", "sqlite:" + path])
            do {
                return try Daemon(program)
            } catch {
                #expect(try program.wait() == .status(1), comment)
                let errors = try program.errors.all()
                let sentence =
                    /broadsheet: .* (is damaged|is not a Broadsheet database|was written)/
                #expect(errors.contains(path) && errors.contains(sentence), "\(comment): \(errors)")
                return nil
            }
        }

        /// Expects a problem document for a fault of ours, and the reason in the log.
        private func expectReport(_ reply: Reply, in log: Lines, _ comment: Comment) throws {
            let code = try reply.problem().code
            #expect(["INTERNAL", "STORE_UNAVAILABLE"].contains(code), comment)
            let request = try #require(reply["X-Request-Id"])
            let line = try log.line { $0.contains(request) && $0.contains(#""level":"error""#) }
            #expect(line.contains("damaged"), "\(comment): \(line)")
        }
    }
}
