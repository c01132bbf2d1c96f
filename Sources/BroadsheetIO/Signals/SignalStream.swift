internal import CEpoll
import Glibc

/// The signals that reach the process, one after the other, as an asynchronous sequence.
///
/// The handler itself only sends a byte to a socket, which is all that a signal handler may safely
/// do; a thread of its own receives it, so that a signal is heard however busy the loops are. It
/// works whichever threads there are already, and blocks no signal for child processes.
///
/// A process has one stream: a second one takes over from the first. It never ends.
package struct SignalStream: AsyncSequence, Sendable {
    private let signals: AsyncStream<Signal>

    /// Takes over `signals` from their default action, for as long as the process lives.
    ///
    /// - Throws: ``IOError/system(call:code:)``, for example for a signal that cannot be caught.
    ///   Signals earlier in the list stay taken over.
    package init(_ signals: [Signal]) throws(IOError) {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        try IOError.check(
            Syscalls.answer(Int(socketpair(AF_UNIX, type, 0, &ends))), "socketpair")
        let (stream, continuation) = AsyncStream.makeStream(of: Signal.self)
        self.signals = stream
        // Both ends stay open for good: the handler may run at any time until the process ends.
        let receiver = ends[0]
        _ = try WorkerThread("signals") { Self.receive(from: receiver, into: continuation) }
        for signal in signals {
            let result = cepoll_forward_signal(signal.rawValue, ends[1])
            try IOError.check(Int(result), "sigaction")
        }
    }

    /// Begins to take signals out; each is given to one iterator only.
    package func makeAsyncIterator() -> AsyncStream<Signal>.Iterator {
        signals.makeAsyncIterator()
    }

    private static func receive(
        from socket: Int32, into continuation: AsyncStream<Signal>.Continuation
    ) {
        var byte: UInt8 = 0
        while true {
            let count = Syscalls.answer(recv(socket, &byte, 1, 0))
            guard count == 1 || count == -Int(EINTR) else { return }
            if count == 1 { continuation.yield(Signal(rawValue: Int32(byte))) }
        }
    }
}
