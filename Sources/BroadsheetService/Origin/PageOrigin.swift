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
    /// The screen.
    package let screen: ScreenName
    /// The number of the page.
    package let page: Int
    /// The id of the client's request.
    package let requestID: String
    /// The maximum time for the whole response.
    package let timeout: Duration
    /// The maximum size of the page, in bytes.
    package let maxBytes: Int
    /// The reservation for the bytes of the page, which the page keeps.
    package let memory: MemoryReservation

    /// Creates a request.
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

    /// Creates a response.
    package init(bytes: [UInt8], headers: HTTPHeaders = [:]) {
        self.bytes = bytes
        self.headers = headers
    }
}

/// The reason why an origin has not returned a page.
package enum OriginError: Error, Sendable, Hashable {
    /// The origin has no such page.
    case notFound
    /// The page did not arrive in time.
    case timeout
    /// The response is not one that can be used, or there is none.
    case failed(OriginFailure)
    /// There was no memory for the page.
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
    /// A Boolean value that indicates whether a second try may succeed.
    package let isTransient: Bool
    /// A Boolean value that indicates whether requests for other pages would fail as well: there is
    /// no connection, or the origin says that it cannot serve.
    package let isOfOrigin: Bool

    /// Creates a failure.
    ///
    /// - Parameter isOfOrigin: `nil` for the value of `isTransient`.
    package init(
        _ detail: String, cause: String? = nil, isTransient: Bool = false, isOfOrigin: Bool? = nil
    ) {
        self.detail = detail
        self.cause = cause
        self.isTransient = isTransient
        self.isOfOrigin = isOfOrigin ?? isTransient
    }
}
