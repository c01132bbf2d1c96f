import BroadsheetIO

/// One attempt to connect to a server: resolves its addresses, tries them in order, and performs
/// the handshake on the first connection that is accepted.
///
/// Used on the thread of its loop only. The owner limits its duration.
final class RedisConnectionAttempt {
    /// The outcome of an attempt.
    enum Outcome {
        /// The server is ready for requests.
        case open(RedisConnection, RedisSession)
        /// The server replied to the handshake with an error.
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
    private var handshake: RedisHandshake

    /// Creates an attempt, which ``start()`` begins and whose outcome is passed to `finish`.
    ///
    /// - Parameter attemptNumber: The number of the attempt, which selects the address to try first
    ///   in a cycle.
    init(
        of node: RedisNode, attemptNumber: Int, _ handshake: RedisHandshake,
        _ lookup: AddressLookup, _ finish: @escaping (Outcome) -> Void
    ) {
        self.node = node
        self.attemptNumber = attemptNumber
        self.handshake = handshake
        self.lookup = lookup
        self.finish = finish
    }

    /// Begins the attempt.
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
        do throws(IOError) {
            // The connection retains the attempt until one of the two ends it.
            let events = RedisConnection.Events(
                connected: { [self] in connection?.send(handshake.firstCommand.bytes) },
                received: { [self] in greet($0) },
                ended: { [self] in connectionEnded($0) })
            connection = try RedisConnection(to: address, on: lookup.loop, events: events)
        } catch {
            connectionEnded(error.description)
        }
    }

    private func connectionEnded(_ reason: String) {
        let wasConnected = connection?.isConnected ?? false
        connection = nil
        guard !wasConnected, !addresses.isEmpty else { return end(.failed(reason)) }
        connect()
    }

    private func greet(_ reply: RESPValue) {
        guard let connection else { return }
        switch handshake.receive(reply) {
        case .send(let command): connection.send(command.bytes)
        case .done: end(.open(connection, handshake.session))
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
    /// The maximum delay.
    static let longest = Duration.seconds(2)

    private var failures = 0

    /// Starts again with the first delay after a successful connection.
    mutating func reset() { failures = 0 }

    /// Returns the delay after one more failure: between half and all of a value that doubles each
    /// time.
    mutating func next(using generator: inout some RandomNumberGenerator) -> Duration {
        let whole = min(Self.first * (1 << min(failures, 16)), Self.longest)
        failures += 1
        return whole * Double.random(in: 0.5...1, using: &generator)
    }
}
