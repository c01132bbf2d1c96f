import BroadsheetIO
import Synchronization

/// Hears what other daemons have written, on a connection of its own.
///
/// The server puts a write's message into this connection's buffer while the write's script runs,
/// so before it replies the writer; and what is in that buffer it sends in order. So once a request
/// that was asked *here* is replied, all has been heard that any daemon had acknowledged when it was
/// asked. That holds for the server itself, whichever threads it has, and for whatever passes the
/// bytes of one connection on unchanged; not for a proxy that replies in its node.
final class RedisSubscriber: Sendable {
    /// How long the server may take to reply before reads ask it on the other connection.
    static let replyTimeout = Duration.seconds(1)

    private let loop: EventLoop
    private let link: RedisLink
    private let barrier: ReadBarrier

    /// A subscriber whose connection lives on `loop`.
    ///
    /// - Parameters:
    ///   - revisions: What is no longer true is taken from it; all of it whenever the connection has
    ///     been made anew, since whatever was said before that was missed.
    ///   - runs: Is told which server is listened to.
    ///   - report: Is told of the connection's ups and downs.
    ///   - onWrite: Is called with each screen that somebody has written, and the lowest revision that it
    ///     can have from now on.
    init(
        _ endpoint: RedisEndpoint, on loop: EventLoop, _ revisions: RedisRevisionCache,
        _ runs: RedisRunIDs, _ report: RedisConnectionReporter,
        onWrite: @escaping @Sendable (ScreenName, UInt64) -> Void
    ) {
        self.loop = loop
        let observer = RedisLinkObserver(
            channel: RedisKeys.changes(endpoint),
            opened: { node, session in
                runs.subscriptionConnected(to: session.runID)
                revisions.removeAll()
                report.opened(node)
            },
            lost: { report.lost(because: $0) },
            received: { message in
                guard let (screen, revision) = Self.change(message) else { return }
                revisions.raise(screen, to: revision)
                onWrite(screen, revision)
            })
        let link = RedisLink(endpoint, on: loop, observer)
        self.link = link
        barrier = ReadBarrier(on: loop) { Self.ping(link, on: loop, $0) }
    }

    /// Begins to connect and to listen, and goes on until ``close()``.
    func start() { loop.submit { [link] in link.start() } }

    /// Ends the connection.
    func close() { loop.submit { [link] in link.close() } }

    /// Returns true once all has been heard that was acknowledged before this call; false when
    /// nobody listens, or the server does not reply.
    func catchUp() async -> Bool { await barrier.pass() }

    /// Asks for nothing in particular; replies whether there was a connection to ask on.
    private static func ping(
        _ link: RedisLink, on loop: EventLoop, _ completion: @escaping @Sendable (Bool) -> Void
    ) -> Bool {
        guard let version = link.protocolVersion else { return false }
        link.send(
            RedisRequest(
                bytes: barrierCommand(version).bytes, replyCount: 1,
                deadline: loop.clock.now.advanced(by: replyTimeout)
            ) { result in
                guard case .success(let replies) = result else { return completion(false) }
                completion(replies.first.map { isReply($0, version) } ?? false)
            })
        return true
    }

    /// A request that any connection may ask that listens.
    private static let pingCommand = RESPCommand("PING")
    /// One for a key of ours, which only RESP3 lets it ask: a cluster's node that has given our keys
    /// away says so then, and hears no more of writes before they are acknowledged.
    private static let existsCommand = RESPCommand("EXISTS", RedisKeys.floor)

    private static func barrierCommand(_ version: RESPVersion) -> RESPCommand {
        switch version {
        case .two: pingCommand
        case .three: existsCommand
        }
    }

    private static func isReply(_ reply: RESPValue, _ version: RESPVersion) -> Bool {
        switch version {
        case .two: reply.elements?.first?.text == "pong"
        case .three: reply.integer != nil
        }
    }

    /// The screen and the lowest revision out of `message`, channel, `name revision`.
    private static func change(_ message: [RESPValue]) -> (ScreenName, UInt64)? {
        guard message.count == 3, message[0].text == "message" else { return nil }
        let words = message[2].text?.split(separator: " ") ?? []
        guard words.count == 2, let screen = ScreenName(String(words[0])),
            let revision = UInt64(words[1])
        else { return nil }
        return (screen, revision)
    }
}

/// Keeps which run of which server a store's two connections are to: that for requests, and that for
/// messages.
///
/// After a failover they may be to two servers for a while, and what is heard from one says nothing of
/// the other. A server that does not let us ask which it is counts as the one it should be.
final class RedisRunIDs: Sendable {
    private struct State {
        /// Whether requests were ever asked of anybody.
        var hasRequests = false
        var forRequests: String?
        var forSubscription: String?
    }

    private let state = Mutex(State())

    /// Whether both connections are to one server, as far as is known.
    var match: Bool {
        state.withLock { state in
            guard let one = state.forRequests, let other = state.forSubscription else {
                return true
            }
            return one == other
        }
    }

    /// Requests go to `run` from now on; replies whether they may have gone to another before.
    func requestsConnected(to run: String?) -> Bool {
        state.withLock { state in
            defer {
                state.hasRequests = true
                state.forRequests = run
            }
            return state.hasRequests && (run == nil || run != state.forRequests)
        }
    }

    /// Messages come from `run` from now on.
    func subscriptionConnected(to run: String?) { state.withLock { $0.forSubscription = run } }
}
