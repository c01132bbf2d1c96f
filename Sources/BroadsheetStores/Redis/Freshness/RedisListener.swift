internal import BroadsheetIO

/// Hears what other daemons have written, on a connection of its own.
final class RedisListener: Sendable {
    private let loop: EventLoop
    private let link: RedisLink

    /// A listener whose connection lives on `loop`, and who takes from `freshness` what is no
    /// longer true.
    init(_ endpoint: RedisEndpoint, on loop: EventLoop, _ freshness: RedisFreshness) {
        self.loop = loop
        let listening = RedisListening(
            channel: RedisKeys.changes(endpoint),
            // Whatever was said before anybody listened was missed.
            opened: { _ in freshness.forgetAll() },
            lost: { _ in freshness.forgetAll() },
            heard: { Self.hear($0, freshness) })
        link = RedisLink(endpoint, on: loop, listening)
    }

    /// Begins to connect and to listen, and goes on until ``close()``.
    func start() { loop.submit { [link] in link.start() } }

    /// Ends the connection.
    func close() { loop.submit { [link] in link.close() } }

    /// Takes `message`, channel, `name revision`.
    private static func hear(_ message: [RESPValue], _ freshness: RedisFreshness) {
        guard message.count == 3, message[0].text == "message" else { return }
        let words = message[2].text?.split(separator: " ") ?? []
        guard words.count == 2, let screen = ScreenName(String(words[0])),
            let revision = UInt64(words[1])
        else { return }
        freshness.raise(screen, to: revision)
    }
}
