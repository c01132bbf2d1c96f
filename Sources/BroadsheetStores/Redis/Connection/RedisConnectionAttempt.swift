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
    private let loop: EventLoop
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
        of node: RedisNode, attemptNumber: Int, _ handshake: RedisHandshake, on loop: EventLoop,
        _ lookup: AddressLookup, _ finish: @escaping (Outcome) -> Void
    ) {
        self.node = node
        self.attemptNumber = attemptNumber
        self.handshake = handshake
        self.loop = loop
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
            return end(.failed("\(node) has no address"))
        }
        do throws(IOError) {
            // The connection retains the attempt until one of the two ends it.
            let events = RedisConnection.Events(
                connected: { [self] in connection?.send(handshake.firstCommand.bytes) },
                received: { [self] in greet($0) },
                ended: { [self] in connectionEnded($0) })
            connection = try RedisConnection(to: address, on: loop, events: events)
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

/// A resolver of host names that performs one lookup at a time.
///
/// The system's resolver blocks, so each lookup has its own thread. A caller that gives up and asks
/// again receives the result of the lookup in progress: a second one would not be faster, and a
/// resolver that hangs blocks one thread only. Used on the thread of its loop only.
final class AddressLookup: @unchecked Sendable {
    // Unchecked: confined to `loop`, which every entry point asserts.

    /// A function that receives the addresses or the error.
    typealias Finish = (Result<[SocketAddress], IOError>) -> Void

    private let loop: EventLoop
    /// The node whose lookup is in progress.
    private var current: RedisNode?
    /// The node whose addresses a caller waits for.
    private var pending: (node: RedisNode, finish: Finish)?

    /// Creates a resolver without a lookup in progress.
    init(on loop: EventLoop) { self.loop = loop }

    /// Passes the addresses of `node` to `finish`, and drops an earlier call that is waiting.
    func resolve(_ node: RedisNode, _ finish: @escaping Finish) {
        assert(loop.isCurrent)
        pending = (node, finish)
        if current == nil { start(node) }
    }

    /// Drops the call that is waiting.
    func cancel() {
        assert(loop.isCurrent)
        pending = nil
    }

    private func start(_ node: RedisNode) {
        current = node
        do throws(IOError) {
            _ = try WorkerThread("store-names") { [self, loop] in
                let found = Result { () throws(IOError) in
                    try SocketAddress.all(ofHost: node.host, port: node.port)
                }
                loop.submit { self.finish(node, found) }
            }
        } catch {
            loop.submit { self.finish(node, .failure(error)) }
        }
    }

    private func finish(_ node: RedisNode, _ found: Result<[SocketAddress], IOError>) {
        current = nil
        guard let pending else { return }
        guard pending.node == node else { return start(pending.node) }
        self.pending = nil
        pending.finish(found)
    }
}

/// The host and port of a server.
struct RedisNode: Hashable, Sendable, CustomStringConvertible {
    /// The host name or address.
    var host: String
    /// The port.
    var port: UInt16

    /// Creates a node.
    init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Creates the node of an endpoint.
    init(_ endpoint: RedisEndpoint) { self.init(host: endpoint.host, port: endpoint.port) }

    /// The host and port, for logs.
    var description: String { "\(host):\(port)" }
}
