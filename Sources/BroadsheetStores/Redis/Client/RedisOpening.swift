internal import BroadsheetIO

/// One attempt to reach a server: its addresses are looked up and tried in turn, and the first that
/// accepts is greeted.
///
/// Touched on its loop's thread only; whoever begins it sees to it that it does not take for ever.
final class RedisOpening {
    /// What came of it.
    enum Outcome {
        /// The server is ready for questions.
        case open(RedisConnection, RedisSession)
        /// The server will not have us.
        case refused(RedisRefusal)
        /// No server was reached, or it hung up; the text says why.
        case failed(String)
    }

    private let place: RedisPlace
    private let turn: Int
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
    /// - Parameter turn: Which of the server's addresses is tried first, counted round and round.
    init(
        of place: RedisPlace, turn: Int, _ handshake: RedisHandshake, on loop: EventLoop,
        _ lookup: AddressLookup, _ finish: @escaping (Outcome) -> Void
    ) {
        self.place = place
        self.turn = turn
        self.handshake = handshake
        self.loop = loop
        self.lookup = lookup
        self.finish = finish
    }

    /// Begins.
    func start() { lookup.find(place) { [self] in found($0) } }

    /// Ends it; nobody hears of an outcome.
    func cancel() {
        lookup.forget()
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
            let first = turn % max(1, found.count)
            addresses = found[first...] + found[..<first]
            connect()
        } catch {
            end(.failed(error.description))
        }
    }

    /// Connects to the next address.
    private func connect() {
        guard let address = addresses.popFirst() else {
            return end(.failed("\(place) has no address"))
        }
        do throws(IOError) {
            // The connection keeps the attempt alive until one of the two ends it.
            let events = RedisConnection.Events(
                connected: { [self] in connection?.send(handshake.opening.bytes) },
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

    private func greet(_ answer: RESPValue) {
        guard let connection else { return }
        switch handshake.receive(answer) {
        case .send(let command): connection.send(command.bytes)
        case .done: end(.open(connection, handshake.session))
        case .refused(let refusal):
            connection.close()
            end(.refused(refusal))
        }
    }
}
