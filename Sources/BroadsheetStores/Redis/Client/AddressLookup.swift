internal import BroadsheetIO

/// A look-up of a server's addresses.
///
/// The resolver blocks, so it has a thread for as long as it takes.
final class AddressLookup: Sendable {
    /// What is looked up.
    let place: RedisPlace
    private let loop: EventLoop
    private let finish: @Sendable (Result<[SocketAddress], IOError>) -> Void

    /// A look-up whose result `finish` is called with on `loop`, once it is started.
    init(
        of place: RedisPlace, on loop: EventLoop,
        _ finish: @escaping @Sendable (Result<[SocketAddress], IOError>) -> Void
    ) {
        self.place = place
        self.loop = loop
        self.finish = finish
    }

    /// Starts it.
    func start() {
        _ = StoreThread("store-names") { [place, loop, finish] in
            let found: Result<[SocketAddress], IOError>
            do throws(IOError) {
                found = .success(
                    try SocketAddress.all(ofHost: place.host, port: place.port))
            } catch {
                found = .failure(error)
            }
            loop.submit { finish(found) }
        }
    }
}
