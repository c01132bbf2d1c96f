import Glibc
import Testing

@testable import BroadsheetIO

@Suite("Listening sockets")
struct ListeningSocketTests {
    @Test("Port 0 binds a free port and returns it", arguments: ["127.0.0.1", "::1"])
    func freePort(host: String) throws {
        let first = try ListeningSocket(binding: SocketAddress(host: host, port: 0))
        let second = try ListeningSocket(binding: SocketAddress(host: host, port: 0))
        #expect(first.address.port != 0)
        #expect(first.address.port != second.address.port)
    }

    @Test("A port in use is an error that names the address")
    func taken() throws {
        let first = try ListeningSocket(binding: SocketAddress(host: "127.0.0.1", port: 0))
        let address = first.address
        #expect(throws: IOError.system(call: "bind \(address)", code: EADDRINUSE)) {
            _ = try ListeningSocket(binding: address)
        }
    }

    @Test("A listening socket is non-blocking, and not passed on to child processes")
    func flags() throws {
        let socket = try ListeningSocket(binding: SocketAddress(host: "127.0.0.1", port: 0))
        #expect(fcntl(socket.descriptor.number, F_GETFL) & O_NONBLOCK != 0)
        #expect(fcntl(socket.descriptor.number, F_GETFD) & FD_CLOEXEC != 0)
    }
}

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
        "A malformed host is an error that names it",
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
