import TestSupport
import Testing

extension EndToEnd.StoreFiles {
    @Test("A file is copied to Redis, and that to PostgreSQL: tokens stay valid, tags do not")
    func storeCopies() throws {
        let folder = try ScratchFolder()
        let redis = try RedisServer(folder: folder.path)
        let postgres = try PostgresServer()
        let file = "sqlite:" + folder.path("screens.db")
        let daemon = try TestDaemon(["--store", file])
        let token = try TokenProbe(storingAt: daemon)
        let layout = "/v1/screens/token/layout"
        let tag = try #require(try daemon.request("GET", layout)["ETag"])
        let running = try copy(file, redis.address)
        #expect(running.status == 1)
        #expect(running.errors.contains("in use"))
        #expect(try daemon.stop() == .status(0))

        let bytes = try (0..<2).reduce(0) { try $0 + Storefront.page($1).count }
        for (from, to) in [(file, redis.address), (redis.address, postgres.url())] {
            let outcome = try copy(from, to)
            #expect(outcome.output == "copied 1 screens, 2 pages, \(bytes) bytes\n")
            #expect(outcome.status == 0)
        }
        for address in [redis.address, postgres.url()] {
            let next = try TestDaemon(["--store", address])
            try token.check(next, "\(address)")
            let again = try next.request("GET", layout, headers: [("If-None-Match", tag)])
            #expect(again.status == 200)
            #expect(try next.stop() == .status(0))
        }
    }

    @Test("Daemons on PostgreSQL have earlier revisions in common, also after a restart")
    func sharedRevisions() throws {
        let postgres = try PostgresServer()
        let path = "/v1/screens/home/pages/0"
        let pages = [Array(#"{"sections":[]}"#.utf8), try Storefront.page(0)]
        let one = try TestDaemon(["--store", postgres.url()])
        #expect(try one.request("PUT", path, body: pages[0]).status == 201)
        let two = try TestDaemon(["--store", postgres.url()])
        #expect(try two.request("PUT", path, body: pages[1]).status == 200)
        #expect(try one.stop() == .status(0))
        let three = try TestDaemon(["--store", postgres.url()])
        for daemon in [two, three] {
            #expect(try daemon.request("GET", path + "?revision=1").body == pages[0])
            #expect(try daemon.request("GET", path).body == pages[1])
        }
        let revert = Array(#"{"revision": 1}"#.utf8)
        #expect(
            try three.request("POST", "/v1/screens/home/revert", body: revert).status == 200)
        #expect(try two.request("GET", path).body == pages[0])
        #expect(try three.request("DELETE", "/v1/screens/home/revisions").status == 204)
        #expect(try two.request("GET", path + "?revision=2").status == 404)
    }

    private func copy(_ from: String, _ to: String) throws -> Shell.Outcome {
        try Shell.run([Repository.binary, "store", "copy", from, to])
    }
}
