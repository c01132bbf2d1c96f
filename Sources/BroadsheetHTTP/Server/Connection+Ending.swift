import BroadsheetIO

extension Connection {
    /// Finishes what has begun and nothing else: the server shuts down.
    func drain() {
        guard activity == .receiving else { return }
        // A request may have arrived that the loop has not heard of yet; its client believes it
        // is in flight, and one read tells.
        isReadable = true
        receive()
    }

    /// Ends the connection after its last answer.
    ///
    /// Closing on unread bytes would reset the connection, and the reset could overtake the answer
    /// (RFC 9112 §9.6): where the client may still be sending, it is heard out first.
    func end(lingering: Bool) {
        guard !isInputFinished, lingering || isReadable, let number = socket?.number else {
            return close()
        }
        guard shard.syscalls.shutdownWriting(number) >= 0 else { return close() }
        activity = .lingering
        setDeadline(configuration.lingerTime)
        discardInput()
    }

    /// Reads and drops, so that the peer's sending ends in its own time.
    func discardInput() {
        for _ in 0..<Self.readsPerTurn where activity == .lingering && isReadable {
            discardOnce()
        }
        if activity == .lingering, isReadable { becomeReadableNextTurn() }
    }

    private func discardOnce() {
        guard let number = socket?.number else { return }
        switch shard.syscalls.receive(number, shard.readBuffer) {
        case let count where count > 0:
            discarded += count
            if discarded > configuration.lingerBytes { close() }
        case Syscalls.wouldBlock: isReadable = false
        case Syscalls.interrupted: break
        default: close()
        }
    }

    /// What is done when the running deadline has passed.
    func deadlinePassed() {
        switch activity {
        case .receiving where parser.phase == .idle: close()
        case .receiving: fail(.requestTimeout)
        case .sending: abort()
        case .lingering: close()
        case .responding, .closed: break
        }
    }

    /// Resets the connection: the peer is gone, or takes nothing.
    func abort() {
        if let number = socket?.number { _ = shard.syscalls.resetOnClose(number) }
        close()
    }

    /// Closes the socket and leaves the loop.
    ///
    /// Once; later calls do nothing.
    func close() {
        guard activity != .closed else { return }
        activity = .closed
        report(isComplete: false)
        task?.cancel()
        task = nil
        outbox = nil
        loop.remove(timer)
        if let registration { loop.deregister(registration) }
        registration = nil
        socket = nil
        shard.gate.leave(verdict)
        shard.remove(self)
    }

    /// Starts the timer; it replaces the deadline that ran before.
    ///
    /// By the clock, not the turn's beginning: a handler may have taken long since.
    func setDeadline(_ timeout: Duration) {
        loop.setDeadline(loop.clock.now.advanced(by: timeout), of: timer)
    }

    /// Stops the timer.
    func clearDeadline() {
        timedPhase = nil
        loop.setDeadline(nil, of: timer)
    }

    /// Tells the handler what became of the answer at hand, if there is one.
    func report(isComplete: Bool) {
        guard let exchange = exchange?.exchange(at: loop.clock.now, isComplete: isComplete) else {
            return
        }
        self.exchange = nil
        shard.handler.completed(exchange)
    }
}
