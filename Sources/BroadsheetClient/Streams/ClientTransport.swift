/// A function of the platform that sends requests to a daemon.
public protocol ClientTransport: Sendable {
    /// Sends a request, and returns the response as soon as its head has arrived.
    ///
    /// The body of a response that is not read to its end is cancelled with the task that reads it.
    func send(_ request: ClientRequest) async throws -> ClientResponse
}

/// The error with which a transport ends the body of a stream that is to be opened again at once,
/// such as with another token.
public struct StreamReopening: Error, Hashable {
    /// Creates the error.
    public init() {}
}

/// A request to a daemon.
public struct ClientRequest: Sendable, Hashable {
    /// The method, such as `GET`.
    public var method: String
    /// The path and the query, such as `/v1/screens/home/layout?width=390`.
    public var target: String
    /// The header fields by their names.
    public var headers: [String: String]
    /// The body; `nil` for none.
    public var body: [UInt8]?

    /// Creates a request.
    public init(
        _ method: String, _ target: String, headers: [String: String] = [:], body: [UInt8]? = nil
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
    }
}

/// The response of a daemon.
public struct ClientResponse: Sendable {
    /// The status, such as 200.
    public var status: Int
    /// The header fields by their names.
    public var headers: [String: String]
    /// The parts of the body.
    public var body: AsyncThrowingStream<[UInt8], any Error>

    /// Creates a response.
    public init(
        status: Int, headers: [String: String], body: AsyncThrowingStream<[UInt8], any Error>
    ) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Creates a response whose body is complete.
    public init(status: Int, headers: [String: String] = [:], bytes: [UInt8]) {
        self.init(
            status: status, headers: headers,
            body: AsyncThrowingStream { continuation in
                continuation.yield(bytes)
                continuation.finish()
            })
    }

    /// The maximum size of the body of a problem, in bytes; what follows is not read.
    private static let maxProblemBytes = 64 << 10

    package func problemBytes() async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await part in body where bytes.count < Self.maxProblemBytes { bytes += part }
        return bytes
    }

    /// Returns the value of a header field, whatever the case of its name.
    func header(_ name: String) -> String? {
        headers.first { $0.key.lowercased() == name.lowercased() }?.value
    }
}

/// The reason why a client does not have a screen.
public enum ClientError: Error {
    /// The daemon has returned a problem (docs/api.md, "Errors").
    case problem(status: Int, code: String?, detail: String)
    /// The response is not one of a daemon.
    case invalidResponse(String)
    /// The transport has failed.
    case transport(any Error)
    /// The screen was removed, or has expired.
    case removed
}

extension ClientError: CustomStringConvertible {
    /// The description.
    public var description: String {
        switch self {
        case .problem(let status, let code, let detail):
            "\(status)\(code.map { " \($0)" } ?? ""): \(detail)"
        case .invalidResponse(let detail): detail
        case .transport(let error): String(describing: error)
        case .removed: "the screen was removed"
        }
    }
}

extension ClientError {
    package init(status: Int, problem bytes: [UInt8]) {
        let document = try? TreeValue(json: bytes)
        self = .problem(
            status: status, code: document?["code"]?.text,
            detail: document?["detail"]?.text ?? "the daemon has returned \(status)")
    }

    /// A Boolean value that indicates whether a window may be the reason that the daemon does not
    /// know.
    var isOfWindow: Bool {
        switch self {
        case .problem(status: 404, code: "ITEM_NOT_FOUND", detail: _),
            .problem(status: 400, code: "INVALID_PARAMETER", detail: _):
            true
        case .problem, .invalidResponse, .transport, .removed: false
        }
    }

    /// A Boolean value that indicates whether another attempt cannot succeed: a problem that is the
    /// client's own, or the end of the screen.
    var isFinal: Bool {
        switch self {
        case .problem(let status, _, _): 400..<500 ~= status && status != 408 && status != 429
        case .removed: true
        case .invalidResponse, .transport: false
        }
    }
}
