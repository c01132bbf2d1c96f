import BroadsheetIO

/// One client's connection: a small state machine between its socket, the parser and the handler.
///
/// One request is answered at a time and nothing is read meanwhile, so a client that sends faster
/// than it is served fills its own socket buffers and nobody else's memory. Edge-triggered: what
/// the kernel has reported is remembered in `isReadable` until a read comes back short.
final class Connection: ReadinessHandler, @unchecked Sendable {
    // Unchecked: made on the accepting thread, then touched on its loop's thread only. Its tasks
    // prefer the loop, so they run there, too.

    /// What the connection is doing.
    enum Activity: Hashable {
        /// Reading a request, or waiting for one.
        case receiving
        /// A handler's task is at work.
        case responding
        /// An answer is on its way out.
        case sending(Sequel)
        /// The answer is out and this side is closed; what still comes in is dropped.
        case lingering
        /// Over.
        case closed
    }

    /// What follows when an answer is out.
    enum Sequel: Hashable {
        /// It was `100 Continue`: the body comes.
        case body
        /// The next request.
        case nextRequest
        /// The end that the client asked for, after which it sends no more.
        case close
        /// An end that the client does not expect, so that it may be sending right now.
        case linger
    }

    let shard: ServerShard
    let verdict: ConnectionGate.Verdict
    /// The index at which the shard keeps the connection.
    var place = 0
    var activity = Activity.receiving
    var parser: HTTPRequestParser
    var socket: FileDescriptor?
    var registration: Registration?
    /// Whether the kernel may have bytes, or the end of the stream, for a read.
    var isReadable = false
    /// Whether the peer has said that it ends its stream, so that a short read is not the last.
    var hasPeerEnded = false
    /// Whether the end of the stream has been read.
    var isInputFinished = false
    var task: Task<Void, Never>?
    var exchange: ExchangeRecord?
    var outbox: Outbox?
    /// How many bytes lingering has dropped.
    var discarded = 0
    /// The parser's phase that the running deadline was set for.
    var timedPhase: HTTPRequestParser.Phase?
    lazy var timer = DeadlineTimer { [unowned self] in deadlinePassed() }

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

    /// Joins the loop.
    ///
    /// To be called once, on its thread.
    func begin() {
        guard let number = socket?.number else { return }
        shard.add(self)
        do {
            registration = try loop.register(
                number, for: [.readable, .writable, .peerEnded], .edge, self)
        } catch {
            return close()
        }
        if verdict == .refuse { return fail(.overloaded) }
        waitForInput()
        if shard.isDraining { drain() }
    }

    /// Hears from the kernel.
    func becameReady(_ readiness: Readiness) {
        // A lingering connection is gone, in epoll's eyes, once the peer has ended its side too:
        // the kernel may still be sending the answer, which a reset would destroy.
        if readiness.contains(.gone), activity != .lingering { return abort() }
        if readiness.contains(.peerEnded) { hasPeerEnded = true }
        if !readiness.isDisjoint(with: [.readable, .peerEnded, .gone]) { isReadable = true }
        if readiness.contains(.writable), outbox != nil { flush() }
        switch activity {
        case .receiving: receive()
        case .lingering: discardInput()
        case .responding, .sending, .closed: break
        }
    }
}
