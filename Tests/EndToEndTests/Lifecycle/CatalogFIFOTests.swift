import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// A catalog that is read from a FIFO, which may take any time.
    @Suite struct CatalogFIFOs {
        private static let catalog = #"{"units":{},"cellTypes":{}}"#

        /// Creates a FIFO in place of the file at `path`, if there is one.
        private func makeFIFO(at path: String) throws {
            unlink(path)
            guard mkfifo(path, 0o600) == 0 else { throw HarnessError("mkfifo: errno \(errno)") }
        }

        /// Opens a FIFO for writing once a program has opened it for reading.
        private func waitForReader(of path: String) throws -> Int32 {
            let deadline = Deadline.within()
            while !deadline.hasPassed {
                let descriptor = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
                if descriptor >= 0 { return descriptor }
                sched_yield()
            }
            throw HarnessError("no program reads \(path)")
        }

        @Test(
            "A signal ends a daemon that reads its first catalog, with status 0",
            arguments: [SIGTERM, SIGINT])
        func duringStart(signal: Int32) throws {
            let folder = try ScratchFolder()
            let path = folder.path("catalog.json")
            try makeFIFO(at: path)
            let program = try Program([
                Repository.binary, "serve", "--port", "0", "--catalog", path,
            ])
            defer { program.end() }
            let writer = try waitForReader(of: path)
            defer { close(writer) }
            program.send(signal)
            #expect(try program.wait() == .status(0))
            #expect(try program.output.all() == "")
        }

        @Test("While a reload reads the catalog, requests are served, and SIGTERM ends the daemon")
        func duringReload() throws {
            let folder = try ScratchFolder()
            let path = try folder.write(Self.catalog, to: "catalog.json")
            let daemon = try TestDaemon(["--catalog", path])
            try makeFIFO(at: path)
            daemon.program.send(SIGHUP)
            let writer = try waitForReader(of: path)
            defer { close(writer) }
            #expect(try daemon.request("GET", "/v1/catalog").text == Self.catalog)
            #expect(try daemon.stop() == .status(0))
        }

        @Test("SIGHUP during a reload reads the catalog once more, however often it arrives")
        func hangupDuringReload() throws {
            let folder = try ScratchFolder()
            let path = try folder.write(Self.catalog, to: "catalog.json")
            let daemon = try TestDaemon(["--catalog", path])
            try makeFIFO(at: path)
            daemon.program.send(SIGHUP)
            let writer = try waitForReader(of: path)
            for _ in 0..<3 { daemon.program.send(SIGHUP) }
            // The second reload finds a regular file.
            let later = Self.catalog + " "
            try folder.write(later, to: "catalog.json.new")
            guard rename(path + ".new", path) == 0 else { throw HarnessError("errno \(errno)") }
            let bytes = Array((Self.catalog + "  ").utf8)
            #expect(write(writer, bytes, bytes.count) == bytes.count)
            close(writer)
            let deadline = Deadline.within()
            while try daemon.request("GET", "/v1/catalog").text != later {
                if deadline.hasPassed { throw HarnessError("the catalog was not read again") }
            }
            #expect(try daemon.stop() == .status(0))
        }
    }
}
