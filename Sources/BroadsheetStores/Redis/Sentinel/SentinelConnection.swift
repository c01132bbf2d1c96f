import BroadsheetIO

/// A connection to one Sentinel, which is made by the first question and kept for the next ones.
///
/// Used on the thread of its loop only.
final class SentinelConnection {
    /// A function that receives the primary, or the reason why the Sentinel does not name it.
    typealias Finish = (Result<RedisNode, SentinelSilence>) -> Void

    let node: RedisNode
    private let greeting: SentinelGreeting
    private let lookup: AddressLookup
    private let question: RESPCommand
    private var attempts = 0
    private var attempt: RedisConnectionAttempt?
    private var connection: RedisConnection?
    /// The function that waits for a reply.
    private var finish: Finish?

    init(_ node: RedisNode, of sentinels: RedisSentinels, tls: RedisTLS?, on loop: EventLoop) {
        self.node = node
        greeting = SentinelGreeting(sentinels, tls: tls)
        lookup = AddressLookup(on: loop)
        question = RESPCommand("SENTINEL", "GET-MASTER-ADDR-BY-NAME", sentinels.name)
    }

    /// Asks for the primary; one question at a time.
    func ask(_ finish: @escaping Finish) {
        self.finish = finish
        if let connection { return connection.send(question.bytes) }
        let attempt = RedisConnectionAttempt(
            of: node, attemptNumber: attempts, greeting, lookup
        ) { [weak self] in self?.opened($0) }
        attempts += 1
        self.attempt = attempt
        attempt.start()
    }

    /// Closes the connection; a question that waits gets no reply.
    func close() {
        finish = nil
        attempt?.cancel()
        attempt = nil
        connection?.close()
        connection = nil
    }

    private func opened(_ outcome: RedisConnectionAttempt.Outcome) {
        attempt = nil
        switch outcome {
        case .open(let connection, _):
            self.connection = connection
            let events = RedisConnection.Events(
                connected: {}, received: { [weak self] in self?.received($0) },
                ended: { [weak self] in self?.fail($0) })
            connection.transfer(to: events, chargingTo: .unlimited)
            connection.send(question.bytes)
        case .rejected(let error): fail(error.message)
        case .failed(let reason): fail(reason)
        }
    }

    private func received(_ reply: RESPValue) {
        if case .error(let message) = reply { return fail(RedisErrorReply(message).message) }
        if case .null = reply { return fail("it does not know the name") }
        let words = (reply.elements ?? []).map(\.text)
        guard words.count == 2, let host = words[0], let port = words[1].flatMap({ UInt16($0) }),
            !host.isEmpty, port > 0
        else { return fail("its reply is not an address") }
        let finish = self.finish
        self.finish = nil
        finish?(.success(RedisNode(host: host, port: port)))
    }

    private func fail(_ reason: String) {
        let finish = self.finish
        close()
        finish?(
            .failure(
                SentinelSilence(
                    reason: "\(node): \(reason)" + node.remedy(for: reason, "the Sentinel"))))
    }
}

/// The reason why Sentinels do not name a primary.
struct SentinelSilence: Error, Hashable {
    /// The reason, with the address of the Sentinel.
    let reason: String
}

/// The beginning of a connection to a Sentinel: the authentication, if it requires one.
struct SentinelGreeting: RedisGreeting {
    /// The limits of replies, which are the addresses of servers.
    let limits = RESPLimits(line: 1024, reply: 4096, elements: 16, depth: 2)
    let tls: RedisTLS?
    let session = RedisSession(version: .two, runID: nil)
    private let user: String?
    private let password: String?

    init(_ sentinels: RedisSentinels, tls: RedisTLS?) {
        self.tls = tls
        user = sentinels.user
        password = sentinels.password
    }

    var firstCommand: RESPCommand? {
        guard let password else { return nil }
        let words = ["AUTH"] + (user.map { [$0] } ?? []) + [password]
        return RESPCommand(words.map { Array($0.utf8) })
    }

    mutating func receive(_ reply: RESPValue) -> RedisGreetingStep {
        guard case .error(let message) = reply else { return .done }
        return .rejected(RedisErrorReply(message, toSecret: true))
    }
}
