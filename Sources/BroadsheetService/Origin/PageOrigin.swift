package import BroadsheetHTTP
package import BroadsheetIO
package import BroadsheetStores

/// A service that has the pages of screens that nothing has posted (docs/operations.md, "Pages on
/// demand").
package protocol PageOrigin: Sendable {
    /// Requests a page, once.
    ///
    /// - Throws: ``OriginError`` within the time of the request.
    func page(_ request: OriginRequest) async throws(OriginError) -> OriginPage

    /// Ends all requests in progress and later ones with ``OriginError/closed``.
    func close() async
}

/// A request for a page.
package struct OriginRequest: Sendable {
    package let screen: ScreenName
    package let page: Int
    package let requestID: String
    /// The maximum time for the whole response.
    package let timeout: Duration
    package let maxBytes: Int
    /// The reservation for the bytes of the page, which the page keeps.
    package let memory: MemoryReservation

    package init(
        _ page: Int, of screen: ScreenName, requestID: String, timeout: Duration,
        _ limits: (bytes: Int, memory: MemoryReservation)
    ) {
        self.screen = screen
        self.page = page
        self.requestID = requestID
        self.timeout = timeout
        maxBytes = limits.bytes
        memory = limits.memory
    }
}

/// A response of an origin with content.
package struct OriginPage: Sendable {
    /// The content without any coding.
    package let bytes: [UInt8]
    /// The header fields; at least those of the type and the lifetime of the content.
    package let headers: HTTPHeaders

    package init(bytes: [UInt8], headers: HTTPHeaders = [:]) {
        self.bytes = bytes
        self.headers = headers
    }
}

/// The reason why an origin has not returned a page.
package enum OriginError: Error, Sendable, Hashable {
    case notFound
    case timeout
    /// The response is not one that can be used, or there is none.
    case failed(OriginFailure)
    case outOfMemory
    /// The origin was closed, because the daemon stops.
    case closed
}

extension OriginError {
    /// A Boolean value that indicates whether the error says that the origin is ill, and not only
    /// something of the page.
    var isOfOrigin: Bool {
        switch self {
        case .timeout: true
        case .failed(let failure): failure.isOfOrigin
        case .notFound, .outOfMemory, .closed: false
        }
    }
}

/// A failure of an origin.
package struct OriginFailure: Sendable, Hashable {
    /// The failure, in words that follow "the origin failed:".
    package let detail: String
    /// The cause, for the log only; it may contain addresses.
    package let cause: String?
    package let isTransient: Bool
    /// A Boolean value that indicates whether requests for other pages would fail as well: there is
    /// no connection, or the origin says that it cannot serve.
    package let isOfOrigin: Bool

    /// If `isOfOrigin` is `nil`, it has the value of `isTransient`.
    package init(
        _ detail: String, cause: String? = nil, isTransient: Bool = false, isOfOrigin: Bool? = nil
    ) {
        self.detail = detail
        self.cause = cause
        self.isTransient = isTransient
        self.isOfOrigin = isOfOrigin ?? isTransient
    }
}
