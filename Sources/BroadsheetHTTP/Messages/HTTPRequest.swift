/// A request up to its body, checked (RFC 9112 §3, §5).
package struct HTTPRequestHead: Sendable, Equatable {
    /// The method.
    package var method: HTTPMethod
    /// What the request is for.
    package var target: RequestTarget
    /// The version the client speaks.
    package var version: HTTPVersion
    /// The fields; a chunked body's trailers are never among them (RFC 9110 §6.5.1).
    package var headers: HTTPHeaders
    /// `host[:port]`: an absolute-form target's, else the Host field's (RFC 9112 §3.3); `nil` in
    /// HTTP/1.0 without Host.
    package var host: String?
    /// Whether the client means to send more on this connection (RFC 9112 §9.3).
    package var keepAlive: Bool

    /// A head made in code, as tests of endpoints do.
    package init(
        method: HTTPMethod, target: RequestTarget, version: HTTPVersion = .http11,
        headers: HTTPHeaders = [:], host: String? = nil, keepAlive: Bool = true
    ) {
        self.method = method
        self.target = target
        self.version = version
        self.headers = headers
        self.host = host
        self.keepAlive = keepAlive
    }
}

/// A whole request.
package struct HTTPRequest: Sendable, Equatable {
    /// Everything before the body.
    package var head: HTTPRequestHead
    /// The body, transfer coding removed; empty when there was none.
    package var body: [UInt8]

    /// A request of a head and a body.
    package init(head: HTTPRequestHead, body: [UInt8] = []) {
        self.head = head
        self.body = body
    }

    /// The method.
    package var method: HTTPMethod { head.method }
    /// What the request is for.
    package var target: RequestTarget { head.target }
    /// The version the client speaks.
    package var version: HTTPVersion { head.version }
    /// The fields.
    package var headers: HTTPHeaders { head.headers }
    /// Whether the client means to send more on this connection.
    package var keepAlive: Bool { head.keepAlive }
}
