import BroadsheetIO
import Testing

@Suite("Addresses that only this machine can reach (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3)")
struct LoopbackAddressTests {
    @Test(
        "127.0.0.0/8 and ::1 are loopback addresses, and no others are",
        arguments: [
            ("127.0.0.1", true), ("127.1.2.3", true), ("::1", true), ("::ffff:127.0.0.1", true),
            ("localhost", true), ("0.0.0.0", false), ("::", false), ("10.0.0.1", false),
            ("128.0.0.1", false), ("::2", false), ("::ffff:10.127.0.0", false), ("1::1", false),
            ("::127.0.0.1", false), ("2001:db8::1", false),
        ])
    func isLoopback(host: String, expected: Bool) throws {
        #expect(try SocketAddress(host: host, port: 1).isLoopback == expected)
    }
}
