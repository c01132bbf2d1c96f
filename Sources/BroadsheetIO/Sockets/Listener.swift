/// Accepts connections on one loop and hands them out.
///
/// It outlives every failure of `accept`: what cannot be accepted now is left in the kernel's queue
/// and tried again after a pause (``AcceptFailure``).
package final class Listener: ReadinessHandler, @unchecked Sendable {
    // Unchecked: after `init` all state is touched on `loop`'s thread only.

    /// How long accepting rests after the process or the machine has run out of something.
    package static let pause = Duration.milliseconds(100)
    /// How many connections one turn accepts before other sockets have theirs.
    static let acceptsPerTurn = 64

    /// The address it accepts on.
    package let address: SocketAddress
    private let loop: EventLoop
    private let syscalls: Syscalls
    private let onAccept: (consuming FileDescriptor) -> Void
    private let onExhaustion: (Int32) -> Void
    private var socket: FileDescriptor?
    private var registration: Registration?
    private lazy var resumption = DeadlineTimer { [unowned self] in setInterest(.readable) }

    /// Makes a listener that accepts nothing yet.
    ///
    /// - Parameters:
    ///   - socket: The listening socket; closed by ``stop()``.
    ///   - loop: Where accepting happens.
    ///   - onAccept: Takes each connection, on `loop`'s thread: non-blocking and close-on-exec.
    ///   - onExhaustion: Hears, on `loop`'s thread, each `errno` value that made accepting pause.
    package init(
        socket: consuming ListeningSocket, loop: EventLoop, syscalls: Syscalls = .system,
        onExhaustion: @escaping @Sendable (Int32) -> Void = { _ in },
        onAccept: @escaping @Sendable (consuming FileDescriptor) -> Void
    ) {
        address = socket.address
        self.loop = loop
        self.syscalls = syscalls
        self.onAccept = onAccept
        self.onExhaustion = onExhaustion
        self.socket = socket.takeDescriptor()
    }

    /// Begins to accept.
    ///
    /// On the loop's thread.
    ///
    /// - Throws: ``IOError/system(call:code:)`` when the kernel cannot watch the socket.
    package func start() throws(IOError) {
        guard let number = socket?.number, registration == nil else { return }
        registration = try loop.register(number, for: .readable, .level, self)
    }

    /// Accepts what the kernel has already completed, then closes the socket.
    ///
    /// On the loop's thread.
    package func stop() {
        guard let registration else { return }
        // Their clients believe in these connections; closing the socket would reset them.
        for _ in 0..<ListeningSocket.backlog {
            guard takeNext(from: registration.descriptor) else { break }
        }
        self.registration = nil
        loop.remove(resumption)
        loop.deregister(registration)
        socket = nil
    }

    /// Accepts this turn's share.
    package func becameReady(_ readiness: Readiness) {
        guard let registration else { return }
        for _ in 0..<Self.acceptsPerTurn {
            guard takeNext(from: registration.descriptor) else { return }
        }
    }

    /// Hands the next connection on; false when there is none to be had for now.
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
            rest()
            return false
        }
    }

    /// Stops hearing of the listener for a while: the pending connection keeps it readable.
    private func rest() {
        setInterest([])
        loop.setDeadline(loop.now.advanced(by: Self.pause), of: resumption)
    }

    private func setInterest(_ interest: Readiness) {
        guard let registration else { return }
        // Changing a watch that exists allocates nothing, and so does not fail.
        try? loop.setInterest(interest, of: registration)
    }
}
