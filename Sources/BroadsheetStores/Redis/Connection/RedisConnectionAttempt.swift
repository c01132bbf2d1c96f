import BroadsheetIO

/// One attempt to reach a server: its addresses are looked up and tried in attemptNumber, and the first that
/// accepts is receiveHello.
///
/// Touched on its loop's thread only; whoever begins it sees to it that it does not take for ever.
final class RedisConnectionAttempt {
    /// What came of it.
    enum Outcome {
        /// The server is ready for requests.
        case open(RedisConnection, RedisSession)
        /// The server will not have us.
        case rejected(RedisErrorReply)
        /// No server was reached, or it hung up; the text says why.
        case failed(String)
    }

    private let node: RedisNode
    private let attemptNumber: Int
    private let loop: EventLoop
    private let lookup: AddressLookup
    /// Nil once it is over.
    private var finish: ((Outcome) -> Void)?
    /// The addresses that have not been tried.
    private var addresses: ArraySlice<SocketAddress> = []
    private var connection: RedisConnection?
    private var handshake: RedisHandshake

    /// An attempt that ``start()`` begins, and whose outcome `finish` is called with.
    ///
    /// - Parameter attemptNumber: Which of the server's addresses is tried first, counted round and round.
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

    /// Begins.
    func start() { lookup.resolve(node) { [self] in found($0) } }

    /// Ends it; nobody hears of an outcome.
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
            // The connection keeps the attempt alive until one of the two ends it.
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

/// Looks up servers' addresses, one at a time.
///
/// The resolver blocks, so each look-up has a thread for as long as it takes. Who gives up waiting
/// and asks anew gets the reply to the look-up that is under way: another would not be faster, and
/// a resolver that hangs holds one thread, however often it is asked. Touched on its loop's thread
/// only.
final class AddressLookup: @unchecked Sendable {
    // Unchecked: confined to `loop`, which every entry point asserts.

    /// Takes the addresses, or why there are none.
    typealias Finish = (Result<[SocketAddress], IOError>) -> Void

    private let loop: EventLoop
    /// What a thread looks up at present.
    private var current: RedisNode?
    /// What somebody waits for.
    private var pending: (node: RedisNode, finish: Finish)?

    /// Looks nothing up yet.
    init(on loop: EventLoop) { self.loop = loop }

    /// Has `finish` called with the addresses of `node`; whoever waited before hears nothing.
    func resolve(_ node: RedisNode, _ finish: @escaping Finish) {
        assert(loop.isCurrent)
        pending = (node, finish)
        if current == nil { start(node) }
    }

    /// Tells nobody what is found.
    func cancel() {
        assert(loop.isCurrent)
        pending = nil
    }

    private func start(_ node: RedisNode) {
        current = node
        _ = StoreThread("store-names") { [self, loop] in
            let found: Result<[SocketAddress], IOError>
            do throws(IOError) {
                found = .success(try SocketAddress.all(ofHost: node.host, port: node.port))
            } catch {
                found = .failure(error)
            }
            loop.submit { self.finish(node, found) }
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

/// A server's name or address, and its port.
struct RedisNode: Hashable, Sendable, CustomStringConvertible {
    /// The name or address.
    var host: String
    /// The port.
    var port: UInt16

    /// Puts a node together.
    init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Where an endpoint is.
    init(_ endpoint: RedisEndpoint) { self.init(host: endpoint.host, port: endpoint.port) }

    /// The node as a log shows it.
    var description: String { "\(host):\(port)" }
}
