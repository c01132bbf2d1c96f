import BroadsheetHTTP
import Synchronization

/// A handler whose answers the request's path asks for:
/// `/hello`, `/echo` (the body back), `/big` (``bigBody``), `/yield` (suspends first), and `/wait`
/// (until ``release()``).
final class ScriptedHandler: HTTPHandler {
    /// More than a pair of loopback sockets holds, so that a peer that does not read is noticed.
    static let bigBody = pattern(blocks: 366)

    /// The paths of the requests that have come in.
    let requests = Log<String>()
    /// What was reported of the answers.
    let exchanges = Log<HTTPExchange>()
    /// Whether the task was cancelled, once for each `/wait` that ended.
    let cancellations = Log<Bool>()
    private let gate = AsyncStream<Void>.makeStream()

    /// Lets one `/wait` go on.
    func release() {
        gate.continuation.yield()
    }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        requests.append(request.target.path)
        switch request.target.path {
        case "/echo": return Self.answer(request.body)
        case "/big": return Self.answer(Self.bigBody)
        case "/yield":
            for _ in 0..<3 { await Task.yield() }
            return Self.answer(Array((request.target.query ?? "").utf8))
        case "/wait":
            for await _ in gate.stream { break }
            cancellations.append(Task.isCancelled)
            return Self.answer(Array("waited".utf8))
        default: return Self.answer(Array("hello".utf8))
        }
    }

    func response(to error: HTTPError) -> HTTPResponse {
        HTTPResponse(status: error.status, body: Array("\(error.status.code)".utf8))
    }

    func completed(_ exchange: HTTPExchange) {
        exchanges.append(exchange)
    }

    private static func answer(_ body: [UInt8]) -> HTTPResponse {
        HTTPResponse(status: .ok, headers: ["X-Test": "yes"], body: body)
    }
}

/// Bytes that repeat every 65 521, a prime, so that no two stretches of a buffer's size are alike.
func pattern(blocks: Int) -> [UInt8] {
    let block = (0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(blocks * block.count)
    for _ in 0..<blocks { bytes += block }
    return bytes
}
