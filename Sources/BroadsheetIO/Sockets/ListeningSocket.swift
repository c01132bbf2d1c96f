import Glibc

/// A bound, listening TCP socket that nobody accepts from yet.
package struct ListeningSocket: ~Copyable, Sendable {
    /// How many connections the kernel completes ahead of `accept`; it caps this by `somaxconn`.
    static let backlog: Int32 = 4096

    /// The address it is bound to, with the port that the kernel chose when 0 was asked for.
    package let address: SocketAddress
    let descriptor: FileDescriptor

    /// Binds and listens.
    ///
    /// - Throws: ``IOError/system(call:code:)``, for example `EADDRINUSE` or `EACCES`; no socket is
    ///   left open.
    package init(binding address: SocketAddress) throws(IOError) {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let number = Syscalls.answer(Int(socket(address.family, type, 0)))
        let descriptor = FileDescriptor(owning: Int32(try IOError.check(number, "socket")))
        // A restarted daemon takes its port back although old connections linger in TIME_WAIT.
        try Self.enable(SO_REUSEADDR, SOL_SOCKET, on: descriptor, "SO_REUSEADDR")
        // Answers are written whole, so waiting for more (Nagle) only delays their last segment.
        // Linux passes the option on to every accepted socket, which saves a call on each.
        try Self.enable(TCP_NODELAY, Int32(IPPROTO_TCP), on: descriptor, "TCP_NODELAY")
        let socketNumber = descriptor.number
        let bound = address.withSockaddr { Syscalls.answer(Int(bind(socketNumber, $0, $1))) }
        try IOError.check(bound, "bind \(address)")
        try IOError.check(Syscalls.answer(Int(listen(socketNumber, Self.backlog))), "listen")
        self.address = try SocketAddress(of: descriptor)
        self.descriptor = descriptor
    }

    /// Gives the descriptor away.
    consuming func takeDescriptor() -> FileDescriptor { descriptor }

    private static func enable(
        _ option: Int32, _ level: Int32, on descriptor: borrowing FileDescriptor, _ name: String
    ) throws(IOError) {
        var on: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        let result = setsockopt(descriptor.number, level, option, &on, size)
        try IOError.check(Syscalls.answer(Int(result)), name)
    }
}
