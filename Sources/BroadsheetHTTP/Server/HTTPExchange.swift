package import BroadsheetIO

package struct HTTPExchange: Sendable {
    /// The head of the request, as far as it arrived before the request failed as HTTP; `nil`
    /// without a request line.
    package var request: HTTPRequestHead?
    package var status: HTTPStatus
    /// The response's fields, as the handler returned them.
    package var headers: HTTPHeaders
    package var client: HTTPClient?
    package var revision: UInt64?
    package var peer: IPAddress
    /// The bytes of the response, including its head, that the kernel accepted.
    package var bytesSent: Int
    /// The time from the end of the request (or its failure) until the kernel accepted the last
    /// byte.
    package var duration: Duration
    /// The part of ``duration`` that was work, if the rest was waiting: of a response that is
    /// written over time, or whose handler waited for an event; otherwise `nil`.
    package var work: Duration?
    /// A Boolean value that indicates whether the server ended the connection, because its drain
    /// time was over.
    package var isCutOff: Bool
    package var isComplete: Bool

    package init(
        request: HTTPRequestHead?, status: HTTPStatus, headers: HTTPHeaders,
        client: HTTPClient? = nil, revision: UInt64? = nil, peer: IPAddress = .unspecified,
        bytesSent: Int, duration: Duration, work: Duration? = nil, isCutOff: Bool = false,
        isComplete: Bool
    ) {
        self.request = request
        self.status = status
        self.headers = headers
        self.client = client
        self.revision = revision
        self.peer = peer
        self.bytesSent = bytesSent
        self.duration = duration
        self.work = work
        self.isCutOff = isCutOff
        self.isComplete = isComplete
    }
}

/// A connection's record of the current request, until its response is sent.
struct ExchangeRecord {
    let request: HTTPRequestHead?
    let start: MonotonicInstant
    /// The response without its content, once there is one.
    private var response:
        (status: HTTPStatus, headers: HTTPHeaders, client: HTTPClient?, revision: UInt64?)?
    /// The time of work, if the rest of the exchange is waiting.
    private var work: Duration?
    private let repetition: (source: any RepeatableResponse, Repetition)?
    var bytesSent = 0

    init(request: HTTPRequestHead?, start: MonotonicInstant) {
        self.request = request
        self.start = start
        repetition = nil
    }

    init(_ repetition: Repetition, of source: any RepeatableResponse, start: MonotonicInstant) {
        request = nil
        self.start = start
        self.repetition = (source, repetition)
    }

    mutating func record(_ response: HTTPResponse, at now: MonotonicInstant) {
        self.response = (response.status, response.headers, response.client, response.revision)
        guard response.stream != nil || response.waitedNanoseconds > 0 else { return }
        work = start.duration(to: now) - .nanoseconds(response.waitedNanoseconds)
    }

    var contentOwner: (any AnyObject & Sendable)? { repetition?.source.contentOwner }

    var hasResponse: Bool { response != nil || repetition != nil }

    /// Reports the response to its source: the repeated response, or `handler`.
    func report(
        to handler: any HTTPHandler, at end: MonotonicInstant, from peer: IPAddress,
        isCutOff: Bool, isComplete: Bool
    ) {
        if let (source, repetition) = repetition {
            source.completed(
                repetition,
                ResponseDelivery(
                    peer: peer, bytesSent: bytesSent, nanoseconds: end.nanoseconds(since: start),
                    isComplete: isComplete))
        } else if let response {
            handler.completed(
                HTTPExchange(
                    request: request, status: response.status, headers: response.headers,
                    client: response.client, revision: response.revision, peer: peer,
                    bytesSent: bytesSent, duration: start.duration(to: end), work: work,
                    isCutOff: isCutOff, isComplete: isComplete))
        }
    }
}

/// The application behind a server: the only interface between the protocol and the service.
package protocol HTTPHandler: Sendable {
    /// Returns the response to a request. Runs on the thread of the connection's event loop, so it
    /// may compute but never block; blocking work runs on another thread and is awaited.
    ///
    /// The task is cancelled when the connection is lost or the server's drain time has passed; the
    /// response that it then returns is not sent.
    func respond(to request: HTTPRequest) async -> HTTPResponse

    /// Returns the response to a request that is refused before its body is read; `nil` to read the
    /// body. Runs on the thread of the connection's event loop.
    ///
    /// It is not called for every request with a body, so that ``respond(to:)`` has to refuse it
    /// too. The connection closes after the response.
    func refusal(of head: HTTPRequestHead, from peer: IPAddress) -> HTTPResponse?

    /// The connection closes after this response, whatever its fields are.
    func response(
        to error: HTTPError, in head: HTTPRequestHead?, from peer: IPAddress
    ) -> HTTPResponse

    /// Receives the outcome of a response, when its last byte has been passed to the kernel or the
    /// connection was lost before that: for an access log. Runs on the loop's thread.
    func completed(_ exchange: HTTPExchange)
}

extension HTTPHandler {
    package func refusal(of head: HTTPRequestHead, from peer: IPAddress) -> HTTPResponse? { nil }

    package func completed(_ exchange: HTTPExchange) {}
}

/// The part of a response that the kernel has not accepted yet: the rest of a head, and the body.
///
/// It exists only while a response is sent, so that an idle connection has no buffer.
struct Outbox {
    /// The result of one attempt to send, with the number of bytes sent.
    enum Progress: Hashable {
        case finished(Int)
        /// The socket's buffer is full; the kernel will report that it is writable again.
        case blocked(Int)
        /// The socket is writable, but other connections have waited long enough.
        case paused(Int)
        case failed
    }

    /// The number of bytes after which an attempt pauses: a fast reader of a large response would
    /// otherwise occupy the loop.
    static let fairShare = 4 * 1024 * 1024

    var owner: (any AnyObject & Sendable)?
    /// The memory of the bytes without an owner, once the kernel has not accepted them.
    var memory: MemoryReservation?
    private var head: [UInt8]
    private var body: [UInt8]
    private let source: (any BodySource)?
    private var unproducedCount: Int
    private var offset = 0

    /// Stores a head and a content; the rest of the content comes from `source`.
    init(
        head: [UInt8], body: [UInt8], source: (any BodySource)? = nil,
        owner: (any AnyObject & Sendable)? = nil
    ) {
        self.head = head
        self.body = body
        self.source = source
        self.owner = owner
        unproducedCount = source?.byteCount ?? 0
    }

    /// The number of bytes in memory that have no owner: the head, and a body, or what a part of a
    /// source has beyond its usual size.
    var unownedByteCount: Int {
        guard owner != nil else { return head.count + body.count }
        return source == nil ? 0 : max(0, body.count - HTTPLimits.maxOwnedPartSize)
    }

    /// Sends until all is sent, the socket's buffer is full or the fair share is used.
    ///
    /// A source is asked for its next part in a turn after the one in which the kernel accepted the
    /// part before: an attempt either writes a part or sends the rest of one.
    mutating func flush(to socket: Int32, _ syscalls: Syscalls) -> Progress {
        if let source, unproducedCount > 0, head.isEmpty, body.isEmpty {
            // A wrong length would make the client take a part of the next response for this one.
            guard let part = source.next(byteCount: HTTPLimits.bodyPartSize), !part.isEmpty,
                part.count <= unproducedCount
            else { return .failed }
            body = part
            unproducedCount -= part.count
        }
        let progress = send(to: socket, syscalls)
        guard case .finished(let count) = progress, unproducedCount > 0 else { return progress }
        (head, body, offset) = ([], [], 0)
        return .paused(count)
    }

    private mutating func send(to socket: Int32, _ syscalls: Syscalls) -> Progress {
        let start = offset
        let total = head.count + body.count
        while offset < total {
            if offset - start >= Self.fairShare { return .paused(offset - start) }
            switch Self.sendOnce(head, body, from: offset, to: socket, syscalls) {
            case let count where count > 0: offset += count
            case Syscalls.interrupted: continue
            case Syscalls.wouldBlock: return .blocked(offset - start)
            default: return .failed
            }
        }
        return .finished(offset - start)
    }

    private static func sendOnce(
        _ head: [UInt8], _ body: [UInt8], from offset: Int, to socket: Int32, _ syscalls: Syscalls
    ) -> Int {
        head.withUnsafeBytes { head in
            body.withUnsafeBytes { body in
                let headRest = UnsafeRawBufferPointer(rebasing: head.dropFirst(offset))
                let bodyRest = body.dropFirst(max(0, offset - head.count))
                return syscalls.send(socket, headRest, UnsafeRawBufferPointer(rebasing: bodyRest))
            }
        }
    }
}
