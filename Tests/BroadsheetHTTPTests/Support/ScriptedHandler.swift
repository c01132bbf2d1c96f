import BroadsheetHTTP
import Synchronization
import TestSupport

/// A handler that responds by the request's path:
/// `/hello`, `/echo` (the body back), `/big` (``bigBody``), `/yield` (suspends first), and `/wait`
/// (until ``release()``).
final class ScriptedHandler: HTTPHandler {
    /// A body larger than the buffers of two loopback sockets, so that a peer that stops reading
    /// blocks.
    static let bigBody = pattern(blocks: 366)

    /// The paths of the requests.
    let requests = Recorder<String>()
    /// The reported exchanges.
    let exchanges = Recorder<HTTPExchange>()
    /// A Boolean value that indicates whether the task was cancelled, once for each `/wait` that
    /// ended.
    let cancellations = Recorder<Bool>()
    private let gate = AsyncStream<Void>.makeStream()

    /// Ends one `/wait`.
    func release() {
        gate.continuation.yield()
    }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        requests.record(request.target.path)
        switch request.target.path {
        case "/echo": return Self.response(request.body)
        case "/big": return Self.response(Self.bigBody)
        case "/yield":
            for _ in 0..<3 { await Task.yield() }
            return Self.response(Array((request.target.query ?? "").utf8))
        case "/wait":
            for await _ in gate.stream { break }
            cancellations.record(Task.isCancelled)
            return Self.response(Array("waited".utf8))
        default: return Self.response(Array("hello".utf8))
        }
    }

    func response(to error: HTTPError) -> HTTPResponse {
        HTTPResponse(status: error.status, body: Array("\(error.status.code)".utf8))
    }

    func completed(_ exchange: HTTPExchange) {
        exchanges.record(exchange)
    }

    private static func response(_ body: [UInt8]) -> HTTPResponse {
        HTTPResponse(status: .ok, headers: ["X-Test": "yes"], body: body)
    }
}

/// Returns bytes with a period of 65 521, a prime, so that no two buffers in a row are equal.
func pattern(blocks: Int) -> [UInt8] {
    let block = (0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(blocks * block.count)
    for _ in 0..<blocks { bytes += block }
    return bytes
}
