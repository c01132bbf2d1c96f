import Glibc

/// A bound, listening TCP socket.
package struct ListeningSocket: ~Copyable, Sendable {
    /// The number of connections that the kernel completes ahead of `accept`; limited by
    /// `somaxconn`.
    static let backlog: Int32 = 4096

    /// The address it is bound to, with the port that the kernel chose when 0 was given.
    package let address: SocketAddress
    let descriptor: FileDescriptor
    /// A Boolean value that indicates whether other processes have the socket, too, and accept from
    /// it after this one.
    let isShared: Bool

    /// Binds and listens.
    ///
    /// - Throws: ``IOError/system(call:code:)``, for example `EADDRINUSE` or `EACCES`; no socket is
    ///   left open.
    package init(binding address: SocketAddress) throws(IOError) {
        let descriptor = try FileDescriptor(nonBlockingStreamOf: address.family)
        // A restarted daemon can bind its port again while old connections are in TIME_WAIT.
        try Self.enable(SO_REUSEADDR, level: SOL_SOCKET, on: descriptor, name: "SO_REUSEADDR")
        // Responses are written whole, so Nagle's algorithm only delays their last segment.
        // Linux passes the option on to every accepted socket, which saves a call on each.
        try Self.enable(TCP_NODELAY, level: Int32(IPPROTO_TCP), on: descriptor, name: "TCP_NODELAY")
        let socketNumber = descriptor.number
        let bound = address.withSockaddr { Syscalls.result(Int(bind(socketNumber, $0, $1))) }
        try IOError.check(bound, "bind \(address)")
        try IOError.check(Syscalls.result(Int(listen(socketNumber, Self.backlog))), "listen")
        self.address = try SocketAddress(of: descriptor)
        self.descriptor = descriptor
        isShared = false
    }

    /// Takes ownership of a listening socket that the process has inherited.
    ///
    /// - Throws: ``IOError/system(call:code:)``; the socket is then closed in this process.
    package init(inheriting number: Int32) throws(IOError) {
        let descriptor = FileDescriptor(owning: number)
        let flags = try IOError.check(Syscalls.result(Int(fcntl(number, F_GETFL))), "fcntl")
        for (command, value) in [
            (F_SETFL, Int32(truncatingIfNeeded: flags) | O_NONBLOCK), (F_SETFD, FD_CLOEXEC),
        ] {
            try IOError.check(Syscalls.result(Int(fcntl(number, command, value))), "fcntl")
        }
        try Self.enable(TCP_NODELAY, level: Int32(IPPROTO_TCP), on: descriptor, name: "TCP_NODELAY")
        self.address = try SocketAddress(of: descriptor)
        self.descriptor = descriptor
        isShared = true
    }

    consuming func takeDescriptor() -> FileDescriptor { descriptor }

    private static func enable(
        _ option: Int32, level: Int32, on descriptor: borrowing FileDescriptor, name: String
    ) throws(IOError) {
        var on: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        let result = setsockopt(descriptor.number, level, option, &on, size)
        try IOError.check(Syscalls.result(Int(result)), name)
    }
}

/// A TCP socket that connects to a server without blocking.
package struct OutgoingSocket: ~Copyable, Sendable {
    /// The socket; writable once it is connected or has failed to connect.
    package let descriptor: FileDescriptor

    /// Begins to connect, non-blocking and close-on-exec.
    ///
    /// - Throws: ``IOError/system(call:code:)`` on immediate failure; no socket is left open.
    package init(connectingTo address: SocketAddress) throws(IOError) {
        let descriptor = try FileDescriptor(nonBlockingStreamOf: address.family)
        var on: Int32 = 1
        // Commands are written whole, so Nagle's algorithm only delays their last segment.
        setsockopt(
            descriptor.number, Int32(IPPROTO_TCP), TCP_NODELAY, &on,
            socklen_t(MemoryLayout<Int32>.size))
        let socketNumber = descriptor.number
        let result = address.withSockaddr { Syscalls.result(Int(connect(socketNumber, $0, $1))) }
        if result != -Int(EINPROGRESS) { try IOError.check(result, "connect to \(address)") }
        self.descriptor = descriptor
    }

    /// Checks that the connection was made; called once the socket is writable.
    ///
    /// - Throws: ``IOError/system(call:code:)``, for example `ECONNREFUSED`.
    package borrowing func checkConnected() throws(IOError) {
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        let result = getsockopt(descriptor.number, SOL_SOCKET, SO_ERROR, &code, &size)
        try IOError.check(Syscalls.result(Int(result)), "getsockopt")
        try IOError.check(-Int(code), "connect")
    }
}

extension FileDescriptor {
    /// Creates a TCP socket, non-blocking and close-on-exec.
    fileprivate init(nonBlockingStreamOf family: Int32) throws(IOError) {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let number = Syscalls.result(Int(socket(family, type, 0)))
        self.init(owning: Int32(try IOError.check(number, "socket")))
    }
}
