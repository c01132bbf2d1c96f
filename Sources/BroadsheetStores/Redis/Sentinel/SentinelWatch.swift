import BroadsheetIO

/// The Sentinels of a store: they name the primary to connect to, and are watched for another one.
///
/// They are asked in order, one at a time, first the one whose reply led to the primary. One that
/// names another server is asked last, so that a Sentinel that is wrong does not keep the store
/// from the replies of the others. Used on the thread of its loop only.
final class SentinelWatch {
    /// A function that receives the primary, or the reason why no Sentinel names one.
    typealias Located = (Result<RedisNode, SentinelSilence>) -> Void

    /// The time for the reply of a Sentinel, with the connection to it.
    static let replyTimeout = Duration.seconds(1)
    /// The time between two questions while the store is connected.
    static let interval = Duration.seconds(1)

    /// A question to all Sentinels, until one replies.
    private struct Round {
        /// The index of the Sentinel that is asked first.
        let first: Int
        /// The reasons of those that have not named a server.
        var reasons: [String] = []
    }

    private let loop: EventLoop
    private let name: String
    private let sentinels: [SentinelConnection]
    private let onMove: (RedisNode) -> Void
    private let onSilence: (String) -> Void
    /// The index of the Sentinel to ask first.
    private var first = 0
    /// The server that the first one has named.
    private var named: RedisNode?
    private var round: Round?
    private var waiting: [Located] = []
    /// The server that is connected and says that it is the primary.
    private var primary: RedisNode?
    private var isSilenceReported = false
    private lazy var replyTimer = DeadlineTimer { [weak self] in self?.replyTimerFired() }
    private lazy var nextTimer = DeadlineTimer { [weak self] in self?.ask() }

    /// Creates a watch that asks nothing yet.
    ///
    /// - Parameters:
    ///   - endpoint: The URL of the Sentinels.
    ///   - sentinels: Those of the URL.
    ///   - loop: The loop of the connections to them.
    ///   - onMove: Receives the server that is named while another one is connected.
    ///   - onSilence: Receives the reason why none replies while the primary is connected; once,
    ///     until one replies.
    init(
        _ endpoint: RedisEndpoint, _ sentinels: RedisSentinels, on loop: EventLoop,
        onMove: @escaping (RedisNode) -> Void, onSilence: @escaping (String) -> Void
    ) {
        self.loop = loop
        name = sentinels.name
        self.sentinels = sentinels.nodes.map {
            SentinelConnection($0, of: sentinels, tls: endpoint.tls, on: loop)
        }
        self.onMove = onMove
        self.onSilence = onSilence
    }

    func locate(_ located: @escaping Located) {
        waiting.append(located)
        ask()
    }

    /// Records that the server is connected and is the primary; the Sentinels are asked again.
    func confirm(_ node: RedisNode) {
        if primary != node {
            primary = node
            onMove(node)
        }
        loop.setDeadline(loop.clock.now.advanced(by: Self.interval), of: nextTimer)
    }

    /// Records that the server cannot be used; the Sentinel that has named it is asked last.
    func reject(_ node: RedisNode) {
        if primary == node { primary = nil }
        // Each connection of the store rejects it.
        guard named == node else { return }
        named = nil
        first = (first + 1) % max(1, sentinels.count)
    }

    /// Closes the connections, and asks nothing any more.
    func close() {
        primary = nil
        waiting = []
        round = nil
        for sentinel in sentinels { sentinel.close() }
        loop.remove(replyTimer)
        loop.remove(nextTimer)
    }

    /// Begins a round of questions, unless one is in progress.
    private func ask() {
        guard round == nil else { return }
        round = Round(first: first)
        askNext()
    }

    /// The index of the Sentinel that is asked; `nil` if all were.
    private var asked: Int? {
        guard let round, round.reasons.count < sentinels.count else { return nil }
        return (round.first + round.reasons.count) % sentinels.count
    }

    private func askNext() {
        guard let asked else {
            let reasons = round?.reasons.joined(separator: "; ") ?? ""
            return end(
                .failure(SentinelSilence(reason: "no Sentinel names \(name) (\(reasons))")))
        }
        loop.setDeadline(loop.clock.now.advanced(by: Self.replyTimeout), of: replyTimer)
        sentinels[asked].ask { [weak self] in self?.finish($0, by: asked) }
    }

    private func finish(_ reply: Result<RedisNode, SentinelSilence>, by index: Int) {
        switch reply {
        case .success(let node):
            first = index
            named = node
            end(reply)
        case .failure(let silence): skip(because: silence.reason)
        }
    }

    private func skip(because reason: String) {
        round?.reasons.append(reason)
        askNext()
    }

    private func replyTimerFired() {
        guard let asked else { return }
        sentinels[asked].close()
        skip(because: "\(sentinels[asked].node): it does not reply")
    }

    private func end(_ result: Result<RedisNode, SentinelSilence>) {
        round = nil
        loop.setDeadline(nil, of: replyTimer)
        let callers = waiting
        waiting = []
        switch result {
        case .success(let node):
            isSilenceReported = false
            if let primary, primary != node {
                self.primary = nil
                onMove(node)
            }
        case .failure(let silence):
            if primary != nil, !isSilenceReported {
                isSilenceReported = true
                onSilence(silence.reason)
            }
        }
        if primary != nil {
            loop.setDeadline(loop.clock.now.advanced(by: Self.interval), of: nextTimer)
        }
        for located in callers { located(result) }
    }
}
