internal import CEpoll
import Glibc

extension Syscalls {
    /// The kernel's own.
    package static let system = Syscalls(
        accept: { listener in answer(Int(cepoll_accept(listener))) },
        receive: { socket, buffer in answer(recv(socket, buffer.baseAddress, buffer.count, 0)) },
        send: { socket, first, second in sendGathered(socket, first, second) },
        shutdownWriting: { socket in answer(Int(shutdown(socket, Int32(SHUT_WR)))) },
        resetOnClose: { socket in setLinger(socket, seconds: 0) },
        close: { descriptor in answer(Int(Glibc.close(descriptor))) })

    /// Turns the C library's convention (-1 and `errno`) into the kernel's (`-errno`).
    static func answer(_ result: Int) -> Int {
        result >= 0 ? result : -Int(errno)
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
                // writev has no flags, and a peer that has gone would then raise SIGPIPE.
                return answer(sendmsg(socket, &message, Int32(MSG_NOSIGNAL)))
            }
        }
    }

    private static func setLinger(_ socket: Int32, seconds: Int32) -> Int {
        var value = linger(l_onoff: 1, l_linger: seconds)
        let size = socklen_t(MemoryLayout<linger>.size)
        return answer(Int(setsockopt(socket, SOL_SOCKET, SO_LINGER, &value, size)))
    }
}

extension Syscalls {
    /// The answer of a call that a signal cut short (`EINTR`): make it again.
    package static let interrupted = -Int(EINTR)
    /// The answer when nothing has arrived or there is no room (`EAGAIN`): wait to be told.
    package static let wouldBlock = -Int(EAGAIN)
}
