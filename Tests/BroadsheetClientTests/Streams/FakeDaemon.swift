@testable import BroadsheetClient

/// A daemon of prepared responses, by the paths of requests.
actor FakeDaemon: ClientTransport {
    typealias Response = @Sendable (ClientRequest) throws -> ClientResponse

    private var responses: [String: [Response]] = [:]
    private(set) var targets: [String] = []
    private(set) var headers: [[String: String]] = []
    private(set) var bodies: [[UInt8]] = []

    /// Adds the next response to requests of a path.
    func respond(to path: String, _ response: @escaping Response) {
        responses[path, default: []].append(response)
    }

    func send(_ request: ClientRequest) async throws -> ClientResponse {
        targets.append(request.target)
        headers.append(request.headers)
        bodies.append(request.body ?? [])
        let path =
            request.target.prefix { $0 != "?" }.split(separator: "/").last.map(String.init) ?? ""
        guard let next = responses[path]?.first else {
            // A stream without events, until its task is cancelled.
            return ClientResponse(
                status: 200, headers: [:], body: AsyncThrowingStream { _ in })
        }
        responses[path]?.removeFirst()
        return try next(request)
    }
}

extension FakeDaemon {
    /// Returns a response with a document, and with an entity tag in quotes.
    static func ok(_ body: String, tag: String? = nil) -> Response {
        { _ in
            ClientResponse(
                status: 200, headers: tag.map { ["etag": "\"\($0)\""] } ?? [:],
                bytes: Array(body.utf8))
        }
    }

    /// Returns a problem document.
    static func problem(_ status: Int, _ code: String) -> Response {
        { _ in
            ClientResponse(
                status: status, bytes: Array(#"{"code":"\#(code)","detail":"why"}"#.utf8))
        }
    }
}
