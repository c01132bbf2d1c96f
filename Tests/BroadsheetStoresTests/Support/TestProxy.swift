import Foundation
import Synchronization

/// A proxy before a server, which passes the bytes of each connection on in a way of its own.
final class TestProxy: Sendable {
    /// A function that begins to pass on the bytes of a connection.
    typealias Forward = @Sendable (_ client: TestSocket, _ server: TestSocket) -> Void
    /// A function that changes received bytes; `false` ends the connection after they are sent.
    typealias Change = @Sendable (inout [UInt8]) -> Bool

    fileprivate let port: UInt16
    private let socket: TestSocket
    private let connections = Mutex<[TestSocket]>([])

    /// Starts a proxy before the server at `upstream`.
    init(upstream: UInt16, _ forward: @escaping Forward) throws {
        (socket, port) = try TestSocket.listening()
        Thread.detachNewThread { [self] in
            while let client = socket.accept() {
                guard let server = try? TestSocket.connected(to: upstream) else {
                    client.shutDown()
                    continue
                }
                connections.withLock { $0 += [client, server] }
                forward(client, server)
            }
        }
    }

    /// Passes on what a socket receives, on a thread, until either of the two is closed.
    static func pass(
        from source: TestSocket, to target: TestSocket, _ change: @escaping Change = { _ in true }
    ) {
        Thread.detachNewThread {
            while case var bytes = source.receive(), !bytes.isEmpty {
                let isOpen = change(&bytes)
                target.send(bytes)
                guard isOpen else { break }
            }
            source.shutDown()
            target.shutDown()
        }
    }

    fileprivate func stop() {
        socket.shutDown()
        cut()
    }

    fileprivate func cut() {
        for connection in connections.withLock({ $0 }) { connection.shutDown() }
    }
}

/// A proxy of a kind.
protocol KindOfProxy: Sendable {
    var proxy: TestProxy { get }
}

extension KindOfProxy {
    /// The port of the proxy.
    var port: UInt16 { proxy.port }

    /// Stops the proxy and closes all connections.
    func stop() { proxy.stop() }

    /// Closes all connections.
    func cut() { proxy.cut() }
}

/// A proxy that cuts each connection after a number of the server's bytes.
struct CuttingProxy: KindOfProxy {
    /// Returns the number of bytes after which the next connection is cut; `nil` for none.
    typealias Limit = @Sendable () -> Int?

    let proxy: TestProxy

    /// Starts a proxy before the server at `upstream`.
    init(upstream: UInt16, _ limit: @escaping Limit) throws {
        proxy = try TestProxy(upstream: upstream) { client, server in
            let left = Mutex(limit())
            TestProxy.pass(from: client, to: server)
            TestProxy.pass(from: server, to: client) { bytes in
                left.withLock { left in
                    guard let count = left else { return true }
                    left = max(0, count - bytes.count)
                    bytes = Array(bytes.prefix(count))
                    return left != 0
                }
            }
        }
    }
}

/// A proxy before a server that cuts connections at commits.
struct CommitCuttingProxy: KindOfProxy {
    /// The moment of a cut.
    enum Cut: CaseIterable {
        /// Before the server has the commit.
        case before
        /// After the server has replied, before the store has the reply.
        case after
    }

    /// A function that returns the cut of the next commit, or `nil` for none.
    typealias Choose = @Sendable () -> Cut?

    let proxy: TestProxy

    /// Starts a proxy before the server at `upstream`.
    ///
    /// - Parameters:
    ///   - upstream: The port of the server.
    ///   - texts: The texts of which commits have one, and other requests none.
    ///   - choose: The function that chooses the cuts.
    init(
        upstream: UInt16, of texts: [String] = ["broadsheet.apply_"],
        _ choose: @escaping Choose
    ) throws {
        let texts = texts.map { Array($0.utf8) }
        proxy = try TestProxy(upstream: upstream) { client, server in
            let flag = CutFlag()
            TestProxy.pass(from: client, to: server) { bytes in
                let isCommit = texts.contains { bytes.contains($0) }
                let cut = isCommit ? choose() : nil
                flag.isCut.withLock { $0 = cut == .after }
                if cut == .before { bytes = [] }
                return cut != .before
            }
            TestProxy.pass(from: server, to: client) { bytes in
                let isCut = flag.isCut.withLock { $0 }
                if isCut { bytes = [] }
                return !isCut
            }
        }
    }

    /// The decision whether the next reply of a connection is cut off.
    private final class CutFlag: Sendable {
        let isCut = Mutex(false)
    }
}
