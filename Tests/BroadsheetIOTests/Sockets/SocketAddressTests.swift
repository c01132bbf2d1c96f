import BroadsheetIO
import Testing

@Suite("Socket addresses")
struct SocketAddressTests {
    @Test(
        "Literals of both families are written as a URL writes them",
        arguments: [
            ("127.0.0.1", 8080, "127.0.0.1:8080"),
            ("0.0.0.0", 0, "0.0.0.0:0"),
            ("::1", 65535, "[::1]:65535"),
            ("::", 80, "[::]:80"),
        ] as [(String, UInt16, String)])
    func literals(host: String, port: UInt16, text: String) throws {
        let address = try SocketAddress(host: host, port: port)
        #expect(address.description == text)
        #expect(address.port == port)
    }

    @Test(
        "A host that is none is an error that names it",
        arguments: [
            "256.0.0.1", "not a host", "127.0.0.1:80",
        ])
    func unknown(host: String) {
        let error = #expect(throws: IOError.self) { try SocketAddress(host: host, port: 80) }
        guard case .unresolvableHost(host, let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(!reason.isEmpty)
    }
}
