internal import BroadsheetIO

/// Hears what other daemons have written, on a connection of its own.
final class RedisListener: Sendable {
    private let loop: EventLoop
    private let link: RedisLink

    /// A listener whose connection lives on `loop`, and who takes from `freshness` what is no
    /// longer true.
    init(_ endpoint: RedisEndpoint, on loop: EventLoop, _ freshness: RedisFreshness) {
        self.loop = loop
        link = RedisLink(
            endpoint, on: loop, greeting: RESPCommand("SUBSCRIBE", RedisKeys.changes),
            // Whatever was said while nobody listened was missed.
            stateChanged: { _ in freshness.forgetAll() },
            heard: { value in
                guard let change = Self.change(value) else { return }
                freshness.forget(change.screen, olderThan: change.revision)
            })
    }

    /// Begins to connect and to listen, and goes on until ``close()``.
    func start() { loop.submit { [link] in link.start() } }

    /// Ends the connection.
    func close() { loop.submit { [link] in link.close() } }

    /// Reads `message`, channel, `name revision`; nil for anything else, such as the answer to the
    /// subscription.
    private static func change(_ value: RESPValue) -> (screen: ScreenName, revision: UInt64)? {
        guard let parts = value.elements, parts.count == 3, parts[0].text == "message",
            let words = parts[2].text?.split(separator: " "), words.count == 2,
            let screen = ScreenName(String(words[0])), let revision = UInt64(words[1])
        else { return nil }
        return (screen, revision)
    }
}
