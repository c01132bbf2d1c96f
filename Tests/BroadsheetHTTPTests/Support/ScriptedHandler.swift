import BroadsheetHTTP
import BroadsheetIO
import Synchronization
import TestSupport

/// A handler that responds by the request's path:
/// `/hello`, `/echo` (the body back), `/big` (``bigBody``), `/parts` (the same, from a source),
/// `/short` (a source that ends early), `/yield` (suspends first), `/wait` (until ``release()``),
/// and `/stream` (a new one of ``streams``, or 503 at their limit).
final class ScriptedHandler: HTTPHandler {
    /// A body larger than the buffers of two loopback sockets, so that a peer that stops reading
    /// blocks.
    static let bigBody = pattern(blocks: 366)

    /// The paths of the requests.
    let requests = Recorder<String>()
    /// The sizes of the parts that sources were asked for.
    let parts = Recorder<Int>()
    /// The addresses of the peers of requests, also of those that are refused or fail.
    let peers = Recorder<IPAddress>()
    /// The reported exchanges.
    let exchanges = Recorder<HTTPExchange>()
    /// A Boolean value that indicates whether the task was cancelled, once for each `/wait` that
    /// ended.
    let cancellations = Recorder<Bool>()
    /// The streams, which the test writes.
    let streams = Recorder<ScriptedStream>()
    /// The limit of streams.
    let streamGate: StreamGate
    private let makeStream: @Sendable () -> ScriptedStream
    private let gate = AsyncStream<Void>.makeStream()

    /// Creates a handler.
    ///
    /// - Parameters:
    ///   - streamGate: The limit of streams.
    ///   - makeStream: Makes the content of `/stream`.
    init(
        streamGate: StreamGate = StreamGate(limit: 1000, memory: .unlimited),
        makeStream: @escaping @Sendable () -> ScriptedStream = { ScriptedStream() }
    ) {
        self.streamGate = streamGate
        self.makeStream = makeStream
    }

    /// Ends one `/wait`.
    func release() {
        gate.continuation.yield()
    }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        requests.record(request.target.path)
        peers.record(request.peer)
        switch request.target.path {
        case "/echo": return Self.response(request.body)
        case "/big": return Self.response(Self.bigBody)
        case "/parts": return response(from: PartSource(Self.bigBody, missing: 0, parts))
        case "/short": return response(from: PartSource(Self.bigBody, missing: 1, parts))
        case "/yield":
            for _ in 0..<3 { await Task.yield() }
            return Self.response(Array((request.target.query ?? "").utf8))
        case "/wait":
            for await _ in gate.stream { break }
            cancellations.record(Task.isCancelled)
            return Self.response(Array("waited".utf8))
        case "/stream": return streaming(request.head)
        default: return Self.response(Array("hello".utf8))
        }
    }

    /// Refuses requests for `/refused`.
    func refusal(of head: HTTPRequestHead, from peer: IPAddress) -> HTTPResponse? {
        guard head.target.path == "/refused" else { return nil }
        peers.record(peer)
        return HTTPResponse(status: .unauthorized, body: Array("refused".utf8))
    }

    func response(
        to error: HTTPError, in head: HTTPRequestHead?, from peer: IPAddress
    ) -> HTTPResponse {
        peers.record(peer)
        return HTTPResponse(status: error.status, body: Array("\(error.status.code)".utf8))
    }

    func completed(_ exchange: HTTPExchange) {
        exchanges.record(exchange)
    }

    private static func response(_ body: [UInt8]) -> HTTPResponse {
        HTTPResponse(status: .ok, headers: ["X-Test": "yes"], body: body)
    }

    private func streaming(_ head: HTTPRequestHead) -> HTTPResponse {
        guard case .success(let ticket) = streamGate.enter(head, for: .name("a")) else {
            return HTTPResponse(status: .serviceUnavailable)
        }
        let stream = makeStream()
        streams.record(stream)
        var response = Self.response([])
        response.stream = HTTPStream(
            stream, first: stream.first, heartbeat: ScriptedStream.heartbeat, ticket: ticket)
        return response
    }

    private func response(from source: PartSource) -> HTTPResponse {
        var response = Self.response([])
        response.source = source
        return response
    }
}

/// A source of a body in memory.
final class PartSource: BodySource {
    let byteCount: Int
    private let rest: Mutex<ArraySlice<UInt8>>
    private let sizes: Recorder<Int>

    /// Creates a source that lacks the last `missing` of its promised bytes.
    init(_ body: [UInt8], missing: Int, _ sizes: Recorder<Int>) {
        byteCount = body.count
        rest = Mutex(body.dropLast(missing))
        self.sizes = sizes
    }

    func next(byteCount: Int) -> [UInt8]? {
        rest.withLock { rest in
            guard !rest.isEmpty else { return nil }
            let part = Array(rest.prefix(byteCount))
            rest.removeFirst(part.count)
            sizes.record(part.count)
            return part
        }
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
