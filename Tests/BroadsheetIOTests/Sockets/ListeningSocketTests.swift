import Glibc
import Testing

@testable import BroadsheetIO

@Suite("Listening sockets")
struct ListeningSocketTests {
    @Test("Port 0 takes a free port and says which", arguments: ["127.0.0.1", "::1"])
    func freePort(host: String) throws {
        let first = try ListeningSocket(binding: SocketAddress(host: host, port: 0))
        let second = try ListeningSocket(binding: SocketAddress(host: host, port: 0))
        #expect(first.address.port != 0)
        #expect(first.address.port != second.address.port)
    }

    @Test("A port that is taken is an error that names the address")
    func taken() throws {
        let first = try ListeningSocket(binding: SocketAddress(host: "127.0.0.1", port: 0))
        let address = first.address
        #expect(throws: IOError.system(call: "bind \(address)", code: EADDRINUSE)) {
            _ = try ListeningSocket(binding: address)
        }
    }

    @Test("It is non-blocking, and not passed on to child processes")
    func flags() throws {
        let socket = try ListeningSocket(binding: SocketAddress(host: "127.0.0.1", port: 0))
        #expect(fcntl(socket.descriptor.number, F_GETFL) & O_NONBLOCK != 0)
        #expect(fcntl(socket.descriptor.number, F_GETFD) & FD_CLOEXEC != 0)
    }
}
