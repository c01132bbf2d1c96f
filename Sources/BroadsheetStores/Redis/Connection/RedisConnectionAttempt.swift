import BroadsheetIO

/// One attempt to connect to a server: resolves its addresses, tries them in order, and performs
/// the greeting on the first connection that is accepted.
///
/// Used on the thread of its loop only. The owner limits its duration.
final class RedisConnectionAttempt {
    /// The outcome of an attempt.
    enum Outcome {
        /// The server is ready for requests.
        case open(RedisConnection, RedisSession)
        /// The server replied to the greeting with an error.
        case rejected(RedisErrorReply)
        /// No server was reached, or it closed the connection; the text is the reason.
        case failed(String)
    }

    private let node: RedisNode
    private let attemptNumber: Int
    private let lookup: AddressLookup
    /// The function that receives the outcome; `nil` after the attempt has ended.
    private var finish: ((Outcome) -> Void)?
    /// The addresses that were not tried yet.
    private var addresses: ArraySlice<SocketAddress> = []
    private var connection: RedisConnection?
    /// A Boolean value that indicates whether the connection is established, with TLS if there is
    /// any.
    private var isGreeting = false
    private var greeting: any RedisGreeting

    /// Creates an attempt, which ``start()`` begins and whose outcome is passed to `finish`.
    ///
    /// - Parameter attemptNumber: The number of the attempt, which selects the address to try first
    ///   in a cycle.
    init(
        of node: RedisNode, attemptNumber: Int, _ greeting: some RedisGreeting,
        _ lookup: AddressLookup, _ finish: @escaping (Outcome) -> Void
    ) {
        self.node = node
        self.attemptNumber = attemptNumber
        self.greeting = greeting
        self.lookup = lookup
        self.finish = finish
    }

    /// The reason for the failure of an attempt that takes too long.
    var delay: String {
        // A server without TLS waits for more of what it takes for a command.
        guard greeting.tls != nil, connection?.isConnected == true, !isGreeting else {
            return "Redis does not reply"
        }
        return "the server does not reply to the handshake of TLS; does its port expect TLS?"
    }

    func start() { lookup.resolve(node) { [self] in found($0) } }

    /// Ends the attempt without an outcome.
    func cancel() {
        lookup.cancel()
        connection?.close()
        connection = nil
        finish = nil
    }

    private func end(_ outcome: Outcome) {
        let finish = self.finish
        self.finish = nil
        connection = nil
        finish?(outcome)
    }

    private func found(_ result: Result<[SocketAddress], IOError>) {
        do throws(IOError) {
            let found = try result.get()
            let first = attemptNumber % max(1, found.count)
            addresses = found[first...] + found[..<first]
            connect()
        } catch {
            end(.failed(error.description))
        }
    }

    /// Connects to the next address.
    private func connect() {
        guard let address = addresses.popFirst() else {
            return end(.failed("the name has no address"))
        }
        do {
            // The connection retains the attempt until one of the two ends it.
            let events = RedisConnection.Events(
                connected: { [self] in connected() }, received: { [self] in greet($0) },
                ended: { [self] in connectionEnded($0) })
            connection = try RedisConnection(
                to: address, on: lookup.loop, tls: session(),
                limits: RedisConnection.Limits(replies: greeting.limits), events: events)
        } catch let failure as TLSFailure {
            end(.failed(failure.reason))
        } catch {
            connectionEnded("\(error)")
        }
    }

    /// Creates the TLS of a connection, with the files as they are now; `nil` for none.
    private func session() throws(TLSFailure) -> TLSSession? {
        guard let tls = greeting.tls else { return nil }
        return try TLSSession(TLSContext(tls), with: node.host)
    }

    private func connected() {
        isGreeting = true
        guard let connection else { return }
        guard let command = greeting.firstCommand else {
            return end(.open(connection, greeting.session))
        }
        connection.send(command.bytes)
    }

    private func connectionEnded(_ reason: String) {
        let wasConnected = connection?.isConnected ?? false
        connection = nil
        guard !wasConnected, !addresses.isEmpty else { return end(.failed(reason)) }
        connect()
    }

    private func greet(_ reply: RESPValue) {
        guard let connection else { return }
        switch greeting.receive(reply) {
        case .send(let command): connection.send(command.bytes)
        case .done: end(.open(connection, greeting.session))
        case .rejected(let error):
            connection.close()
            end(.rejected(error))
        }
    }
}

/// The delay before the next connection attempt.
///
/// It grows with each failure and is randomized, so that a restarted server is not contacted by all
/// daemons at once.
struct RedisReconnectDelay {
    /// The maximum of the first delay.
    static let first = Duration.milliseconds(50)
    static let longest = Duration.seconds(2)

    /// The delays while Sentinels name servers that are not primaries: between 0.1 and 1 s.
    static let betweenSentinels = RedisReconnectDelay(
        first: .milliseconds(200), longest: .seconds(1))

    private let first: Duration
    private let longest: Duration
    private var failures = 0

    init(first: Duration = Self.first, longest: Duration = Self.longest) {
        self.first = first
        self.longest = longest
    }

    /// Starts again with the first delay after a successful connection.
    mutating func reset() { failures = 0 }

    /// Returns the delay after one more failure: between half and all of a value that doubles each
    /// time.
    mutating func next(using generator: inout some RandomNumberGenerator) -> Duration {
        let whole = min(first * (1 << min(failures, 16)), longest)
        failures += 1
        return whole * Double.random(in: 0.5...1, using: &generator)
    }
}
