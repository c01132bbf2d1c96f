import Glibc

/// A blocking TCP socket of this machine's, for servers that tests make up.
final class TestSocket: Sendable {
    struct Failed: Error {}

    private let descriptor: Int32

    init(owning descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Listens on a free port.
    static func observer() throws -> (socket: TestSocket, port: UInt16) {
        let socket = TestSocket(
            owning: Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
        var address = loopback(port: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket.descriptor, $0, size) | listen(socket.descriptor, 64)
                    | getsockname(socket.descriptor, $0, &size)
            }
        }
        guard result == 0 else { throw Failed() }
        return (socket, UInt16(bigEndian: address.sin_port))
    }

    /// Connects to a port.
    static func connected(to port: UInt16) throws -> TestSocket {
        let socket = TestSocket(
            owning: Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
        var address = loopback(port: port)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket.descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failed() }
        return socket
    }

    /// Waits for the next connection; nil once the socket is shut down.
    func accept() -> TestSocket? {
        let accepted = Glibc.accept(descriptor, nil, nil)
        return accepted < 0 ? nil : TestSocket(owning: accepted)
    }

    /// Waits for bytes; none at the end.
    func receive() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? Array(buffer[..<count]) : []
    }

    /// Sends all of `bytes`, unless the peer is gone.
    func send(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    /// Ends it for both sides, and wakes whoever waits on it.
    func shutDown() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
