import BroadsheetIO

/// A response that is being written over time.
struct OpenStream {
    let content: HTTPStream
    /// A Boolean value that indicates whether parts are chunks; to HTTP/1.0 the end of the
    /// connection is that of the content.
    let isChunked: Bool
    /// A Boolean value that indicates whether the source was asked to end.
    var isEnding = false

    /// Returns the bytes of a part on this connection, behind those of a head.
    func outbox(of part: StreamPart?, after head: [UInt8] = []) -> Outbox {
        guard let part else { return Outbox(head: head, body: []) }
        content.ticket.count(bytes: part.byteCount)
        return isChunked
            ? Outbox(head: head, body: part.chunk, owner: part.owner)
            : Outbox(head: head, body: Array(part.bytes))
    }
}

/// The responses that are written over time.
///
/// Such a connection has no deadline while nothing is due, and reads nothing. A part that is due
/// has the deadlines of any response.
extension Connection {
    /// The number of bytes that the kernel accepts before it has sent those before: the memory of a
    /// client that reads nothing, besides the part that the connection has.
    static var maxUnsentBytes: Int { 16 << 10 }

    /// Begins the content of a response, if it is written over time and sent to this method; its
    /// parts follow the head.
    func open(
        _ content: HTTPStream?, of response: HTTPResponse, to method: HTTPMethod?,
        _ version: HTTPVersion
    ) {
        guard let content, method != .head, !response.status.forbidsContent else { return }
        stream = OpenStream(content: content, isChunked: version != .http10)
        content.ticket.countBeginning()
        limitUnsent()
        content.source.begin(
            StreamSignal { [self] signal in
                loop.submit { [self] in
                    signal.receive()
                    continueStream()
                }
            })
        if shard.isDraining { askStreamToEnd() }
    }

    /// Waits for the next part after one was sent; the source is asked in the next turn, after
    /// other connections.
    func awaitStream() {
        activity = .streaming
        becomeWritableNextTurn()
    }

    func continueStream() {
        guard activity == .streaming, let stream else { return }
        switch stream.content.source.next() {
        case .part(let part): send(stream.outbox(of: part), then: .stream)
        // A client that has closed the connection cannot be distinguished from one that only sends
        // no more; either has received all parts that were due.
        case .wait where hasPeerEnded: endStream()
        case .wait: startHeartbeat()
        case .end: endStream()
        case .failure: abort()
        }
    }

    /// Sets the deadline of the heartbeat, unless it is running.
    private func startHeartbeat() {
        guard timer.deadline == nil, let interval = stream?.content.heartbeat?.interval else {
            return
        }
        setDeadline(interval)
    }

    /// Sends the heartbeat: nothing was due for its interval.
    func sendHeartbeat() {
        guard let stream, let heartbeat = stream.content.heartbeat else { return }
        send(stream.outbox(of: heartbeat.part), then: .stream)
    }

    /// Asks the source to end: the server shuts down.
    func drainStream() {
        askStreamToEnd()
        continueStream()
    }

    private func askStreamToEnd() {
        stream?.isEnding = true
        stream?.content.source.drain()
    }

    private func endStream() {
        guard let stream = takeStream() else { return }
        clearDeadline()
        send(
            Outbox(head: stream.isChunked ? StreamPart.lastChunk : [], body: []), then: .linger)
    }

    /// Ends the stream whose connection is lost, if there is one.
    func loseStream() {
        takeStream()?.content.ticket.countLoss()
    }

    @discardableResult
    private func takeStream() -> OpenStream? {
        let taken = stream
        stream = nil
        taken?.content.source.end()
        return taken
    }
}
