import TestSupport
import Testing

extension EndToEnd {
    @Suite struct Fuzzing {
        /// The most memory, in bytes, that the daemon may gain during the second half of the
        /// requests: the allocator's noise is less, a leak in a request is more.
        private static let allowedGrowth = 4 * 1_048_576

        private static func seeds(_ daemon: TestDaemon) throws -> [[UInt8]] {
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

        @Test("After 2,000 mutated requests the daemon responds, and its memory has not grown")
        func mutatedRequests() throws {
            let seed = SeededGenerator.seed(of: "fuzzing")
            var generator = SeededGenerator(seed: seed)
            let daemon = try TestDaemon()
            try Storefront.store([0, 1], as: "fuzz", in: daemon)
            let seeds = try Self.seeds(daemon)
            let identifier = daemon.program.processIdentifier
            var middle = 0
            for round in 0..<2_000 {
                if round == 1_000 { middle = try ProcessFigures(of: identifier).residentBytes }
                let connection = try daemon.connect()
                try? connection.send(MutatedRequest.bytes(from: seeds, using: &generator))
                connection.finishSending()
                // The connection must end after any response, because the client has finished.
                _ = try connection.receiveToEnd(until: .within(.seconds(25)))
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

/// Creates variants of well-formed requests.
enum MutatedRequest {
    /// Bytes with a meaning in HTTP, URIs or JSON.
    private static let syntaxBytes =
        Array("\r\n\0\t :,;/%?#\"\\{}[]eE+-.09\u{7f}".utf8) + [0xc0, 0xff]

    /// Returns one of `seeds` with random changes.
    static func bytes(
        from seeds: [[UInt8]], using generator: inout SeededGenerator
    ) -> [UInt8] {
        var bytes = seeds.randomElement(using: &generator) ?? []
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
            mutate(&bytes, &generator)
        }
        return bytes
    }

    private static func mutate(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
        let start = Int.random(in: 0...bytes.count, using: &generator)
        let end = min(bytes.count, start + Int.random(in: 0...40, using: &generator))
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: bytes.removeSubrange(start..<end)
        case 1: bytes.insert(contentsOf: bytes[start..<end], at: start)
        case 2: bytes.removeSubrange(start...)
        case 3: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: start)
        case 4 where start < bytes.count:
            bytes[start] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        default:
            if let byte = syntaxBytes.randomElement(using: &generator) {
                bytes.insert(byte, at: start)
            }
        }
    }
}
