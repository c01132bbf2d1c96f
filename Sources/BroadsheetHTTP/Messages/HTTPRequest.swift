/// The head of a request, validated (RFC 9112 §3, §5).
package struct HTTPRequestHead: Sendable, Equatable {
    /// The method.
    package var method: HTTPMethod
    /// The target.
    package var target: RequestTarget
    /// The version of the client.
    package var version: HTTPVersion
    /// The fields, without a chunked body's trailers (RFC 9110 §6.5.1).
    package var headers: HTTPHeaders
    /// `host[:port]`: an absolute-form target's, else the Host field's (RFC 9112 §3.3); `nil` in
    /// HTTP/1.0 without Host.
    package var host: String?
    /// A Boolean value that indicates whether the connection stays open for further requests (RFC
    /// 9112 §9.3).
    package var keepAlive: Bool

    /// Creates a head from its parts.
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

/// A request: its head and its body.
package struct HTTPRequest: Sendable, Equatable {
    /// The head.
    package var head: HTTPRequestHead
    /// The body, without transfer coding; empty when there is none.
    package var body: [UInt8]

    /// Creates a request from its head and its body.
    package init(head: HTTPRequestHead, body: [UInt8] = []) {
        self.head = head
        self.body = body
    }

    /// The method.
    package var method: HTTPMethod { head.method }
    /// The target.
    package var target: RequestTarget { head.target }
    /// The version of the client.
    package var version: HTTPVersion { head.version }
    /// The fields.
    package var headers: HTTPHeaders { head.headers }
    /// A Boolean value that indicates whether the connection stays open for further requests.
    package var keepAlive: Bool { head.keepAlive }
}
