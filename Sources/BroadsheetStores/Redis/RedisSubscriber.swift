import BroadsheetIO
import Synchronization

/// A subscriber that receives the writes of other daemons on a connection of its own.
///
/// The server appends the message of a write to the output buffer of this connection while the
/// script of the write runs, which is before it replies to the writer, and it sends that buffer in
/// order. Once a request on this connection has its reply, the messages of all writes that any
/// daemon had acknowledged when the request was made have been received. This holds for the server,
/// with any number of I/O threads, and for anything that forwards the bytes of a connection
/// unchanged; not for a proxy that creates replies itself.
final class RedisSubscriber: Sendable {
    /// The time that the server has to reply before reads query it on the other connection.
    static let replyTimeout = Duration.seconds(1)

    private let loop: EventLoop
    private let link: RedisLink
    private let barrier: ReadBarrier

    /// Messages may have been missed each time the connection is established.
    init(
        _ location: RedisLocation, _ observer: RedisLinkObserver,
        onMessage: @escaping @Sendable (String) -> Void
    ) {
        let loop = location.loop
        self.loop = loop
        var observer = observer
        observer.channel = RedisKeys.changes(location.endpoint)
        observer.received = { message in
            // `message`, the channel, and the text.
            guard message.count == 3, message[0].text == "message" else { return }
            if let text = message[2].text { onMessage(text) }
        }
        let link = RedisLink(location, observer)
        self.link = link
        let markers = RedisMarkers()
        barrier = ReadBarrier(on: loop) { Self.ping(link, on: loop, markers.next(), $0) }
    }

    /// Begins to connect and to subscribe, and continues until ``close()``.
    func start() { loop.submit { [link] in link.start() } }

    func close() { loop.submit { [link] in link.close() } }

    /// Waits until the messages of all writes have been received that were acknowledged before this
    /// call.
    ///
    /// - Returns: `false` if there is no subscription, or if the server does not reply in time.
    func catchUp() async -> Bool { await barrier.pass() }

    /// Returns `false` if there is no connection.
    private static func ping(
        _ link: RedisLink, on loop: EventLoop, _ marker: RedisMarker,
        _ completion: @escaping @Sendable (Bool) -> Void
    ) -> Bool {
        guard let version = link.protocolVersion else { return false }
        link.send(
            RedisRequest(
                bytes: barrierCommand(version, marker).bytes, replyCount: 1,
                deadline: loop.clock.now.advanced(by: replyTimeout), marker: marker
            ) { result in
                guard case .success(let replies) = result else { return completion(false) }
                if case .error? = replies.first { return completion(false) }
                completion(true)
            })
        return true
    }

    /// Returns a request whose reply ends with the marker.
    ///
    /// `PING` is permitted on a subscribed connection in RESP2. In RESP3 a script for a key of the
    /// store is, too: a cluster node that no longer owns the keys replies with an error, and would
    /// not receive messages before writes are acknowledged.
    private static func barrierCommand(
        _ version: RESPVersion, _ marker: RedisMarker
    ) -> RESPCommand {
        switch version {
        case .two: RESPCommand([Array("PING".utf8), marker.bytes])
        case .three: marker.command(keys: [RedisKeys.floor])
        }
    }
}

/// The runs of the servers to which the two connections of a store are made: the one for requests
/// and the one for messages.
///
/// After a failover they may be different temporarily, and messages from one server are not about
/// the other. A server that does not disclose its run ID is assumed to be the right one.
final class RedisRunIDs: Sendable {
    private struct State {
        var hasRequests = false
        var forRequests: String?
        var forSubscription: String?
    }

    private let state = Mutex(State())

    /// A Boolean value that indicates whether both connections are made to one server, as far as is
    /// known.
    var match: Bool {
        state.withLock { state in
            guard let one = state.forRequests, let other = state.forSubscription else {
                return true
            }
            return one == other
        }
    }

    /// Returns `true` if earlier requests may have been sent to another run.
    func requestsConnected(to run: String?) -> Bool {
        state.withLock { state in
            defer {
                state.hasRequests = true
                state.forRequests = run
            }
            return state.hasRequests && (run == nil || run != state.forRequests)
        }
    }

    func subscriptionConnected(to run: String?) { state.withLock { $0.forSubscription = run } }
}
