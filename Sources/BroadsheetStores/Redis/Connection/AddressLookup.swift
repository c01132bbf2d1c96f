import BroadsheetIO

/// A resolver of host names that performs one lookup at a time.
///
/// The system's resolver blocks, so each lookup has its own thread. A caller that stops waiting and
/// calls again receives the result of the lookup in progress: a second one would not be faster, and
/// a resolver that does not return blocks one thread only. Used on the thread of its loop only.
final class AddressLookup: @unchecked Sendable {
    // Unchecked: confined to `loop`, which every entry point asserts.

    /// A function that receives the addresses or the error.
    typealias Finish = (Result<[SocketAddress], IOError>) -> Void

    /// The loop on which addresses are resolved and passed on.
    let loop: EventLoop
    /// The node whose lookup is in progress.
    private var current: RedisNode?
    /// The node whose addresses a caller waits for.
    private var pending: (node: RedisNode, finish: Finish)?

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
