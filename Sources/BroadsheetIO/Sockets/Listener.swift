import CEpoll
import Glibc

/// An acceptor of connections, on one loop.
///
/// It continues after every failure of `accept`: connections that cannot be accepted stay in the
/// kernel's queue, and the listener tries again after a pause (``AcceptFailure``).
package final class Listener: ReadinessHandler, @unchecked Sendable {
    // Unchecked: after `init` all state is used on `loop`'s thread only.

    /// The pause after the process or the machine has run out of a resource.
    package static let pauseDuration = Duration.milliseconds(100)
    /// The maximum number of connections accepted per turn, so that other sockets are served too.
    static let acceptsPerTurn = 64

    package let address: SocketAddress
    private let loop: EventLoop
    private let syscalls: Syscalls
    private let onAccept: (consuming FileDescriptor) -> Void
    private let onExhaustion: (Int32) -> Void
    private let isShared: Bool
    private var socket: FileDescriptor?
    private var registration: Registration?
    private lazy var resumption = DeadlineTimer { [unowned self] in setInterest(.readable) }

    /// Creates a listener that does not accept yet.
    ///
    /// - Parameters:
    ///   - socket: The listening socket; closed by ``stop()``.
    ///   - loop: The loop on which connections are accepted.
    ///   - syscalls: The system calls of the accepted connections.
    ///   - onAccept: Called with each connection, on `loop`'s thread: non-blocking and
    ///     close-on-exec.
    ///   - onExhaustion: Called with each `errno` value that caused a pause, on `loop`'s thread.
    package init(
        socket: consuming ListeningSocket, loop: EventLoop, syscalls: Syscalls = .system,
        onExhaustion: @escaping @Sendable (Int32) -> Void = { _ in },
        onAccept: @escaping @Sendable (consuming FileDescriptor) -> Void
    ) {
        address = socket.address
        isShared = socket.isShared
        self.loop = loop
        self.syscalls = syscalls
        self.onAccept = onAccept
        self.onExhaustion = onExhaustion
        self.socket = socket.takeDescriptor()
    }

    /// Begins to accept; called on the loop's thread.
    ///
    /// - Throws: ``IOError/system(call:code:)`` when the kernel cannot monitor the socket.
    package func start() throws(IOError) {
        guard let number = socket?.number, registration == nil else { return }
        registration = try loop.register(number, for: .readable, trigger: .level, handler: self)
    }

    /// Accepts the connections that the kernel has completed, then closes the socket; called on the
    /// loop's thread.
    ///
    /// Of a socket that other processes have, too, it accepts none: they wait in the kernel for the
    /// next process.
    package func stop() {
        guard let registration else { return }
        if !isShared { acceptCompleted(from: registration.descriptor) }
        self.registration = nil
        loop.remove(resumption)
        loop.deregister(registration)
        socket = nil
    }

    /// Accepts all connections that the kernel has completed, and lets it complete no others.
    private func acceptCompleted(from listener: Int32) {
        // Their clients are connected already; closing the socket would reset them, and also those
        // that connect after the last one is accepted.
        _ = cepoll_ignore_connections(listener)
        for _ in 0..<ListeningSocket.backlog {
            guard takeNext(from: listener) else { return }
        }
    }

    package func becameReady(_ readiness: Readiness) {
        guard let registration else { return }
        for _ in 0..<Self.acceptsPerTurn {
            guard takeNext(from: registration.descriptor) else { return }
        }
    }

    /// Accepts the next connection.
    ///
    /// - Returns: `false` when no connection can be accepted for now.
    private func takeNext(from listener: Int32) -> Bool {
        let result = syscalls.accept(listener)
        guard result < 0 else {
            onAccept(FileDescriptor(owning: Int32(result), syscalls: syscalls))
            return true
        }
        let code = Int32(truncatingIfNeeded: -result)
        switch AcceptFailure(code: code) {
        case .skipped: return true
        case .drained: return false
        case .exhausted:
            onExhaustion(code)
            pause()
            return false
        }
    }

    /// Ignores the listener's readiness during the pause, because the pending connection keeps it
    /// readable.
    private func pause() {
        setInterest([])
        loop.setDeadline(loop.now.advanced(by: Self.pauseDuration), of: resumption)
    }

    private func setInterest(_ interest: Readiness) {
        guard let registration else { return }
        // Changing an existing registration allocates nothing, so it cannot fail.
        try? loop.setInterest(interest, of: registration)
    }
}

/// The consequence of a failed `accept` (accept(2), "ERRORS").
package enum AcceptFailure: Hashable, Sendable {
    /// No connection is waiting; accepting stops until the listener is ready again.
    case drained
    /// The connection is lost, or the call was interrupted; the next one is accepted.
    case skipped
    /// The machine or the process has run out of a resource; accepting pauses, because the pending
    /// connection keeps the listener readable, and a loop that tries again at once would use all of
    /// its processor time.
    case exhausted

    /// Classifies an `errno` value that `accept4` failed with.
    package init(code: Int32) {
        switch code {
        case EAGAIN: self = .drained
        case EINTR, ECONNABORTED: self = .skipped
        // Linux passes pending network errors of the new socket to the caller of accept.
        case EPROTO, ENETDOWN, ENOPROTOOPT, EHOSTDOWN, ENONET, EHOSTUNREACH, EOPNOTSUPP,
            ENETUNREACH, ETIMEDOUT, EPERM:
            self = .skipped
        // EMFILE, ENFILE, ENOBUFS, ENOMEM, and any other: the listener always tries again.
        default: self = .exhausted
        }
    }
}
