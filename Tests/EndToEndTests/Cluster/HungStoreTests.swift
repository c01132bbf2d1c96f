import Foundation
import TestSupport
import Testing

extension EndToEndFailures {
    /// Servers of stores that accept requests and reply to none.
    @Suite struct HungStores {
        private static let page = Array(#"{"sections":[]}"#.utf8)
        private static let target = "/v1/screens/home/pages/0"

        @Test("With a hung Redis server forty writers are 503 after --store-timeout")
        func redis() throws {
            let folder = try ScratchFolder()
            let redis = try RedisServer(folder: folder.path)
            try check(storeAt: redis.address) { try redis.send("CLIENT", "PAUSE", "600000", "ALL") }
        }

        @Test("With a hung PostgreSQL server forty writers are 503 after --store-timeout")
        func postgres() throws {
            let server = try PostgresServer(["fsync=off"])
            try check(storeAt: server.url()) { try server.pause() }
            try server.resume()
        }

        /// The first writer has the screen's lock, and the others wait for it.
        private func check(storeAt address: String, hang: () throws -> Void) throws {
            let daemon = try TestDaemon(["--store", address, "--store-timeout", "2"])
            #expect(try daemon.request("PUT", Self.target, body: Self.page).status == 201)
            try hang()
            let start = ContinuousClock.now
            let connections = try (0..<40).map { _ in
                let connection = try daemon.connect()
                try connection.send(Request.bytes("PUT", Self.target, body: Self.page))
                return connection
            }
            for connection in connections {
                let response = try connection.receive()
                #expect(response.status == 503)
                #expect(try response.problem().code == "STORE_UNAVAILABLE")
            }
            // One after the other they would need 80 s.
            #expect(ContinuousClock.now - start < .seconds(60))
        }
    }
}
