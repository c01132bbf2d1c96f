internal import BroadsheetIO

/// Looks up servers' addresses, one at a time.
///
/// The resolver blocks, so each look-up has a thread for as long as it takes. Who gives up waiting
/// and asks anew gets the answer to the look-up that is under way: another would not be faster, and
/// a resolver that hangs holds one thread, however often it is asked. Touched on its loop's thread
/// only.
final class AddressLookup: @unchecked Sendable {
    // Unchecked: confined to `loop`, which every entry point asserts.

    /// Takes the addresses, or why there are none.
    typealias Finish = (Result<[SocketAddress], IOError>) -> Void

    private let loop: EventLoop
    /// What a thread looks up at present.
    private var underWay: RedisPlace?
    /// What somebody waits for.
    private var wanted: (place: RedisPlace, finish: Finish)?

    /// Looks nothing up yet.
    init(on loop: EventLoop) { self.loop = loop }

    /// Has `finish` called with the addresses of `place`; whoever waited before hears nothing.
    func find(_ place: RedisPlace, _ finish: @escaping Finish) {
        assert(loop.isCurrent)
        wanted = (place, finish)
        if underWay == nil { start(place) }
    }

    /// Tells nobody what is found.
    func forget() {
        assert(loop.isCurrent)
        wanted = nil
    }

    private func start(_ place: RedisPlace) {
        underWay = place
        _ = StoreThread("store-names") { [self, loop] in
            let found: Result<[SocketAddress], IOError>
            do throws(IOError) {
                found = .success(try SocketAddress.all(ofHost: place.host, port: place.port))
            } catch {
                found = .failure(error)
            }
            loop.submit { self.finish(place, found) }
        }
    }

    private func finish(_ place: RedisPlace, _ found: Result<[SocketAddress], IOError>) {
        underWay = nil
        guard let wanted else { return }
        guard wanted.place == place else { return start(wanted.place) }
        self.wanted = nil
        wanted.finish(found)
    }
}
