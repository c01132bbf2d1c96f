import BroadsheetIO

/// A client's connection: a state machine between its socket, the parser and the handler.
///
/// One request is served at a time, and nothing is read meanwhile, so a client that sends faster
/// than it is served fills its socket's buffers and not the daemon's memory. The socket is
/// edge-triggered: `isReadable` stores the readiness that the kernel has reported until a read
/// returns fewer bytes than requested.
final class Connection: ReadinessHandler, @unchecked Sendable {
    // Unchecked: created on the accepting thread, then used on its loop's thread only. Its tasks
    // prefer the loop, so they run there, too.

    /// The time in which a client that has connected before a drain has to send its request.
    static let firstByteTime = Duration.seconds(1)
    /// The maximum number of reads per turn, so that others are served; a body may be megabytes.
    private static let readsPerTurn = 4

    /// The index at which the shard keeps the connection.
    var index = 0
    var activity = Activity.receiving
    var parser: HTTPRequestParser
    /// The memory of what has been received (``reserveInput(_:)``).
    var inputMemory: MemoryReservation?
    /// The reservation that the connection waits for; it reads nothing meanwhile.
    var memoryWaiter: MemoryWaiter?
    var progress = TransferProgress()
    let shard: ServerShard
    private let verdict: ConnectionGate.Verdict
    private var socket: FileDescriptor?
    private var registration: Registration?
    /// A Boolean value that indicates whether the kernel may have bytes, or the end of the stream,
    /// for a read.
    private var isReadable = false
    /// A Boolean value that indicates whether the kernel has reported the end of the peer's stream,
    /// so a short read is not the last.
    private(set) var hasPeerEnded = false
    /// A Boolean value that indicates whether the end of the stream has been read.
    private var isInputFinished = false
    private(set) var task: Task<Void, Never>?
    var exchange: ExchangeRecord?
    /// Called when the peer ends its stream while a handler runs.
    var peerEndHandler: (@Sendable () -> Void)?
    private(set) var outbox: Outbox?
    var stream: OpenStream?
    /// A Boolean value that indicates whether nothing has arrived yet.
    private var isNew = true
    /// The number of bytes discarded while lingering.
    private var discarded = 0
    /// The parser's phase for which the running deadline was set.
    var timedPhase: HTTPRequestParser.Phase?
    private(set) lazy var timer = DeadlineTimer { [unowned self] in timerFired() }
    /// The time at which the connection is closed unless there is progress before.
    var deadline = MonotonicInstant.distantFuture

    init(
        socket: consuming FileDescriptor, shard: ServerShard, verdict: ConnectionGate.Verdict
    ) {
        self.socket = consume socket
        self.shard = shard
        self.verdict = verdict
        parser = HTTPRequestParser(limits: shard.configuration.limits)
    }

    var loop: EventLoop { shard.loop }
    var configuration: HTTPServerConfiguration { shard.configuration }

    /// Registers with the loop; called once, on its thread.
    func begin() {
        guard let number = socket?.number else { return }
        shard.add(self)
        parser.peer = shard.syscalls.peer(number) ?? .unspecified
        do {
            registration = try loop.register(
                number, for: [.readable, .writable, .peerEnded], trigger: .edge, handler: self)
        } catch {
            return close()
        }
        if verdict == .refuse { return fail(.overloaded) }
        waitForInput()
        if shard.isDraining { drain() }
    }

    func becameReady(_ readiness: Readiness) {
        // epoll reports a lingering connection as closed once the peer has ended its side too: the
        // kernel may still be sending the response, which a reset would destroy.
        if readiness.has(.gone), activity != .lingering { return abort() }
        if readiness.has(.peerEnded) {
            hasPeerEnded = true
            peerEndHandler?()
        }
        if readiness.isForReading { isReadable = true }
        let flushes = readiness.has(.writable) && outbox != nil
        if flushes { flush() }
        switch activity {
        case .receiving: receive()
        // After a part the source is asked in another turn (`awaitStream`).
        case .streaming where flushes: break
        case .streaming: continueStream()
        case .lingering: discardInput()
        case .responding, .sending, .closed: break
        }
    }

    // MARK: Receiving

    /// Reads, up to the maximum per turn, as long as the parser needs more.
    func receive() {
        for _ in 0..<Self.readsPerTurn
        where activity == .receiving && isReadable && memoryWaiter == nil {
            receiveOnce()
        }
        guard activity == .receiving, memoryWaiter == nil else { return }
        if isReadable {
            becomeReadableNextTurn()
        } else if shard.isDraining, parser.phase != .body {
            // A client that has just connected is about to send.
            if isNew { setDeadline(Self.firstByteTime) } else { close() }
        }
    }

    /// Has the kernel's edge repeated in the next turn, after other connections.
    private func becomeReadableNextTurn() {
        guard let registration else { return }
        loop.redeliver(.readable, to: registration)
    }

    private func receiveOnce() {
        guard let number = socket?.number else { return }
        let buffer = shard.readBuffer
        guard parser.phase != .body || reserveBody(reading: buffer.count) else { return }
        switch shard.syscalls.receive(number, buffer) {
        case let count where count > 0:
            // A short read has emptied the socket, and the kernel will report later bytes; only an
            // end that it has reported already is still to be read.
            if count < buffer.count, !hasPeerEnded { isReadable = false }
            let bytes = UnsafeRawBufferPointer(
                rebasing: UnsafeRawBufferPointer(buffer).prefix(count))
            progress.count(count)
            isNew = false
            if !repeatResponse(to: bytes) {
                let peer = parser.peer
                perform(
                    settled(parser.feed(bytes) { shard.handler.refusal(of: $0, from: peer) }))
            }
        case 0:
            isReadable = false
            isInputFinished = true
            perform(parser.finish())
        case Syscalls.wouldBlock: isReadable = false
        case Syscalls.interrupted: break
        default: abort()
        }
    }

    private func perform(_ action: HTTPParserAction) {
        switch action {
        case .wait: waitForInput()
        case .expectContinue: sendContinue()
        case .request(let request): respond(to: request)
        case .refusal(let head, let response): refuse(head, with: response)
        case .failure(let error): fail(error)
        case .end: close()
        }
    }

    /// Passes a request to the handler, in a task that runs on the loop before this turn is over.
    private func respond(to request: HTTPRequest) {
        activity = .responding
        clearDeadline()
        exchange = ExchangeRecord(request: request.head, start: loop.clock.now)
        var request = request
        request.connection = ConnectionReference(self)
        task = Task.detached(executorPreference: loop) { [self, request] in
            let response = await shard.handler.respond(to: request)
            send(response)
        }
    }

    // MARK: Sending

    private func send(_ response: HTTPResponse) {
        task = nil
        peerEndHandler = nil
        // The peer may have closed while the handler ran.
        guard activity == .responding, let request = exchange?.request else {
            return reportLoss(of: response)
        }
        // Pipelined requests are in flight, too, when the server shuts down.
        let isLast = shard.isEnding && parser.wantsInput
        let sequel: Sequel = !request.keepAlive ? .close : isLast ? .linger : .nextRequest
        send(response, to: request.method, version: request.version, then: sequel)
    }

    /// Sends `100 Continue`, so that the client sends the body (RFC 9110 §10.1.1).
    private func sendContinue() {
        send(Outbox(head: HTTPResponseSerializer.continueResponse, body: []), then: .body)
    }

    func send(
        _ response: HTTPResponse, to method: HTTPMethod?, version: HTTPVersion,
        then sequel: Sequel
    ) {
        exchange?.record(response, at: loop.clock.now)
        open(response.stream, of: response, to: method, version)
        let sequel = stream == nil ? sequel : .stream
        var head = shard.takeHeadBuffer()
        shard.serializer.appendHead(
            of: response, to: method, version: version, keepAlive: sequel == .nextRequest,
            unixSeconds: loop.clock.unixSeconds, into: &head)
        if sequel == .nextRequest { shard.keep(response, to: exchange?.request, head: head) }
        let hasBody = HTTPResponseSerializer.sendsBody(response, to: method)
        send(
            stream?.outbox(of: response.stream?.first, after: head)
                ?? Outbox(
                    head: head, body: hasBody ? response.body : [],
                    source: hasBody ? response.source : nil, owner: response.owner),
            then: sequel)
        if outbox == nil { swap(&head, &shard.headBuffer) }
    }

    func send(_ response: consuming Outbox, then sequel: Sequel) {
        guard socket?.number != nil else { return }
        activity = .sending(sequel)
        outbox = response
        flush()
    }

    private func flush() {
        guard let number = socket?.number, var outbox else { return }
        self.outbox = nil
        var result = outbox.flush(to: number, shard.syscalls)
        switch result {
        case .blocked, .paused:
            if reserveOutput(for: &outbox) { self.outbox = outbox } else { result = .failed }
        case .finished, .failed: break
        }
        proceed(after: result)
    }

    private func proceed(after result: Outbox.Progress) {
        switch result {
        case .failed: abort()
        case .blocked(let count):
            exchange?.bytesSent += count
            progress.count(count)
            progress.begin(at: loop.clock.now, minRate: configuration.minRate)
            if count > 0 || timer.deadline == nil { setDeadline(configuration.writeTimeout) }
        case .paused(let count):
            exchange?.bytesSent += count
            // No rate is due from the client until it is its turn again.
            progress = TransferProgress()
            setDeadline(configuration.writeTimeout)
            becomeWritableNextTurn()
        case .finished(let count):
            exchange?.bytesSent += count
            finishSending()
        }
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
            let peer = parser.peer
            // A reference to the method would be a heap block for each request.
            perform(settled(parser.next { shard.handler.refusal(of: $0, from: peer) }))
            receive()
        case .stream: awaitStream()
        case .close, .linger:
            report(isComplete: true)
            end(lingering: sequel == .linger)
        }
    }

    /// Has the kernel's report that it accepts bytes repeated in the next turn, after other
    /// connections.
    func becomeWritableNextTurn() {
        guard let registration else { return }
        loop.redeliver(.writable, to: registration)
    }

    // MARK: Ending

    /// Finishes the request in flight, if any, and closes: the server shuts down.
    func drain() {
        drainStream()
        guard activity == .receiving else { return }
        // A request may have arrived of which the loop has no event yet; for its client it is in
        // flight, and a read finds it.
        isReadable = true
        receive()
    }

    /// Resets the connection: the peer has closed, or accepts no bytes.
    func abort() {
        if let number = socket?.number { _ = shard.syscalls.resetOnClose(number) }
        close()
    }

    /// Limits the bytes that the kernel keeps of a response that is written over time, and the time
    /// for which it waits for the peer to accept any of them.
    ///
    /// Otherwise it would keep megabytes for a client that does not read, and a client that has
    /// disappeared would be noticed only after a quarter of an hour.
    func limitUnsent() {
        guard let number = socket?.number else { return }
        _ = shard.syscalls.limitUnsent(number, Self.maxUnsentBytes, configuration.writeTimeout)
    }

    /// Ends the connection after its last response.
    ///
    /// Closing while input is unread would reset the connection, and the reset could overtake the
    /// response (RFC 9112 §9.6): where the client may still be sending, its input is read first.
    private func end(lingering: Bool) {
        guard !isInputFinished, lingering || isReadable, let number = socket?.number else {
            return close()
        }
        guard shard.syscalls.shutdownWriting(number) >= 0 else { return close() }
        activity = .lingering
        setDeadline(configuration.lingerTime)
        discardInput()
    }

    /// Reads and discards, until the peer ends its stream.
    private func discardInput() {
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

    /// Closes the socket and leaves the loop; later calls do nothing.
    func close() {
        guard activity != .closed else { return }
        activity = .closed
        loseStream()
        report(isComplete: false)
        task?.cancel()
        task = nil
        outbox = nil
        releaseInput()
        loop.remove(timer)
        if let registration { loop.deregister(registration) }
        registration = nil
        socket = nil
        shard.gate.leave(verdict)
        shard.remove(self)
    }
}

extension Connection {
    enum Activity: Hashable {
        /// Reading a request, or waiting for one.
        case receiving
        /// Running the handler's task.
        case responding
        case sending(Sequel)
        /// Waiting for the next part of a response that is written over time.
        case streaming
        /// Reading and discarding input, after the response was sent and this side was closed.
        case lingering
        /// None: the connection has ended.
        case closed
    }

    /// The activity after a response is sent.
    enum Sequel: Hashable {
        /// Reading the body: the response was `100 Continue`.
        case body
        case nextRequest
        /// Asking for the next part of a response that is written over time.
        case stream
        /// Closing, as the client requested; it sends no more.
        case close
        /// Closing, which the client does not expect, so it may be sending at the same time.
        case linger
    }
}

extension Connection {
    /// Calls `body` when the peer ends its stream, or at once if it has, while the handler runs.
    func whenPeerEnds(_ body: @escaping @Sendable () -> Void) {
        loop.submit { [self] in
            guard activity == .responding else { return }
            if hasPeerEnded { body() } else { peerEndHandler = body }
        }
    }
}

/// The outcomes of responses.
extension Connection {
    /// Reports a response that could not be sent because the connection was lost.
    func reportLoss(of response: HTTPResponse) {
        exchange?.record(response, at: loop.clock.now)
        report(isComplete: false)
    }

    /// Resets the connection because the drain time is over, and reports a request in progress,
    /// of which at least the head has arrived.
    func cutOff() {
        if exchange == nil, parser.phase == .body {
            exchange = ExchangeRecord(request: parser.head, start: loop.clock.now)
        }
        if exchange?.hasResponse == false {
            exchange?.record(HTTPResponse(status: .connectionLost), at: loop.clock.now)
        }
        report(isComplete: false, isCutOff: true)
        abort()
    }

    func report(isComplete: Bool, isCutOff: Bool = false) {
        guard let exchange, exchange.hasResponse else { return }
        self.exchange = nil
        exchange.report(
            to: shard.handler, at: loop.clock.now, from: parser.peer, isCutOff: isCutOff,
            isComplete: isComplete)
    }
}

/// The responses to requests that are not handled.
extension Connection {
    /// Sends the response to a failure of HTTP itself, and closes.
    func fail(_ error: HTTPError) {
        clearDeadline()
        // A body that has arrived in part is not kept while the client reads the response.
        if parser.phase == .body { parser.abandon() }
        inputMemory = nil
        let head = parser.partialHead
        exchange = ExchangeRecord(request: head, start: loop.clock.now)
        let response = shard.handler.response(to: error, in: head, from: parser.peer)
        send(response, to: parser.method, version: .http11, then: .linger)
    }

    /// Sends the response to a request whose body is not read, and closes.
    func refuse(_ head: HTTPRequestHead, with response: HTTPResponse) {
        clearDeadline()
        exchange = ExchangeRecord(request: head, start: loop.clock.now)
        send(response, to: head.method, version: head.version, then: .linger)
    }
}

/// The responses to requests whose bytes are known.
extension Connection {
    /// Sends the response to an earlier request of the same bytes, if it is unchanged.
    ///
    /// - Returns: `false` if there is no such response; the parser then reads the bytes.
    func repeatResponse(to bytes: UnsafeRawBufferPointer) -> Bool {
        guard parser.phase == .idle, let (entry, range) = shard.repeatEntry(for: bytes) else {
            return false
        }
        let start = loop.clock.now
        let credentials = range.map { UnsafeRawBufferPointer(rebasing: bytes[$0]) }
        let repetition: Repetition
        switch entry.response.begin(with: credentials) {
        case .repetition(let begun): repetition = begun
        case .changed:
            shard.forget(entry)
            return false
        case .otherClient: return false
        }
        clearDeadline()
        exchange = ExchangeRecord(repetition, of: entry.response, start: start)
        var head = shard.takeHeadBuffer()
        entry.appendHead(of: repetition, date: shard.date, to: &head)
        send(
            Outbox(head: head, body: entry.sendsBody ? repetition.body : []), then: .nextRequest)
        if outbox == nil { swap(&head, &shard.headBuffer) }
        return true
    }
}
