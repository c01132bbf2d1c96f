/// Turns answers into bytes (RFC 9112 §4, §6).
///
/// One of these per event loop: the Date line is rendered once a second.
package struct HTTPResponseSerializer: Sendable {
    /// `HTTP/1.1 100 Continue` and its empty line.
    package static let continueResponse = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    private var date = HTTPDate()

    /// A serializer that has rendered no date yet.
    package init() {}

    /// Appends the status line and all fields, up to and with the empty line.
    ///
    /// Whether the body follows is ``sendsBody(_:to:)``'s to say.
    /// - Parameters:
    ///   - response: the answer; its own Date, Content-Length, Connection and Transfer-Encoding
    ///     fields are left out.
    ///   - method: the request's, if known.
    ///   - version: the request's: a 1.0 client is told `keep-alive`, a 1.1 client only `close`.
    ///   - keepAlive: whether the connection stays open after this answer.
    ///   - unixSeconds: the time of day, whole seconds since 1970.
    package mutating func appendHead(
        of response: HTTPResponse, to method: HTTPMethod?, version: HTTPVersion = .http11,
        keepAlive: Bool, unixSeconds: Int64, into bytes: inout [UInt8]
    ) {
    }

    /// Whether the answer's body is sent: not to HEAD, not with 1xx, 204 and 304, not when empty
    /// (RFC 9110 §6.4.1).
    package static func sendsBody(_ response: HTTPResponse, to method: HTTPMethod?) -> Bool {
        !response.body.isEmpty && method != .head && !response.status.forbidsContent
    }
}
