internal import BroadsheetIO

/// Asks a server and waits for its answers, from any task.
final class RedisClient: Sendable {
    /// How long an answer may take before the caller is told that there is none.
    static let callTimeout = Duration.seconds(2)

    private let loop: EventLoop
    private let link: RedisLink

    /// A client of `endpoint` whose connection lives on `loop`; ``start()`` makes it.
    init(_ endpoint: RedisEndpoint, on loop: EventLoop, _ listening: RedisListening) {
        self.loop = loop
        link = RedisLink(endpoint, on: loop, listening)
    }

    /// Begins to connect, and goes on trying until ``close()``.
    func start() { loop.submit { [link] in link.start() } }

    /// Waits for the answers that are owed, and ends the connection.
    func finish() async {
        await withCheckedContinuation { done in
            let isQueued = loop.submit { [link] in link.finish { done.resume() } }
            if !isQueued { done.resume() }
        }
    }

    /// Ends the connection; what is unanswered fails.
    func close() { loop.submit { [link] in link.close() } }

    /// The server's answer.
    func call(_ command: RESPCommand) async throws(StoreError) -> RESPValue {
        let answers = try await call([command])
        return answers.first ?? .null
    }

    /// The server's answers to commands that are sent in one go, in their order.
    ///
    /// Other clients' commands may come between them. Throws the first refusal (``RedisRefusal``) or
    /// failure; the others may have been carried out.
    func call(_ commands: [RESPCommand]) async throws(StoreError) -> [RESPValue] {
        let answers = try await self.answers(to: commands)
        for answer in answers { try Self.check(answer) }
        return answers
    }

    /// The same, with refusals among the answers, for ``check(_:)``.
    func answers(to commands: [RESPCommand]) async throws(StoreError) -> [RESPValue] {
        guard !commands.isEmpty else { return [] }
        let result: Result<[RESPValue], StoreError> = await withCheckedContinuation { done in
            let isQueued = loop.submit { [link, loop] in
                link.ask(
                    RedisQuestion(
                        bytes: Self.bytes(of: commands), answerCount: commands.count,
                        deadline: loop.clock.now.advanced(by: Self.callTimeout)
                    ) { done.resume(returning: $0) })
            }
            if !isQueued { done.resume(returning: .failure(.unavailable("the store is closed"))) }
        }
        return try result.get()
    }

    /// Throws what a refusal means.
    static func check(_ answer: RESPValue) throws(StoreError) {
        if case .error(let words) = answer { throw RedisRefusal(words).storeError }
    }

    private static func bytes(of commands: [RESPCommand]) -> [UInt8] {
        guard commands.count > 1 else { return commands.first?.bytes ?? [] }
        return Array(commands.map(\.bytes).joined())
    }
}
