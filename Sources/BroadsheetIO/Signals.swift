import CEpoll
import Glibc

package struct Signal: Hashable, Sendable, RawRepresentable {
    package let rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    package static let hangup = Signal(rawValue: SIGHUP)
    package static let interrupt = Signal(rawValue: SIGINT)
    package static let terminate = Signal(rawValue: SIGTERM)

    /// Makes failed writes return an error instead of ending the process: into a pipe whose reader
    /// has closed (`EPIPE`), or beyond the maximum file size of the process (`EFBIG`).
    ///
    /// Sockets never raise `SIGPIPE` here; standard output and standard error would.
    package static func ignoreFailedWrites() {
        _ = signal(SIGPIPE, SIG_IGN)
        _ = signal(SIGXFSZ, SIG_IGN)
    }
}

/// The signals that reach the process, in order, as an asynchronous sequence.
///
/// The signal handler only sends a byte to a socket, which is one of the few things that it may
/// safely do; a dedicated thread receives it, so that a signal is delivered even while all loops
/// are busy. It works with any threads that exist already, and blocks no signal for child
/// processes.
///
/// A process has one stream: a second one replaces the first. The sequence never ends.
package struct SignalStream: AsyncSequence, Sendable {
    private let signals: AsyncStream<Signal>

    /// Replaces the default action of `signals`, until the process ends.
    ///
    /// - Throws: ``IOError/system(call:code:)``, for example for a signal that cannot be caught.
    ///   Signals earlier in the list stay replaced.
    package init(_ signals: [Signal]) throws(IOError) {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        try IOError.check(
            Syscalls.result(Int(socketpair(AF_UNIX, type, 0, &ends))), "socketpair")
        let (stream, continuation) = AsyncStream.makeStream(of: Signal.self)
        self.signals = stream
        // Both ends stay open permanently: the handler may run at any time until the process ends.
        let receiver = ends[0]
        _ = try WorkerThread("signals") { Self.receive(from: receiver, into: continuation) }
        for signal in signals {
            let result = cepoll_forward_signal(signal.rawValue, ends[1])
            try IOError.check(Int(result), "sigaction")
        }
    }

    /// Returns an iterator over the signals; each signal is delivered to one iterator only.
    package func makeAsyncIterator() -> AsyncStream<Signal>.Iterator {
        signals.makeAsyncIterator()
    }

    private static func receive(
        from socket: Int32, into continuation: AsyncStream<Signal>.Continuation
    ) {
        var byte: UInt8 = 0
        while true {
            let count = Syscalls.result(recv(socket, &byte, 1, 0))
            guard count == 1 || count == -Int(EINTR) else { return }
            if count == 1 { continuation.yield(Signal(rawValue: Int32(byte))) }
        }
    }
}
