import Foundation
import Glibc
import Testing

extension EndToEnd {
    @Suite struct StoreFiles {
        private let page = Array(#"{"sections":[]}"#.utf8)
        private let path = "/v1/screens/home/pages/0"

        @Test("By default screens are stored below XDG_STATE_HOME, and survive a stop")
        func defaultLocation() throws {
            let folder = try ScratchFolder()
            let environment = ["BROADSHEET_STORE": "", "XDG_STATE_HOME": folder.path]
            let daemon = try TestDaemon(environment: environment)
            #expect(try daemon.request("PUT", path, body: page).status == 201)
            #expect(try daemon.stop() == .status(0))
            let file = folder.path("broadsheet/screens.db")
            #expect(FileManager.default.fileExists(atPath: file))
            #expect(
                !FileManager.default.fileExists(atPath: file + "-wal"), "the log is checkpointed")
            let again = try TestDaemon(environment: environment)
            #expect(try again.request("GET", path).body == page)
        }

        @Test("A file that is not a database, or that another daemon uses, ends the start with 1")
        func unusable() throws {
            let folder = try ScratchFolder()
            let text = try folder.write(String(repeating: "no database ", count: 99), to: "text")
            let daemon = try TestDaemon(["--store", "sqlite:" + folder.path("screens.db")])
            for (file, words) in [
                (text, "not a Broadsheet database"), (folder.path("screens.db"), "in use"),
                (folder.path, "cannot be"),
            ] {
                try expectRefusal(of: file, words)
            }
            #expect(try daemon.request("GET", "/readyz").status == 200)
        }

        @Test("A database of a newer version ends the start with 1, and is not changed")
        func newerSchema() throws {
            let folder = try ScratchFolder()
            let file = folder.path("screens.db")
            try expectEnd(of: TestDaemon(["--store", "sqlite:" + file]))
            // The schema version is at offset 60, big-endian (https://sqlite.org/fileformat.html).
            var bytes = try Array(Data(contentsOf: URL(filePath: file)))
            bytes.replaceSubrange(60..<64, with: [0, 0, 0, 99])
            try Data(bytes).write(to: URL(filePath: file))
            try expectRefusal(of: file, "written by a newer Broadsheet")
            #expect(try Array(Data(contentsOf: URL(filePath: file))) == bytes)
        }

        @Test("A file system that is full, or that cannot be written, ends the start with 1")
        func noSpaceAtStart() throws {
            let disk: SmallFileSystem
            do {
                disk = try SmallFileSystem.mount(megabytes: 1)
            } catch {
                return print("cannot mount a file system, so the test is skipped: \(error)")
            }
            let file = disk.path("screens.db")
            let daemon = try disk.start(["--store", "sqlite:" + file])
            #expect(try daemon.request("PUT", path, body: page).status == 201)
            try expectEnd(of: daemon)

            try disk.fill()
            try expectRefusal(
                of: disk.path("new.db"), "has no space", prefixedBy: disk.commandPrefix)
            try expectRefusal(of: file, "has no space", prefixedBy: disk.commandPrefix)
            try disk.run("mount", "-o", "remount,ro,bind", disk.path(""))
            try expectRefusal(of: file, "cannot be written", prefixedBy: disk.commandPrefix)
            try expectRefusal(of: disk.path("new.db"), "cannot be", prefixedBy: disk.commandPrefix)
        }

        private func expectEnd(of daemon: TestDaemon) throws {
            #expect(try daemon.stop() == .status(0))
        }

        /// Expects that a daemon does not start on a file, and that it prints the reason.
        private func expectRefusal(
            of file: String, _ words: String, prefixedBy commandPrefix: [String] = []
        ) throws {
            let outcome = try Shell.run(
                commandPrefix
                    + [Repository.binary, "serve", "--port", "0", "--store", "sqlite:\(file)"])
            #expect(outcome.status == 1)
            #expect(outcome.output == "")
            #expect(outcome.errors.contains(words), "\(outcome.errors)")
            #expect(outcome.errors.contains(file), "\(outcome.errors)")
        }

        @Test("A backup that was made while the daemon ran can be restored")
        func backup() throws {
            let folder = try ScratchFolder()
            let store = "sqlite:" + folder.path("screens.db")
            let copy = folder.path("copy.db")
            let daemon = try TestDaemon(["--store", store])
            try daemon.request("PUT", path, body: page)
            let backup = try Shell.broadsheet("backup", "--store", store, copy)
            #expect(backup.status == 0, "\(backup.errors)")
            #expect(backup.errors.contains("screens 1, pages 1"))
            #expect(try Shell.broadsheet("backup", "--store", store, copy).status == 1)
            let later = Array(#"{"sections":[],"later":true}"#.utf8)
            try daemon.request("PUT", path, body: later)
            let tooEarly = try Shell.broadsheet("restore", "--store", store, copy)
            #expect(tooEarly.status == 1)
            #expect(tooEarly.errors.contains("in use"))
            #expect(try daemon.request("GET", path).body == later)
            #expect(try daemon.stop() == .status(0))

            let restore = try Shell.broadsheet("restore", "--store", store, copy)
            #expect(restore.status == 0, "\(restore.errors)")
            let again = try TestDaemon(["--store", store])
            #expect(try again.request("GET", path).body == page)
            let old = try again.request(
                "PUT", path, headers: [("If-Match", "\"r2\"")], body: page)
            #expect(old.status == 412, "a revision from before the backup matches nothing")
        }

        @Test(
            "Backup and restore reject invalid command lines with status 2",
            arguments: [
                ["backup"], ["backup", "a", "b"], ["backup", "--store", "memory", "a"],
                ["restore", "--store", "redis://localhost", "a"], ["restore"],
            ])
        func commandLine(words: [String]) throws {
            let outcome = try Shell.run([Repository.binary] + words)
            #expect(outcome.status == 2, "\(outcome.errors)")
        }

        @Test("If the store's server is unreachable, the daemon ends with 1 and prints the reason")
        func noServer() throws {
            let outcome = try Shell.broadsheet(
                "serve", "--port", "0", "--store", "redis://:secret@127.0.0.1:1/0")
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("cannot be opened"), "\(outcome.errors)")
            #expect(!outcome.errors.contains("secret"))
        }
    }
}
