import TestSupport
import Testing

extension EndToEnd {
    @Suite struct Fuzzing {
        /// How much the daemon may grow over the second half of the requests: noise of the
        /// allocator, not a leak of what a request brings.
        private static let allowedGrowth = 4 * 1_048_576

        private static func seeds(_ daemon: Daemon) throws -> [[UInt8]] {
            let page = try Storefront.page(1)
            let token = try daemon.request("GET", "/v1/screens/fuzz/layout").tree().nextPageToken
            let close = [("Connection", "close")]
            return [
                Request.bytes("PUT", "/v1/screens/fuzz/pages/1", headers: close, body: page),
                Request.bytes("POST", "/v1/layout?width=768&pretty=true", body: page),
                Request.bytes("POST", "/v1/screens/fuzz/pages", headers: close, body: page),
                Request.bytes("GET", "/v1/screens/fuzz/layout?pageToken=\(token ?? "")"),
                Request.bytes("GET", "/v1/screens/fuzz/layout?collapsed=ProductList&scale=2"),
                Request.bytes(
                    "GET", "/v1/screens/fuzz/pages/0", headers: [("If-None-Match", "\"r1\"")]),
                Request.bytes("POST", "/v1/layout", headers: [("Transfer-Encoding", "chunked")])
                    + Array("f;a=b\r\n{\"sections\":[]}\r\n0\r\nA: b\r\n\r\n".utf8),
                Request.bytes("DELETE", "/v1/screens/fuzz/pages/9", headers: close),
                Request.bytes("GET", "/metrics"), Request.bytes("OPTIONS", "*"),
            ]
        }

        @Test("2,000 mutated requests leave a daemon that answers and does not grow")
        func mutatedRequests() throws {
            let seed = SeededGenerator.seed(of: "fuzzing")
            var generator = SeededGenerator(seed: seed)
            let daemon = try Daemon()
            try Storefront.store([0, 1], as: "fuzz", in: daemon)
            let seeds = try Self.seeds(daemon)
            let identifier = daemon.program.processIdentifier
            var middle = 0
            for round in 0..<2_000 {
                if round == 1_000 { middle = try ProcessFigures(of: identifier).residentBytes }
                let connection = try daemon.connect()
                try? connection.send(MutatedRequest.bytes(from: seeds, using: &generator))
                connection.finishSending()
                // Whatever comes back, the connection must end: the client has said it is done.
                _ = try connection.receiveToEnd(until: .within(.seconds(15)))
                if round % 200 == 0 {
                    let status = try daemon.request("GET", "/livez").status
                    #expect(status == 200, "seed \(seed), round \(round)")
                }
            }
            #expect(try daemon.request("GET", "/livez").status == 200, "seed \(seed)")
            let growth = try ProcessFigures(of: identifier).residentBytes - middle
            #expect(growth < Self.allowedGrowth, "seed \(seed): grew by \(growth) bytes")
            #expect(try daemon.stop() == .status(0), "seed \(seed)")
        }
    }
}
