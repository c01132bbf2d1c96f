import TestSupport
import Testing

extension EndToEnd.StoreFiles {
    @Test("After each kind of restore revisions go on a million higher, and no lost tag matches")
    func restores() throws {
        let original = try PostgresServer(["fsync=off"])
        let other = try PostgresServer.withOwnIdentifier(["fsync=off"])
        let beside = try original.newDatabase()
        let daemon = try TestDaemon(["--store", original.url()])
        let known = try Self.tags(afterWritingTo: daemon)
        try original.dump(to: other)
        try original.dump(to: original, beside)
        let base = try original.backup()
        // The backups lack this write.
        let lost = try Self.tags(afterWritingTo: daemon)
        #expect(Set(known + lost).count == 4)
        #expect(try daemon.stop() == .status(0))

        // A daemon notices itself that a dump is on another server.
        for address in [original.url(beside), base.url()] {
            let outcome = try Shell.broadsheet("store", "advance", address)
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.errors.contains("a million higher"))
        }
        for address in [other.url(), original.url(beside), base.url()] {
            let next = try TestDaemon(["--store", address])
            try Self.expectNoMatch(of: lost, at: next)
            // The revision that the backup lacks.
            #expect(try Self.put(to: next, [("If-Match", "\"r2\"")]).status == 412, "\(address)")
            #expect(try Self.put(to: next).revision == 1_000_002, "\(address)")
            try Self.expectNoMatch(of: known + lost, at: next)
            #expect(try next.stop() == .status(0))
        }
    }

    private static let page = "/v1/screens/home/pages/0"
    private static let layout = "/v1/screens/home/layout"

    /// Writes a page.
    private static func put(
        to daemon: TestDaemon, _ headers: [(String, String)] = []
    ) throws -> Response {
        try daemon.request(
            "PUT", page, headers: headers + [("Prefer", "return=minimal")],
            body: Array(#"{"sections":[]}"#.utf8))
    }

    /// Writes a page, and returns the entity tags of the page and of the layout.
    private static func tags(afterWritingTo daemon: TestDaemon) throws -> [String] {
        let response = try put(to: daemon)
        #expect(response.status == 200 || response.status == 201)
        return try [page, layout].map { path in
            try #require(try daemon.request("GET", path)["ETag"])
        }
    }

    /// Expects the page and the layout to be sent to a client that has representations with tags.
    private static func expectNoMatch(of tags: [String], at daemon: TestDaemon) throws {
        for path in [page, layout] {
            let response = try daemon.request(
                "GET", path, headers: [("If-None-Match", tags.joined(separator: ", "))])
            #expect(response.status == 200, "\(path)")
        }
    }
}
