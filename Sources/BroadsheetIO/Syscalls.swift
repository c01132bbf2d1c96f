import CEpoll
import Glibc

/// The system calls on a connection, as values, so that a test can make each of them fail.
///
/// Every call but `peer` returns as the kernel does: zero or more on success, `-errno` on failure.
/// None of them blocks, and none of them raises `SIGPIPE`.
package struct Syscalls: Sendable {
    /// Takes the next connection off a listening socket: a descriptor, non-blocking, close-on-exec.
    package var accept: @Sendable (_ listener: Int32) -> Int
    package var peer: @Sendable (_ socket: Int32) -> IPAddress?
    /// Reads the bytes that have arrived: returns their number, 0 at the end of the peer's stream.
    package var receive: @Sendable (_ socket: Int32, _ into: UnsafeMutableRawBufferPointer) -> Int
    /// Sends `first` and then `second` in one call: returns the number of bytes the kernel
    /// accepted.
    package var send:
        @Sendable (
            _ socket: Int32, _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer
        ) -> Int
    /// Ends this side's stream; the peer's may continue.
    package var shutdownWriting: @Sendable (_ socket: Int32) -> Int
    /// Makes the coming close discard unsent bytes and reset the connection.
    package var resetOnClose: @Sendable (_ socket: Int32) -> Int
    /// Limits the bytes that the kernel keeps unsent, and the time that it waits for the peer to
    /// accept any; a failure only costs memory.
    package var limitUnsent:
        @Sendable (_ socket: Int32, _ byteCount: Int, _ timeout: Duration) -> Int
    package var close: @Sendable (_ descriptor: Int32) -> Int
}

extension Syscalls {
    /// The result of a call that a signal interrupted (`EINTR`): repeat it.
    package static let interrupted = -Int(EINTR)
    /// The result when nothing has arrived or the buffer is full (`EAGAIN`): wait for readiness.
    package static let wouldBlock = -Int(EAGAIN)
}

extension Syscalls {
    package static let system = Syscalls(
        accept: { listener in result(Int(cepoll_accept(listener))) },
        peer: { socket in IPAddress(peerOf: socket) },
        receive: { socket, buffer in result(recv(socket, buffer.baseAddress, buffer.count, 0)) },
        send: { socket, first, second in sendGathered(socket, first, second) },
        shutdownWriting: { socket in result(Int(shutdown(socket, Int32(SHUT_WR)))) },
        resetOnClose: { socket in setLinger(socket, seconds: 0) },
        limitUnsent: { socket, byteCount, timeout in
            let milliseconds = timeout.wholeNanoseconds / 1_000_000
            let result = set(TCP_NOTSENT_LOWAT, to: Int32(clamping: byteCount), of: socket)
            return result < 0
                ? result : set(TCP_USER_TIMEOUT, to: Int32(clamping: milliseconds), of: socket)
        },
        close: { descriptor in result(Int(Glibc.close(descriptor))) })

    /// Converts the C library's convention (-1 and `errno`) to the kernel's (`-errno`).
    static func result(_ value: Int) -> Int {
        value >= 0 ? value : -Int(errno)
    }

    private static func sendGathered(
        _ socket: Int32, _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer
    ) -> Int {
        // The kernel only reads from these; iovec has no type for a constant base.
        var pieces = (
            iovec(
                iov_base: UnsafeMutableRawPointer(mutating: first.baseAddress), iov_len: first.count
            ),
            iovec(
                iov_base: UnsafeMutableRawPointer(mutating: second.baseAddress),
                iov_len: second.count)
        )
        return withUnsafeMutablePointer(to: &pieces) { pair in
            pair.withMemoryRebound(to: iovec.self, capacity: 2) { vectors in
                var message = msghdr()
                message.msg_iov = vectors
                message.msg_iovlen = second.isEmpty ? 1 : 2
                // writev has no flags, and a peer that has closed would then raise SIGPIPE.
                return result(sendmsg(socket, &message, Int32(MSG_NOSIGNAL)))
            }
        }
    }

    private static func set(_ option: Int32, to value: Int32, of socket: Int32) -> Int {
        var value = value
        let size = socklen_t(MemoryLayout<Int32>.size)
        return result(Int(setsockopt(socket, Int32(IPPROTO_TCP), option, &value, size)))
    }

    private static func setLinger(_ socket: Int32, seconds: Int32) -> Int {
        var value = linger(l_onoff: 1, l_linger: seconds)
        let size = socklen_t(MemoryLayout<linger>.size)
        return result(Int(setsockopt(socket, SOL_SOCKET, SO_LINGER, &value, size)))
    }
}
