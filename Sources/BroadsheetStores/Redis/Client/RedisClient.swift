internal import BroadsheetIO

/// Asks a server and waits for its answers, from any task.
final class RedisClient: Sendable {
    /// How long an answer may take before the caller is told that there is none.
    static let callTimeout = Duration.seconds(2)

    private let loop: EventLoop
    private let link: RedisLink

    /// A client of `endpoint` whose connection lives on `loop`; ``start()`` makes it.
    init(_ endpoint: RedisEndpoint, on loop: EventLoop) {
        self.loop = loop
        link = RedisLink(endpoint, on: loop)
    }

    /// Begins to connect, and goes on trying until ``close()``.
    func start() { loop.submit { [link] in link.start() } }

    /// Ends the connection; what is unanswered fails.
    func close() { loop.submit { [link] in link.close() } }

    /// The server's answer; its refusals are thrown as `unavailable`.
    func call(_ command: RESPCommand) async throws(StoreError) -> RESPValue {
        let answers = try await call([command])
        return answers[0]
    }

    /// The server's answers to commands that are sent in one go, in their order.
    ///
    /// Nobody else's commands come between them. Throws the first refusal or failure; the others
    /// may have been carried out.
    func call(_ commands: [RESPCommand]) async throws(StoreError) -> [RESPValue] {
        let answers: [Result<RESPValue, StoreError>] = await withCheckedContinuation { done in
            let gathering = Gathering(commands.count) { done.resume(returning: $0) }
            let isQueued = loop.submit { [link, loop] in
                let deadline = loop.clock.now.advanced(by: Self.callTimeout)
                for (index, command) in commands.enumerated() {
                    link.ask(
                        RedisLink.Question(command: command, deadline: deadline) {
                            gathering.take($0, at: index)
                        })
                }
            }
            if !isQueued {
                let closed = Result<RESPValue, StoreError>.failure(
                    .unavailable("the store is closed"))
                done.resume(returning: Array(repeating: closed, count: commands.count))
            }
        }
        var values: [RESPValue] = []
        for answer in answers {
            let value = try answer.get()
            if case .error(let words) = value { throw Self.refusal(words) }
            values.append(value)
        }
        return values
    }

    private static func refusal(_ words: String) -> StoreError {
        // "OOM command not allowed when used memory > 'maxmemory'": the one refusal that says full.
        words.hasPrefix("OOM") ? .full("Redis: \(words)") : .unavailable("Redis: \(words)")
    }
}

/// Collects the answers to several commands. Touched on the loop's thread only.
private final class Gathering: @unchecked Sendable {
    // Unchecked: questions are finished on their link's loop, one after another.
    private var answers: [Result<RESPValue, StoreError>?]
    private var missing: Int
    private let finish: ([Result<RESPValue, StoreError>]) -> Void

    init(_ count: Int, _ finish: @escaping ([Result<RESPValue, StoreError>]) -> Void) {
        answers = Array(repeating: nil, count: count)
        missing = count
        self.finish = finish
    }

    func take(_ answer: Result<RESPValue, StoreError>, at index: Int) {
        answers[index] = answer
        missing -= 1
        if missing == 0 { finish(answers.compactMap { $0 }) }
    }
}
