import BroadsheetIO

extension Connection {
    /// Sends what the handler has returned, and goes on as the request asked.
    func answer(with response: HTTPResponse) {
        task = nil
        // The peer may have vanished while the handler was at work.
        guard activity == .responding, let request = exchange?.request else {
            return reportLoss(of: response)
        }
        // Requests that the client sent ahead are in flight, too, when the server shuts down.
        let isDrained = shard.isDraining && parser.wantsInput
        let sequel: Sequel = !request.keepAlive ? .close : isDrained ? .linger : .nextRequest
        send(response, to: request.method, version: request.version, then: sequel)
    }

    /// Reports an answer that found nobody to send it to.
    private func reportLoss(of response: HTTPResponse) {
        exchange?.response = (response.status, response.headers)
        report(isComplete: false)
    }

    /// Answers a failure of HTTP itself, and closes.
    func fail(_ error: HTTPError) {
        clearDeadline()
        exchange = ExchangeRecord(request: nil, start: loop.clock.now)
        send(shard.handler.response(to: error), to: parser.method, version: .http11, then: .linger)
    }

    /// Tells the client to go on with the body (RFC 9110 §10.1.1).
    func sendContinue() {
        send(HTTPResponseSerializer.continueResponse, [], then: .body)
    }

    private func send(
        _ response: HTTPResponse, to method: HTTPMethod?, version: HTTPVersion,
        then sequel: Sequel
    ) {
        exchange?.response = (response.status, response.headers)
        var head: [UInt8] = []
        swap(&head, &shard.headBuffer)
        head.removeAll(keepingCapacity: true)
        shard.serializer.appendHead(
            of: response, to: method, version: version, keepAlive: sequel == .nextRequest,
            unixSeconds: loop.clock.unixSeconds, into: &head)
        let hasBody = HTTPResponseSerializer.sendsBody(response, to: method)
        send(head, hasBody ? response.body : [], then: sequel)
        if outbox == nil { swap(&head, &shard.headBuffer) }
    }

    private func send(_ head: [UInt8], _ body: [UInt8], then sequel: Sequel) {
        guard let number = socket?.number else { return }
        activity = .sending(sequel)
        let progress = Outbox.send(head, body, from: 0, to: number, shard.syscalls)
        switch progress {
        case .blocked(let count), .paused(let count):
            outbox = Outbox(head: head, body: body, offset: count)
        case .finished, .failed: break
        }
        proceed(after: progress)
    }

    /// Goes on with an answer that was stuck.
    func flush() {
        guard let number = socket?.number, var outbox else { return }
        self.outbox = nil
        let progress = outbox.flush(to: number, shard.syscalls)
        switch progress {
        case .blocked, .paused: self.outbox = outbox
        case .finished, .failed: break
        }
        proceed(after: progress)
    }

    private func proceed(after progress: Outbox.Progress) {
        switch progress {
        case .failed: abort()
        case .blocked(let count):
            note(count)
            if count > 0 || timer.deadline == nil { setDeadline(configuration.writeTimeout) }
        case .paused(let count):
            note(count)
            setDeadline(configuration.writeTimeout)
            if let registration { loop.redeliver(.writable, to: registration) }
        case .finished(let count):
            note(count)
            finishSending()
        }
    }

    private func note(_ count: Int) {
        exchange?.bytesSent += count
    }

    private func finishSending() {
        guard case .sending(let sequel) = activity else { return }
        clearDeadline()
        switch sequel {
        case .body:
            activity = .receiving
            waitForInput()
            receive()
        case .nextRequest:
            report(isComplete: true)
            activity = .receiving
            perform(parser.next())
            receive()
        case .close, .linger:
            report(isComplete: true)
            end(lingering: sequel == .linger)
        }
    }
}
