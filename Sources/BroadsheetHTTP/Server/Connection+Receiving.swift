import BroadsheetIO

extension Connection {
    /// How many reads a connection has before others have theirs; a body may be megabytes.
    static let readsPerTurn = 4

    /// Reads this turn's share, as long as the parser wants more.
    func receive() {
        for _ in 0..<Self.readsPerTurn where activity == .receiving && isReadable {
            receiveOnce()
        }
        guard activity == .receiving else { return }
        if isReadable {
            becomeReadableNextTurn()
        } else if shard.isDraining, parser.phase != .body {
            close()
        }
    }

    /// Has the kernel's edge repeated, after other connections have had their turn.
    func becomeReadableNextTurn() {
        guard let registration else { return }
        loop.redeliver(.readable, to: registration)
    }

    private func receiveOnce() {
        guard let number = socket?.number else { return }
        let buffer = shard.readBuffer
        switch shard.syscalls.receive(number, buffer) {
        case let count where count > 0:
            // A short read has emptied the socket, and the kernel will report what comes next;
            // only an end that it has reported already still waits to be read.
            if count < buffer.count, !hasPeerEnded { isReadable = false }
            let bytes = UnsafeRawBufferPointer(
                rebasing: UnsafeRawBufferPointer(buffer).prefix(count))
            perform(parser.feed(bytes))
        case 0:
            isReadable = false
            isInputFinished = true
            perform(parser.finish())
        case Syscalls.wouldBlock: isReadable = false
        case Syscalls.interrupted: break
        default: abort()
        }
    }

    /// Does what the parser asks for.
    func perform(_ action: HTTPParserAction) {
        switch action {
        case .wait: waitForInput()
        case .expectContinue: sendContinue()
        case .request(let request): respond(to: request)
        case .failure(let error): fail(error)
        case .end: close()
        }
    }

    /// Sets the deadline of whatever the peer is expected to send.
    func waitForInput() {
        let phase = parser.phase
        switch phase {
        case .idle where timedPhase != .idle: setDeadline(configuration.idleTimeout)
        // The head's deadline stands however its bytes drip in.
        case .head where timedPhase != .head: setDeadline(configuration.headerTimeout)
        // The body's moves on with each byte.
        case .body: setDeadline(configuration.bodyTimeout)
        case .idle, .head, .handedOut, .closed: break
        }
        timedPhase = phase
    }

    /// Hands a request to the handler, in a task that runs on the loop before this turn is over.
    private func respond(to request: HTTPRequest) {
        activity = .responding
        clearDeadline()
        exchange = ExchangeRecord(request: request.head, start: loop.clock.now)
        task = Task.detached(executorPreference: loop) { [self] in
            let response = await shard.handler.respond(to: request)
            answer(with: response)
        }
    }
}
