import BroadsheetIO

/// Asks a server and waits for its replies, from any task.
final class RedisClient: Sendable {
    /// How long an reply may take before the caller is told that there is none.
    static let callTimeout = Duration.seconds(2)

    private let loop: EventLoop
    private let link: RedisLink

    /// A client of `endpoint` whose connection lives on `loop`; ``start()`` makes it.
    init(_ endpoint: RedisEndpoint, on loop: EventLoop, _ observer: RedisLinkObserver) {
        self.loop = loop
        link = RedisLink(endpoint, on: loop, observer)
    }

    /// Begins to connect, and goes on trying until ``close()``.
    func start() { loop.submit { [link] in link.start() } }

    /// Waits for the replies that are owed, and ends the connection.
    func finish() async {
        await withCheckedContinuation { done in
            let isQueued = loop.submit { [link] in link.finish { done.resume() } }
            if !isQueued { done.resume() }
        }
    }

    /// Ends the connection; what is unanswered fails.
    func close() { loop.submit { [link] in link.close() } }

    /// The server's reply.
    func call(_ command: RESPCommand) async throws(StoreError) -> RESPValue {
        let replies = try await call([command])
        return replies.first ?? .null
    }

    /// The server's replies to commands that are sent in one go, in their order.
    ///
    /// Other clients' commands may come between them. Throws the first error (``RedisErrorReply``) or
    /// failure; the others may have been carried out.
    func call(_ commands: [RESPCommand]) async throws(StoreError) -> [RESPValue] {
        let replies = try await self.replies(to: commands)
        for reply in replies { try Self.check(reply) }
        return replies
    }

    /// The same, with refusals among the replies, for ``check(_:)``.
    func replies(to commands: [RESPCommand]) async throws(StoreError) -> [RESPValue] {
        guard !commands.isEmpty else { return [] }
        let result: Result<[RESPValue], StoreError> = await withCheckedContinuation { done in
            let isQueued = loop.submit { [link, loop] in
                link.send(
                    RedisRequest(
                        bytes: Self.bytes(of: commands), replyCount: commands.count,
                        deadline: loop.clock.now.advanced(by: Self.callTimeout)
                    ) { done.resume(returning: $0) })
            }
            if !isQueued { done.resume(returning: .failure(.unavailable("the store is closed"))) }
        }
        return try result.get()
    }

    /// Throws what a error means.
    static func check(_ reply: RESPValue) throws(StoreError) {
        if case .error(let message) = reply { throw RedisErrorReply(message).storeError }
    }

    private static func bytes(of commands: [RESPCommand]) -> [UInt8] {
        guard commands.count > 1 else { return commands.first?.bytes ?? [] }
        return Array(commands.map(\.bytes).joined())
    }
}
