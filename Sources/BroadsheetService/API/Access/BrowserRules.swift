import BroadsheetHTTP

/// The rules for requests of web pages, whose scripts a browser runs for any site
/// (docs/threat-model.md, "Browsers").
///
/// They depend on the head of a request and on the configuration alone, so that the response to a
/// repeated head stays the same.
struct BrowserRules: Sendable {
    private let allowedHosts: Set<HostName>?
    private let corsOrigins: Set<WebOrigin>

    init(_ configuration: AccessConfiguration) {
        allowedHosts = configuration.allowedHosts.map { Set($0) }
        corsOrigins = Set(configuration.corsOrigins)
    }

    /// Checks the host and the origin of a request.
    ///
    /// A name that an attacker has directed at this daemon (DNS rebinding) makes its page one of
    /// the same origin, so that only the name distinguishes it. A request without `Host` (HTTP/1.0)
    /// comes from no browser.
    ///
    /// - Throws: `MISDIRECTED_REQUEST` for a host that is not served; `FORBIDDEN_ORIGIN` for a
    ///   request of a page of another origin, unless it only reads.
    func check(_ head: HTTPRequestHead) throws(Problem) {
        if let allowedHosts, let text = head.host {
            guard let host = HostAndPort(text)?.host, host.isAddress || allowedHosts.contains(host)
            else { throw .misdirected(host: text) }
        }
        guard !head.method.isSafe, head.headers.contains(.origin) else { return }
        guard isOwnOrigin(of: head) || allowedOrigin(of: head) != nil else {
            throw .forbiddenOrigin
        }
    }

    /// Returns the origin of the web page that sent a request, unless it is the daemon's own or an
    /// allowed one; `nil` for a request without `Origin`.
    func foreignOrigin(of head: HTTPRequestHead) -> String? {
        guard head.headers.contains(.origin), !isOwnOrigin(of: head),
            allowedOrigin(of: head) == nil
        else { return nil }
        return Self.origin(of: head) ?? Self.unusualOrigin
    }

    /// The text for several values of `Origin`, and for one that is too long.
    private static let unusualOrigin = "?"

    /// Adds the fields with which a browser gives a response to a page of an allowed origin (Fetch
    /// standard, "CORS protocol"), and `Vary`.
    func addFields(to response: inout HTTPResponse, for head: HTTPRequestHead) {
        // A response to all origins depends on none, and neither does one to no other origin.
        guard !corsOrigins.isEmpty, !response.headers.contains(.crossOriginResourcePolicy) else {
            return
        }
        response.headers.append(.vary, HTTPFieldName.origin.spelling)
        guard let origin = allowedOrigin(of: head) else { return }
        response.headers.append(.accessControlAllowOrigin, origin)
        if head.method == .options, head.headers.contains(.accessControlRequestMethod) {
            let methods = response.headers[.allow] ?? ""
            response.headers.append(.accessControlAllowMethods, methods)
            response.headers.append(.accessControlAllowHeaders, Self.requestFields)
            response.headers.append(.accessControlMaxAge, Self.maxAge)
        } else {
            response.headers.append(.accessControlExposeHeaders, Self.responseFields)
        }
    }

    /// The fields that a page may send.
    private static let requestFields = names([
        .authorization, .contentType, .ifMatch, .ifNoneMatch, .prefer, .screenLifetime,
        .lastEventID,
    ])
    /// The fields that a page may read, besides those that every page may read.
    private static let responseFields = names([
        .etag, .location, .requestID, .retryAfter, .diagnostics,
    ])
    /// The time for which a browser need not ask again, in seconds: the longest that Chromium
    /// accepts.
    private static let maxAge = "7200"

    private static func names(_ names: [HTTPFieldName]) -> String {
        names.map(\.spelling).joined(separator: ", ")
    }

    /// Returns whether the page of a request is of the host that the request is for.
    ///
    /// The scheme is not compared: a proxy may have ended TLS.
    private func isOwnOrigin(of head: HTTPRequestHead) -> Bool {
        guard let origin = Self.origin(of: head).flatMap({ WebOrigin($0) }),
            let host = head.host.flatMap({ HostAndPort($0) })
        else { return false }
        return origin.authority == host
    }

    /// Returns the origin of a request as it was sent, if it is an allowed one.
    private func allowedOrigin(of head: HTTPRequestHead) -> String? {
        guard !corsOrigins.isEmpty, let text = Self.origin(of: head),
            let origin = WebOrigin(text), corsOrigins.contains(origin)
        else { return nil }
        return text
    }

    /// Returns the value of `Origin`; `nil` unless there is exactly one of a usual length.
    private static func origin(of head: HTTPRequestHead) -> String? {
        let values = head.headers.values(of: .origin)
        return values.count == 1 && values[0].utf8.count <= maxOriginLength ? values[0] : nil
    }

    /// The maximum length of an origin, in characters: a scheme, a name, and a port.
    private static let maxOriginLength = 300
}

extension HTTPMethod {
    /// A Boolean value that indicates whether the method only reads (RFC 9110 §9.2.1).
    fileprivate var isSafe: Bool { self == .get || self == .head || self == .options }
}

extension HTTPHeaders {
    /// A Boolean value that indicates whether a browser sent the fields for a page: with an origin,
    /// or with the metadata that scripts cannot remove (Fetch Metadata, `Sec-Fetch-*`).
    var areOfWebPage: Bool { contains(.origin) || contains(namesBeginningWith: "sec-fetch-") }
}

extension Problem {
    fileprivate static func misdirected(host: String) -> Problem {
        Problem(
            .misdirectedRequest,
            "The daemon does not serve the host \"\(host.prefix(maxHostInDetail))\" "
                + "(--allowed-hosts).")
    }

    private static let maxHostInDetail = 100

    fileprivate static var forbiddenOrigin: Problem {
        Problem(
            .forbiddenOrigin,
            "The request is from a web page of another origin (--cors-origin allows one).")
    }
}
