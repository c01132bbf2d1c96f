internal import BroadsheetIO

/// Hears what other daemons have written, on a connection of its own.
///
/// The server puts a write's message into this connection's buffer while the write's script runs,
/// so before it answers the writer; and what is in that buffer it sends in order. So once a question
/// that was asked *here* is answered, all has been heard that any daemon had acknowledged when it was
/// asked. That holds for the server itself, whichever threads it has, and for whatever passes the
/// bytes of one connection on unchanged; not for a proxy that answers in its place.
final class RedisListener: Sendable {
    /// How long the server may take to answer before reads ask it on the other connection.
    static let answerTimeout = Duration.seconds(1)

    private let loop: EventLoop
    private let link: RedisLink
    private let barrier: ReadBarrier

    /// A listener whose connection lives on `loop`.
    ///
    /// - Parameters:
    ///   - freshness: What is no longer true is taken from it; all of it whenever the connection has
    ///     been made anew, since whatever was said before that was missed.
    ///   - runs: Is told which server is listened to.
    ///   - report: Is told of the connection's ups and downs.
    ///   - hear: Is called with each screen that somebody has written, and the lowest revision that it
    ///     can have from now on.
    init(
        _ endpoint: RedisEndpoint, on loop: EventLoop, _ freshness: RedisFreshness,
        _ runs: RedisRuns, _ report: RedisReport,
        hear: @escaping @Sendable (ScreenName, UInt64) -> Void
    ) {
        self.loop = loop
        let listening = RedisListening(
            channel: RedisKeys.changes(endpoint),
            opened: { place, session in
                runs.openedForMessages(from: session.run)
                freshness.forgetAll()
                report.opened(place)
            },
            lost: { report.lost(because: $0) },
            heard: { message in
                guard let (screen, revision) = Self.change(message) else { return }
                freshness.raise(screen, to: revision)
                hear(screen, revision)
            })
        let link = RedisLink(endpoint, on: loop, listening)
        self.link = link
        barrier = ReadBarrier(on: loop) { Self.ask(link, on: loop, $0) }
    }

    /// Begins to connect and to listen, and goes on until ``close()``.
    func start() { loop.submit { [link] in link.start() } }

    /// Ends the connection.
    func close() { loop.submit { [link] in link.close() } }

    /// Returns true once all has been heard that was acknowledged before this call; false when
    /// nobody listens, or the server does not answer.
    func catchUp() async -> Bool { await barrier.pass() }

    /// Asks for nothing in particular; answers whether there was a connection to ask on.
    private static func ask(
        _ link: RedisLink, on loop: EventLoop, _ over: @escaping @Sendable (Bool) -> Void
    ) -> Bool {
        guard let version = link.openVersion else { return false }
        link.ask(
            RedisQuestion(
                bytes: question(version).bytes, answerCount: 1,
                deadline: loop.clock.now.advanced(by: answerTimeout)
            ) { result in
                guard case .success(let answers) = result else { return over(false) }
                over(answers.first.map { isAnswer($0, version) } ?? false)
            })
        return true
    }

    /// A question that any connection may ask that listens.
    private static let oldQuestion = RESPCommand("PING")
    /// One for a key of ours, which only RESP3 lets it ask: a cluster's node that has given our keys
    /// away says so then, and hears no more of writes before they are acknowledged.
    private static let question = RESPCommand("EXISTS", RedisKeys.floor)

    private static func question(_ version: RESPVersion) -> RESPCommand {
        switch version {
        case .two: oldQuestion
        case .three: question
        }
    }

    private static func isAnswer(_ answer: RESPValue, _ version: RESPVersion) -> Bool {
        switch version {
        case .two: answer.elements?.first?.text == "pong"
        case .three: answer.integer != nil
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
