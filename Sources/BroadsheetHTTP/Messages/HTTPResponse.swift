/// A response.
///
/// The serializer writes Date, Content-Length, Transfer-Encoding and Connection; a handler's fields
/// of those names are not sent.
package struct HTTPResponse: Sendable, Equatable {
    package var status: HTTPStatus
    package var headers: HTTPHeaders
    /// The content, also in the response to HEAD: its length is sent, its bytes are not.
    package var body: [UInt8]
    /// The source of a large content, which is produced while it is sent; ``body`` is empty then.
    package var source: (any BodySource)?
    /// The content that is written over time, in place of ``body``; the connection closes after it.
    package var stream: HTTPStream?
    /// The owner of the memory of ``body``, or of all that ``source`` needs: a reservation, or an
    /// object with one, which is kept until the response is sent.
    package var owner: (any AnyObject & Sendable)?
    /// The source of equal responses to requests with the same head; `nil` if there is none.
    package var repeatable: (any RepeatableResponse)?

    /// The client that the handler has authenticated, for its log; it is not sent.
    package var client: HTTPClient?

    /// The revision that the request has made, for its log; it is not sent.
    package var revision: UInt64?

    /// The time for which the handler waited for an event that its client waits for, in
    /// nanoseconds; for its log.
    package var waitedNanoseconds: UInt64 = 0

    package init(status: HTTPStatus, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    package var contentLength: Int { source?.byteCount ?? body.count }

    /// Returns whether two responses have the same fields and content; a source and a stream are
    /// equal to themselves only.
    package static func == (one: HTTPResponse, other: HTTPResponse) -> Bool {
        one.status == other.status && one.headers == other.headers && one.body == other.body
            && one.source === other.source && one.stream === other.stream
    }
}

/// A client that a handler has authenticated.
package struct HTTPClient: Sendable, Hashable {
    /// The name of the key, or of the issuer of a token.
    package let name: String
    package let hasToken: Bool
    /// The reader of a token, as the log has it; `nil` for a token without one.
    package let reader: String?

    package init(key name: String) { (self.name, hasToken, reader) = (name, false, nil) }

    package init(issuer name: String, reader: String?) {
        (self.name, hasToken, self.reader) = (name, true, reader)
    }
}

/// A large content that is produced in parts while it is sent, so that a client that reads slowly
/// does not keep all of it in memory.
package protocol BodySource: AnyObject, Sendable {
    var byteCount: Int { get }

    /// Returns the next part, which is not empty, or `nil` after the last one.
    ///
    /// Called on the loop's thread, once the kernel has accepted the part before.
    ///
    /// - Parameter byteCount: The number of bytes that the part should have at most.
    func next(byteCount: Int) -> [UInt8]?
}

/// A status code and its phrase (RFC 9110 §15).
package struct HTTPStatus: Sendable, Hashable, CustomStringConvertible {
    /// The three-digit code, 100…599.
    package let code: Int

    package init?(code: Int) {
        guard (100...599).contains(code) else { return nil }
        self.code = code
    }

    private init(_ code: Int) { self.code = code }

    package static var continuation: Self { Self(100) }
    package static var ok: Self { Self(200) }
    package static var created: Self { Self(201) }
    package static var accepted: Self { Self(202) }
    package static var noContent: Self { Self(204) }
    package static var notModified: Self { Self(304) }
    package static var permanentRedirect: Self { Self(308) }
    package static var badRequest: Self { Self(400) }
    package static var unauthorized: Self { Self(401) }
    package static var forbidden: Self { Self(403) }
    package static var notFound: Self { Self(404) }
    package static var methodNotAllowed: Self { Self(405) }
    package static var notAcceptable: Self { Self(406) }
    package static var requestTimeout: Self { Self(408) }
    package static var conflict: Self { Self(409) }
    package static var lengthRequired: Self { Self(411) }
    package static var preconditionFailed: Self { Self(412) }
    package static var contentTooLarge: Self { Self(413) }
    package static var uriTooLong: Self { Self(414) }
    package static var unsupportedMediaType: Self { Self(415) }
    package static var expectationFailed: Self { Self(417) }
    package static var misdirectedRequest: Self { Self(421) }
    package static var unprocessableContent: Self { Self(422) }
    /// 429 Too Many Requests (RFC 6585 §4).
    package static var tooManyRequests: Self { Self(429) }
    /// 431 Request Header Fields Too Large (RFC 6585 §5).
    package static var requestHeaderFieldsTooLarge: Self { Self(431) }
    /// 499, nginx's code for a request whose connection was lost before its response; never sent.
    package static var connectionLost: Self { Self(499) }
    package static var internalServerError: Self { Self(500) }
    package static var notImplemented: Self { Self(501) }
    package static var badGateway: Self { Self(502) }
    package static var serviceUnavailable: Self { Self(503) }
    package static var gatewayTimeout: Self { Self(504) }
    package static var httpVersionNotSupported: Self { Self(505) }

    package var description: String { "\(code) \(reasonPhrase)" }

    /// A Boolean value that indicates whether a response of this status never has content (RFC 9110
    /// §6.4.1: 1xx, 204, 304).
    package var forbidsContent: Bool { code < 200 || code == 204 || code == 304 }

    /// The registered phrase; empty, which RFC 9112 §4 allows, for a code that is not declared
    /// here.
    package var reasonPhrase: String {
        switch code {
        case 100: "Continue"
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 204: "No Content"
        case 304: "Not Modified"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 406: "Not Acceptable"
        case 408: "Request Timeout"
        case 411: "Length Required"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 417: "Expectation Failed"
        case 421: "Misdirected Request"
        case 422: "Unprocessable Content"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 499: "Connection Lost"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        case 505: "HTTP Version Not Supported"
        default: ""
        }
    }
}
