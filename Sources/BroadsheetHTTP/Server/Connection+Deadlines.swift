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

    /// Handles the passing of the running deadline.
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
