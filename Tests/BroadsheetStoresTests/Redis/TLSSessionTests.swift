import TestSupport
import Testing

@testable import BroadsheetStores

@Suite("A session of TLS")
struct TLSSessionTests {
    private func session(with host: String = "127.0.0.1") throws -> TLSSession {
        var tls = RedisTLS()
        tls.ca = try Certificates.shared.path("ca.pem")
        return try TLSSession(TLSContext(tls), with: host)
    }

    @Test("A session begins with a handshake, which names the host unless it is an address")
    func hello() throws {
        for (host, isNamed) in [("redis.example", true), ("redis.example.", true), ("::1", false)] {
            var output: [UInt8] = []
            let session = try self.session(with: host)
            try session.begin(&output)
            #expect(output.first == 22)
            let text = String(decoding: output, as: UTF8.self)
            #expect(text.contains("redis.example") == isNamed)
            #expect(!session.isEstablished)
            // Nothing is sent in the clear.
            let before = output
            try session.send(Array("PING".utf8), &output)
            #expect(output == before)
        }
    }

    @Test("A name that no certificate can have is a failure", arguments: ["", ".", "a\u{0}b"])
    func impossibleName(host: String) {
        #expect(throws: TLSFailure.self) { try session(with: host) }
    }

    @Test("Bytes that are not TLS are a failure, and the daemon goes on", arguments: 0..<40)
    func hostile(number: UInt64) throws {
        var generator = SeededGenerator(seed: number)
        var output: [UInt8] = []
        let session = try self.session()
        try session.begin(&output)
        var bytes = (0..<(1 + Int(number) * 20)).map { _ in
            UInt8.random(in: .min ... .max, using: &generator)
        }
        // Half of them begin as a record of the handshake.
        if number % 2 == 0 { bytes = [22, 3, 3, 0, UInt8(min(bytes.count, 255))] + bytes }
        var delivered = 0
        do throws(TLSFailure) {
            // In pieces, as a network delivers them.
            for start in stride(from: 0, to: bytes.count, by: 7) {
                let piece = bytes[start..<min(start + 7, bytes.count)]
                _ = try session.receive(piece, &output) { delivered += $0.count }
            }
        } catch {
            #expect(error.reason.hasPrefix("TLS: "), "\(error.reason)")
        }
        #expect(!session.isEstablished && delivered == 0, "seed \(number)")
    }

    @Test(
        "A server without TLS is a failure with the reason",
        arguments: ["-ERR unknown command\r\n", "HTTP/1.1 400 Bad Request\r\n"])
    func plain(reply: String) throws {
        var output: [UInt8] = []
        let session = try self.session()
        try session.begin(&output)
        let bytes = Array(reply.utf8)
        #expect(throws: TLSFailure(reason: "TLS: wrong version number")) {
            try session.receive(bytes[...], &output) { _ in }
        }
    }
}
