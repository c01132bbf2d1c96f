import Glibc

/// A TCP socket on its way to a server, which it reaches without anybody waiting.
package struct OutgoingSocket: ~Copyable, Sendable {
    /// The socket; writable once the connection stands or has failed.
    package let descriptor: FileDescriptor

    /// Begins to connect, non-blocking and close-on-exec.
    ///
    /// - Throws: ``IOError/system(call:code:)`` when it is refused at once; no socket is left open.
    package init(connectingTo address: SocketAddress) throws(IOError) {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let number = Syscalls.answer(Int(socket(address.family, type, 0)))
        let descriptor = FileDescriptor(owning: Int32(try IOError.check(number, "socket")))
        var on: Int32 = 1
        // Commands are written whole, so Nagle's wait for more only delays the last segment.
        setsockopt(
            descriptor.number, Int32(IPPROTO_TCP), TCP_NODELAY, &on,
            socklen_t(MemoryLayout<Int32>.size))
        let socketNumber = descriptor.number
        let answer = address.withSockaddr { Syscalls.answer(Int(connect(socketNumber, $0, $1))) }
        if answer != -Int(EINPROGRESS) { try IOError.check(answer, "connect to \(address)") }
        self.descriptor = descriptor
    }

    /// What came of connecting, to be asked once the socket is writable.
    ///
    /// - Throws: ``IOError/system(call:code:)``, for example `ECONNREFUSED`.
    package borrowing func checkConnected() throws(IOError) {
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        let answer = getsockopt(descriptor.number, SOL_SOCKET, SO_ERROR, &code, &size)
        try IOError.check(Syscalls.answer(Int(answer)), "getsockopt")
        try IOError.check(-Int(code), "connect")
    }
}
