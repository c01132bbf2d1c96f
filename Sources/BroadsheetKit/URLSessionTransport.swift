public import BroadsheetClient
public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A transport of `URLSession`.
///
///     let transport = URLSessionTransport(url, headers: ["Authorization": "Bearer \(secret)"])
///     let client = ScreenClient("home", transport: transport)
public struct URLSessionTransport: ClientTransport {
    private let base: String
    private let headers: [String: String]
    private let token: ReaderToken?
    private let exchanges: ExchangeSession

    /// The time, in seconds, after which a request fails, with data or without: a year, since a
    /// stream has no time limit.
    fileprivate static let timeout: TimeInterval = 365 * 86_400

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - url: The URL that the targets of requests are appended to.
    ///   - headers: The header fields of all requests; a redirect to another origin has none.
    ///   - token: A function that gets the token of the reader, which all clients with this
    ///     transport share; `nil` for none. It is called before the first request, after a response
    ///     401 with its problem, and early, so that a stream goes on before its token expires.
    ///   - configuration: The configuration of the session, whose time limits do not apply.
    public init(
        _ url: URL, headers: [String: String] = [:],
        token: (@Sendable (ClientError?) async throws -> String)? = nil,
        configuration: URLSessionConfiguration = .default
    ) {
        var base = url.absoluteString
        if let end = base.firstIndex(where: { $0 == "?" || $0 == "#" }) {
            base = String(base[..<end])
        }
        while base.hasSuffix("/") { base.removeLast() }
        self.base = base
        self.headers = headers
        self.token = token.map { ReaderToken($0) }
        exchanges = ExchangeSession(configuration, fields: Array(headers.keys) + ["Authorization"])
    }

    /// Sends a request, and returns the response as soon as its head has arrived.
    ///
    /// A request that is refused with 401 is sent once more with another token.
    public func send(_ request: ClientRequest) async throws -> ClientResponse {
        guard let token else { return try await send(request, authorized: nil) }
        let value = try await token.value()
        let response = try await send(request, authorized: value)
        guard response.status == 401 else { return response }
        let problem = ClientError(status: 401, problem: try await response.problemBytes())
        let other = try await token.value(insteadOf: value, problem)
        return try await send(request, authorized: other)
    }

    private func send(
        _ request: ClientRequest, authorized value: String?
    ) async throws -> ClientResponse {
        guard let url = URL(string: base + request.target) else { throw URLError(.badURL) }
        var message = URLRequest(url: url)
        message.httpMethod = request.method
        message.httpBody = request.body.map { Data($0) }
        message.timeoutInterval = Self.timeout
        for (name, value) in headers.merging(request.headers, uniquingKeysWith: { $1 }) {
            message.setValue(value, forHTTPHeaderField: name)
        }
        if let value { message.setValue("Bearer \(value)", forHTTPHeaderField: "Authorization") }
        let task = exchanges.session.dataTask(with: message)
        let isStream = request.headers["Accept"] == "text/event-stream"
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                exchanges.delegate.begin(task, continuation, isStream ? token : nil)
                task.resume()
            }
        } onCancel: {
            task.cancel()
        }
    }
}

/// A session of its own, which ends with the transport and the responses that are being received.
private final class ExchangeSession: Sendable {
    let session: URLSession
    let delegate: ExchangeDelegate

    init(_ configuration: URLSessionConfiguration, fields: [String]) {
        // A copy, because the caller may use the configuration for other sessions.
        let own = configuration.copy() as? URLSessionConfiguration ?? configuration
        own.timeoutIntervalForRequest = URLSessionTransport.timeout
        own.timeoutIntervalForResource = URLSessionTransport.timeout
        delegate = ExchangeDelegate(fields: fields)
        session = URLSession(configuration: own, delegate: delegate, delegateQueue: nil)
    }

    // A session keeps its delegate, and itself, until it is invalidated.
    deinit { session.finishTasksAndInvalidate() }
}

/// The responses that are being received, by their tasks.
private final class ExchangeDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private struct Exchange {
        var head: CheckedContinuation<ClientResponse, any Error>?
        var body: AsyncThrowingStream<[UInt8], any Error>.Continuation?
        /// The token at whose replacement the response ends.
        var token: ReaderToken?
    }

    private let exchanges = LockedValue<[Int: Exchange]>([:])
    /// The names of the header fields that no other origin receives.
    private let fields: [String]

    init(fields: [String]) { self.fields = fields }

    func begin(
        _ task: URLSessionTask, _ head: CheckedContinuation<ClientResponse, any Error>,
        _ token: ReaderToken?
    ) {
        exchanges.withLock { $0[task.taskIdentifier] = Exchange(head: head, token: token) }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        let (stream, body) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        let id = dataTask.taskIdentifier
        let (head, token) = exchanges.withLock { exchanges in
            exchanges[id]?.body = body
            defer { exchanges[id]?.head = nil }
            return (exchanges[id]?.head, exchanges[id]?.token)
        }
        body.onTermination = { _ in
            token?.removeStream(id)
            dataTask.cancel()
        }
        token?.addStream(id) { body.finish(throwing: StreamReopening()) }
        let response = response as? HTTPURLResponse
        var headers: [String: String] = [:]
        for (name, value) in response?.allHeaderFields ?? [:] { headers["\(name)"] = "\(value)" }
        head?.resume(
            returning: ClientResponse(
                status: response?.statusCode ?? 0, headers: headers, body: stream))
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let body = exchanges.withLock { $0[dataTask.taskIdentifier]?.body }
        body?.yield(Array(data))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        exchange?.head?.resume(throwing: error ?? URLError(.badServerResponse))
        exchange?.body?.finish(throwing: error)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        var request = request
        if response.url?.origin != request.url?.origin {
            for name in fields { request.setValue(nil, forHTTPHeaderField: name) }
        }
        completionHandler(request)
    }
}

extension URL {
    fileprivate var origin: [String] {
        let scheme = scheme?.lowercased() ?? ""
        return [scheme, host?.lowercased() ?? "", String(port ?? (scheme == "https" ? 443 : 80))]
    }
}
