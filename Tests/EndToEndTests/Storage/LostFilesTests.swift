import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// Databases whose files are removed or replaced while a daemon uses them.
    @Suite struct LostFiles {
        private let page = Array(#"{"sections":[]}"#.utf8)
        private let path = "/v1/screens/home/pages/0"

        @Test(
            "Without its files a daemon refuses writes, is not ready, and logs one error",
            arguments: [[""], ["-wal"], ["", "-wal", "-shm", ".lock"]])
        func removed(names: [String]) throws {
            let folder = try ScratchFolder()
            let file = folder.path("screens.db")
            let daemon = try TestDaemon(["--store", "sqlite:" + file])
            #expect(try daemon.request("PUT", path, body: page).status == 201)
            for name in names { unlink(file + name) }
            for _ in 0..<3 {
                let response = try daemon.request("PUT", path, body: page)
                #expect(response.status == 503)
                #expect(response["Retry-After"] == "1")
                #expect(try daemon.request("GET", "/readyz").status == 503)
                #expect(try daemon.request("GET", "/readyz?writes=true").status == 503)
            }
            #expect(try daemon.request("GET", path).body == page, "what was acknowledged is served")
            try expectRefusal(of: file, "in use")
            #expect(try daemon.request("GET", "/livez").status == 200)
            #expect(try daemon.stop() == .status(0))
            let errors = try daemon.program.errors.all().split(separator: "\n").filter {
                $0.contains("refuses writes until a restart") && $0.contains("\"store\"")
            }
            #expect(errors.count == 1, "\(errors)")
            #expect(errors.allSatisfy { $0.contains("was removed") })
        }

        @Test("A database that is replaced is noticed, and not written to, and no log remains")
        func replaced() throws {
            let folder = try ScratchFolder()
            let file = folder.path("screens.db")
            let daemon = try TestDaemon(["--store", "sqlite:" + file])
            #expect(try daemon.request("PUT", path, body: page).status == 201)
            let copy = folder.path("copy.db")
            #expect(try Shell.broadsheet("backup", "--store", "sqlite:" + file, copy).status == 0)
            let later = Array(#"{"sections":[],"later":1}"#.utf8)
            #expect(try daemon.request("PUT", path, body: later).status == 200)
            let bytes = try Data(contentsOf: URL(filePath: copy))
            guard rename(copy, file) == 0 else { throw HarnessError("errno \(errno)") }
            #expect(try daemon.request("GET", "/readyz").status == 503)
            #expect(try daemon.request("PUT", path, body: page).status == 503)
            #expect(try daemon.stop() == .status(0))
            #expect(try Data(contentsOf: URL(filePath: file)) == bytes)
            // A log of the former database would damage the one that replaces it.
            let log = try? Data(contentsOf: URL(filePath: file + "-wal"))
            #expect(log?.isEmpty ?? true)
            let again = try TestDaemon(["--store", "sqlite:" + file])
            #expect(try again.request("GET", path).body == page)
        }

        @Test("After a log was removed, the next start has every acknowledged write")
        func logRemoved() throws {
            let folder = try ScratchFolder()
            let file = folder.path("screens.db")
            let daemon = try TestDaemon(["--store", "sqlite:" + file])
            for number in 0..<9 {
                let target = "/v1/screens/home/pages/\(number)"
                #expect(try daemon.request("PUT", target, body: page).status == 201)
            }
            unlink(file + "-wal")
            #expect(try daemon.request("PUT", path, body: page).status == 503)
            daemon.program.end()
            let again = try TestDaemon(["--store", "sqlite:" + file])
            for number in 0..<9 {
                let target = "/v1/screens/home/pages/\(number)"
                #expect(try again.request("GET", target).body == page)
            }
        }

        @Test("An empty file beside a lock file that remembers a database ends the start with 1")
        func emptied() throws {
            let folder = try ScratchFolder()
            let file = folder.path("screens.db")
            let daemon = try TestDaemon(["--store", "sqlite:" + file])
            #expect(try daemon.request("PUT", path, body: page).status == 201)
            unlink(file)
            try folder.write("", to: "screens.db")
            #expect(try daemon.request("PUT", path, body: page).status == 503)
            try expectRefusal(of: file, "in use")
            #expect(try daemon.stop() == .status(0))
            try expectRefusal(of: file, "empty")
            #expect(try Data(contentsOf: URL(filePath: file)).isEmpty)
        }

        /// Expects that a daemon does not start on a file, and that it prints the reason.
        private func expectRefusal(of file: String, _ words: String) throws {
            let outcome = try Shell.run([
                Repository.binary, "serve", "--port", "0", "--store", "sqlite:\(file)",
            ])
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains(words), "\(outcome.errors)")
        }
    }

    /// Stores that can be read from and not written to.
    @Suite struct FailingWrites {
        private let page = Array(#"{"sections":[]}"#.utf8)
        private let path = "/v1/screens/home/pages/0"

        /// Expects a daemon to serve reads, to report that writes fail, and to log that once.
        private func expectReadOnly(_ daemon: TestDaemon) throws {
            for _ in 0..<3 {
                #expect(try daemon.request("PUT", path, body: page).status == 503)
            }
            #expect(try daemon.request("GET", path).body == page)
            #expect(try daemon.request("GET", "/readyz").status == 200)
            #expect(try daemon.request("GET", "/readyz?writes=true").status == 503)
            let metrics = try daemon.request("GET", "/metrics").text
            #expect(metrics.contains("\nbroadsheet_store_writable 0"))
        }

        /// Expects a daemon that could not write to notice that it can, and ends it.
        private func expectRecovery(_ daemon: TestDaemon) throws {
            let deadline = Deadline.within()
            while try daemon.request("GET", "/readyz?writes=true").status != 200 {
                if deadline.hasPassed { throw HarnessError("writes do not succeed again") }
            }
            #expect(try daemon.request("PUT", path, body: page).status == 200)
            let metrics = try daemon.request("GET", "/metrics").text
            #expect(metrics.contains("\nbroadsheet_store_writable 1"))
            #expect(try daemon.stop() == .status(0))
            let log = try daemon.program.errors.all().split(separator: "\n")
            #expect(log.count { $0.contains("writes to the store fail") } == 1)
            #expect(log.count { $0.contains("writes to the store succeed again") } == 1)
        }

        @Test("On a full disk reads are served, and /readyz?writes=true reports the writes")
        func fullDisk() throws {
            let storage = try LimitedStorage()
            let daemon = try storage.start()
            #expect(try daemon.request("PUT", path, body: page).status == 201)
            let large = Array(
                (#"{"sections":[],"x":""# + String(repeating: "x", count: 200_000) + #""}"#).utf8)
            var status = 201
            for number in 1..<100 where status == 201 {
                let target = "/v1/screens/home/pages/\(number)"
                status = try daemon.request("PUT", target, body: large).status
            }
            #expect(status == 503)
            #expect(try daemon.request("GET", path).body == page)
            #expect(try daemon.request("GET", "/readyz").status == 200)
            #expect(try daemon.request("GET", "/readyz?writes=true").status == 503)
            let metrics = try daemon.request("GET", "/metrics").text
            #expect(metrics.contains("\nbroadsheet_store_writable 0"))
            try storage.freeSpace(for: daemon)
            try expectRecovery(daemon)
        }

        @Test("On a full disk screens are removed, and then pages are stored, without a restart")
        func removals() throws {
            let storage = try LimitedStorage()
            // A limit of the size of files is not a full disk.
            guard case .disk(let disk) = storage else { return }
            let daemon = try storage.start()
            let large = Array(
                (#"{"sections":[],"x":""# + String(repeating: "x", count: 200_000) + #""}"#).utf8)
            var count = 0
            while try daemon.request("PUT", "/v1/screens/s\(count)/pages/0", body: large).status
                == 201
            {
                count += 1
            }
            #expect(count > 3)
            try disk.fill()
            #expect(try daemon.request("PUT", path, body: large).status == 503)
            try daemon.wait(for: "broadsheet_store_writable", toBe: 0)
            for number in 0..<count {
                let screen = "/v1/screens/s\(number)"
                #expect(try daemon.request("DELETE", screen).status == 204, "\(screen)")
            }
            let deadline = Deadline.within()
            while try daemon.request("GET", "/readyz?writes=true").status != 200 {
                if deadline.hasPassed { throw HarnessError("writes do not succeed again") }
            }
            #expect(try daemon.request("PUT", path, body: large).status == 201)
            try daemon.wait(for: "broadsheet_store_writable", toBe: 1)
        }

        @Test("While Redis is away the metrics say so, and the log and a start have its address")
        func redisAway() throws {
            let folder = try ScratchFolder()
            let server = try RedisServer(folder: folder.path)
            let daemon = try TestDaemon(["--store", server.address])
            try daemon.wait(for: "broadsheet_store_up", toBe: 1)
            try daemon.wait(for: "broadsheet_store_writable", toBe: 1)
            server.kill()
            try daemon.wait(for: "broadsheet_store_up", toBe: 0)
            try daemon.wait(for: "broadsheet_store_writable", toBe: 0)
            let node = "127.0.0.1:\(server.port)"
            _ = try daemon.program.errors.line {
                $0.contains("the store cannot be reached") && $0.contains(node)
            }
            let started = try Shell.run(
                [Repository.binary, "serve", "--port", "0", "--store", "redis://:hidden@\(node)/0"])
            #expect(started.status == 1)
            #expect(started.errors.contains("the store cannot be opened"))
            #expect(started.errors.contains("(\(node))"), "\(started.errors)")
            #expect(!started.errors.contains("hidden"))
            try server.restart()
            try daemon.wait(for: "broadsheet_store_up", toBe: 1)
            try daemon.wait(for: "broadsheet_store_writable", toBe: 1)
            #expect(try daemon.request("PUT", path, body: page).status == 201)
        }

        @Test("If Redis is out of memory, reads are served, also by a daemon that starts then")
        func redisOutOfMemory() throws {
            let folder = try ScratchFolder()
            let server = try RedisServer(folder: folder.path)
            let daemon = try TestDaemon(["--store", server.address])
            #expect(try daemon.request("PUT", path, body: page).status == 201)
            try server.configure("maxmemory-policy", "noeviction")
            try server.configure("maxmemory", "1")
            try expectReadOnly(daemon)
            let other = try TestDaemon(["--store", server.address])
            try expectReadOnly(other)
            try server.configure("maxmemory", "0")
            try expectRecovery(daemon)
            try expectRecovery(other)
        }
    }
}
