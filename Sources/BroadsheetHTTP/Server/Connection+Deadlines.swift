import BroadsheetIO

/// The time that a connection gives its peer.
extension Connection {
    /// Sets the deadline of the input that the peer is to send next.
    func waitForInput() {
        let phase = parser.phase
        switch phase {
        case .idle where timedPhase != .idle: setDeadline(configuration.idleTimeout)
        // The head has one deadline, however slowly its bytes arrive.
        case .head where timedPhase != .head: setDeadline(configuration.headerTimeout)
        // The body's moves with each byte.
        case .body:
            progress.begin(at: loop.clock.now, minRate: configuration.minRate)
            setDeadline(configuration.bodyTimeout)
        case .idle, .head, .handedOut, .closed: break
        }
        timedPhase = phase
    }

    private func deadlinePassed() {
        if let memoryWaiter { return shard.memory.cancel(memoryWaiter) }
        switch activity {
        case .receiving where parser.phase == .idle: close()
        case .receiving: fail(.requestTimeout)
        case .sending: abort()
        case .streaming: sendHeartbeat()
        case .lingering: close()
        case .responding, .closed: break
        }
    }

    /// Starts the timer; replaces the deadline that was running.
    ///
    /// By the clock and not by the start of the turn, because a handler may have taken long since.
    func setDeadline(_ timeout: Duration) {
        deadline = loop.clock.now.advanced(by: timeout)
        startTimer()
    }

    /// Sets the timer to the deadline, or to the end of the window of the transfer, which is not
    /// judged while nothing is read.
    private func startTimer() {
        let end = memoryWaiter == nil ? progress.end : .distantFuture
        loop.setDeadline(min(deadline, end), of: timer)
    }

    /// Handles the timer: the end of a window of the transfer, or the passing of the deadline.
    func timerFired() {
        let now = loop.clock.now
        let isTooSlow = memoryWaiter == nil && progress.isTooSlow(at: now)
        if isTooSlow || now >= deadline { return deadlinePassed() }
        startTimer()
    }

    func clearDeadline() {
        timedPhase = nil
        progress = TransferProgress()
        loop.setDeadline(nil, of: timer)
    }
}

/// The progress of a body or a response while its bytes are due, in windows of a fixed length.
///
/// A window with some bytes, but fewer than the minimum rate, ends the transfer: a peer that sends
/// or reads a byte now and then would otherwise keep its memory as long as it likes. A window
/// without any byte is left to the timeouts.
struct TransferProgress {
    /// The length of a window; a burst counts only in its own.
    static let window = Duration.seconds(10)

    /// The end of the window; never if no bytes are due.
    private(set) var end = MonotonicInstant.distantFuture
    /// The smallest number of bytes in a window with any.
    private var minimum = 0
    private var bytes = 0

    /// Begins the first window, unless one has begun.
    ///
    /// - Parameter minRate: The minimum rate in bytes a second; 0 for none.
    mutating func begin(at now: MonotonicInstant, minRate: Int) {
        guard minRate > 0, end == .distantFuture else { return }
        end = now.advanced(by: Self.window)
        minimum = minRate.multipliedReportingOverflow(by: Int(Self.window.components.seconds)).0
        bytes = 0
    }

    @inline(__always)
    mutating func count(_ count: Int) { bytes &+= count }

    /// Ends the window if it is over, and begins the next one.
    ///
    /// - Returns: A Boolean value that indicates whether the window had some bytes, but too few.
    mutating func isTooSlow(at now: MonotonicInstant) -> Bool {
        guard now >= end else { return false }
        let isTooSlow = bytes > 0 && bytes < minimum
        end = now.advanced(by: Self.window)
        bytes = 0
        return isTooSlow
    }
}
