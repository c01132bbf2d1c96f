import Glibc

/// A listening socket that the tests keep and pass to daemons, as systemd does for a socket unit.
final class HandedSocket {
    private let descriptor: Int32
    /// The port, of the loopback interface or of all.
    let port: UInt16

    /// Begins to listen on a free port.
    ///
    /// - Parameter isLoopback: Whether only this machine can reach the socket.
    init(isLoopback: Bool = true) throws {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let made = socket(AF_INET, type, 0)
        // Above the descriptors that a daemon gets, so that one is not replaced by another.
        descriptor = fcntl(made, F_DUPFD_CLOEXEC, 100)
        close(made)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(isLoopback ? 0x7f00_0001 : 0).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let number = descriptor
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(number, $0, size) | listen(number, 4096) | getsockname(number, $0, &size)
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard result == 0 else { throw HarnessError("no socket: errno \(errno)") }
    }

    deinit { close(descriptor) }

    /// Starts a daemon that inherits sockets.
    ///
    /// - Parameters:
    ///   - sockets: The sockets.
    ///   - options: The options of `broadsheet serve`.
    ///   - count: The value of `LISTEN_FDS`; `nil` for the number of sockets.
    static func serve(
        on sockets: [HandedSocket], _ options: [String] = [], count: String? = nil
    ) throws -> Program {
        // The shell becomes the daemon and keeps its process ID.
        let script = "LISTEN_PID=$$ exec \"$0\" \"$@\""
        return try Program(
            ["/bin/sh", "-c", script, Repository.binary, "serve", "--port", "1"] + options,
            environment: ["LISTEN_FDS": count ?? "\(sockets.count)"],
            inherited: sockets.map(\.descriptor))
    }
}
