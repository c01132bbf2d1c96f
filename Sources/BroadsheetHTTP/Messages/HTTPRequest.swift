package import BroadsheetIO

/// The head of a request, validated (RFC 9112 §3, §5).
///
/// It is an object, because a request is passed on often and its head has many parts.
package final class HTTPRequestHead: Sendable, Equatable {
    package let method: HTTPMethod
    package let target: RequestTarget
    package let version: HTTPVersion
    /// The fields, without a chunked body's trailers (RFC 9110 §6.5.1).
    package let headers: HTTPHeaders
    /// `host[:port]`: an absolute-form target's, else the Host field's (RFC 9112 §3.3); `nil` in
    /// HTTP/1.0 without Host.
    package let host: String?
    /// A Boolean value that indicates whether the connection stays open for further requests (RFC
    /// 9112 §9.3).
    package let keepAlive: Bool

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

    package static func == (one: HTTPRequestHead, other: HTTPRequestHead) -> Bool {
        one.method == other.method && one.target == other.target && one.version == other.version
            && one.headers == other.headers && one.host == other.host
            && one.keepAlive == other.keepAlive
    }
}

package struct HTTPRequest: Sendable, Equatable {
    package var head: HTTPRequestHead
    /// The body, without transfer coding; empty when there is none.
    package var body: [UInt8]
    /// The address at the other end of the connection: the client's, or that of its proxy.
    package var peer: IPAddress
    /// The connection, for a handler that waits; `nil` without one.
    package var connection: ConnectionReference?
    /// The memory reserved for the head and the body, which is returned with the last copy of the
    /// request.
    package var memory: MemoryReservation?

    package init(
        head: HTTPRequestHead, body: [UInt8] = [], peer: IPAddress = .unspecified
    ) {
        self.head = head
        self.body = body
        self.peer = peer
    }

    /// Returns whether two requests have the same head, body and peer.
    package static func == (one: HTTPRequest, other: HTTPRequest) -> Bool {
        one.head == other.head && one.body == other.body && one.peer == other.peer
    }

    package var method: HTTPMethod { head.method }
    package var target: RequestTarget { head.target }
    package var version: HTTPVersion { head.version }
    package var headers: HTTPHeaders { head.headers }
    package var keepAlive: Bool { head.keepAlive }
}

/// A reference to the connection of a request; all references are equal.
package struct ConnectionReference: Sendable, Equatable {
    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    /// Calls `body` once the client has ended its side of the connection, unless the response has
    /// been returned before.
    ///
    /// A client that has closed the connection cannot be distinguished from one that only sends no
    /// more until something is sent to it.
    package func whenPeerEnds(_ body: @escaping @Sendable () -> Void) {
        connection.whenPeerEnds(body)
    }

    package static func == (one: ConnectionReference, other: ConnectionReference) -> Bool { true }
}

/// A request method: a token whose case matters (RFC 9110 §9.1).
package struct HTTPMethod: Sendable, Hashable, CustomStringConvertible {
    /// The token as it was sent, such as `GET`.
    package let token: String

    package init?(_ token: String) {
        guard !token.isEmpty, token.utf8.allSatisfy(\.isTokenByte) else { return nil }
        self.token = token
    }

    init(unchecked token: String) { self.token = token }

    /// Retrieves (RFC 9110 §9.3.1).
    package static var get: Self { Self(unchecked: "GET") }
    /// Retrieves the head alone (RFC 9110 §9.3.2).
    package static var head: Self { Self(unchecked: "HEAD") }
    /// Processes the content (RFC 9110 §9.3.3).
    package static var post: Self { Self(unchecked: "POST") }
    /// Stores or replaces (RFC 9110 §9.3.4).
    package static var put: Self { Self(unchecked: "PUT") }
    /// Changes in part (RFC 5789).
    package static var patch: Self { Self(unchecked: "PATCH") }
    /// Removes (RFC 9110 §9.3.5).
    package static var delete: Self { Self(unchecked: "DELETE") }
    /// Requests the allowed methods (RFC 9110 §9.3.7).
    package static var options: Self { Self(unchecked: "OPTIONS") }
    /// Requests a tunnel from a proxy (RFC 9110 §9.3.6); never served here.
    package static var connect: Self { Self(unchecked: "CONNECT") }

    package var description: String { token }

    /// A Boolean value that indicates whether a request must declare its content's length (411
    /// otherwise, RFC 9110 §15.5.12).
    var requiresContentLength: Bool { self == .post || self == .put || self == .patch }
}

/// The supported versions of HTTP (RFC 9112 §2.3).
package enum HTTPVersion: Sendable, Hashable {
    /// HTTP/1.0: a connection closes after a response unless the client requested to keep it.
    case http10
    /// HTTP/1.1, and any later 1.x, which must be readable as 1.1 (RFC 9110 §2.5).
    case http11
}

/// The target of a request (RFC 9112 §3.2), split into its parts but not decoded.
package struct RequestTarget: Sendable, Hashable {
    /// The forms of a target that an origin server receives.
    package enum Form: Sendable, Hashable {
        /// `/path?query`.
        case origin
        /// `http://host/path?query`; its host replaces the Host field's.
        case absolute
        /// `*`, the server as a whole; for OPTIONS only.
        case asterisk
    }

    package let form: Form
    /// The path with its percent-escapes, starting with `/`; `*` in asterisk-form.
    package let path: String
    /// The part after the first `?` with its percent-escapes; `nil` when there is no `?`.
    package let query: String?
    /// `host[:port]` of an absolute-form target.
    package let authority: String?

    init(form: Form, path: String, query: String?, authority: String?) {
        self.form = form
        self.path = path
        self.query = query
        self.authority = authority
    }

    /// Parses a target in origin-form or absolute-form, or `*`; `nil` when `text` is none of them.
    package init?(_ text: String) {
        guard let target = Self(text.utf8.span, method: text == "*" ? .options : .get) else {
            return nil
        }
        self = target
    }
}

extension RequestTarget {
    /// Parses a target; `nil` when it is in no form that `method` allows.
    init?(_ bytes: borrowing Span<UInt8>, method: HTTPMethod) {
        guard !bytes.isEmpty else { return nil }
        if bytes.count == 1, bytes[0] == UInt8(ascii: "*") {
            guard method == .options else { return nil }
            self.init(form: .asterisk, path: "*", query: nil, authority: nil)
        } else if bytes[0] == UInt8(ascii: "/") {
            self.init(bytes, pathStart: 0, form: .origin, authority: nil)
        } else {
            self.init(absolute: bytes, method: method)
        }
    }

    /// Parses an absolute-form target, `scheme://host[:port]path?query` (RFC 9112 §3.2.2).
    ///
    /// User information is rejected: it has no meaning for a server and misleads people (RFC 9110
    /// §4.2.4).
    private init?(absolute bytes: borrowing Span<UInt8>, method: HTTPMethod) {
        guard let start = Self.authorityStart(bytes) else { return nil }
        var end = start
        while end < bytes.count, bytes[end] != UInt8(ascii: "/"), bytes[end] != UInt8(ascii: "?") {
            end += 1
        }
        guard Authority.isValid(bytes.extracting(start..<end)) else { return nil }
        let authority = text(bytes, start..<end)
        if end == bytes.count, method == .options {
            // OPTIONS of an authority alone is about the server as a whole (RFC 9112 §3.2.4).
            self.init(form: .asterisk, path: "*", query: nil, authority: authority)
        } else {
            self.init(bytes, pathStart: end, form: .absolute, authority: authority)
        }
    }

    private init?(
        _ bytes: borrowing Span<UInt8>, pathStart: Int, form: Form, authority: String?
    ) {
        var pathEnd = pathStart
        while pathEnd < bytes.count, bytes[pathEnd] != UInt8(ascii: "?") {
            guard bytes[pathEnd].isPathByte else { return nil }
            pathEnd += 1
        }
        for index in min(pathEnd + 1, bytes.count)..<bytes.count
        where !bytes[index].isQueryByte {
            return nil
        }
        self.init(
            form: form,
            path: pathStart == pathEnd ? "/" : text(bytes, pathStart..<pathEnd),
            query: pathEnd == bytes.count ? nil : text(bytes, pathEnd + 1..<bytes.count),
            authority: authority)
    }

    /// Returns the start of the authority after `http://` or `https://`, in any case.
    private static func authorityStart(_ bytes: borrowing Span<UInt8>) -> Int? {
        for scheme in ["http://", "https://"] {
            let length = scheme.utf8.count
            if bytes.count > length,
                bytes.extracting(0..<length).equalsIgnoringCase(scheme.utf8.span)
            {
                return length
            }
        }
        return nil
    }
}

private func text(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> String {
    bytes.extracting(range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
}

/// The grammar of `host[:port]`, in Host and in absolute-form targets (RFC 9110 §7.2, RFC 3986
/// §3.2).
enum Authority {
    /// Returns whether `bytes` are a non-empty host, with or without a port of at most 65535.
    static func isValid(_ bytes: borrowing Span<UInt8>) -> Bool {
        guard let end = hostEnd(bytes), end > 0 else { return false }
        return end == bytes.count || isPort(bytes.extracting(end..<bytes.count))
    }

    private static func hostEnd(_ bytes: borrowing Span<UInt8>) -> Int? {
        guard bytes.count > 0 else { return nil }
        return bytes[0] == UInt8(ascii: "[") ? literalEnd(bytes) : nameEnd(bytes)
    }

    /// Returns the end of a reg-name or an IPv4 address.
    private static func nameEnd(_ bytes: borrowing Span<UInt8>) -> Int? {
        var index = 0
        while index < bytes.count, bytes[index] != UInt8(ascii: ":") {
            if bytes[index] == UInt8(ascii: "%") {
                guard index + 2 < bytes.count, bytes[index + 1].hexValue != nil,
                    bytes[index + 2].hexValue != nil
                else { return nil }
                index += 3
            } else {
                guard bytes[index].isNameByte else { return nil }
                index += 1
            }
        }
        return index
    }

    /// Returns the end of an address in brackets.
    private static func literalEnd(_ bytes: borrowing Span<UInt8>) -> Int? {
        var index = 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "]") { index += 1 }
        guard index < bytes.count, IPLiteral.isValid(bytes.extracting(1..<index)) else {
            return nil
        }
        return index + 1
    }

    /// Returns whether `bytes` are a colon and a number up to 65535, which may be missing (RFC 3986
    /// §3.2.3).
    private static func isPort(_ bytes: borrowing Span<UInt8>) -> Bool {
        guard bytes[0] == UInt8(ascii: ":") else { return false }
        var port = 0
        for index in 1..<bytes.count {
            guard bytes[index].isDigit else { return false }
            port = port * 10 + Int(bytes[index] &- 0x30)
            guard port <= 65_535 else { return false }
        }
        return true
    }
}
