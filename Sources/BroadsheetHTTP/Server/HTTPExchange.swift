import BroadsheetIO

/// The outcome of one response.
package struct HTTPExchange: Sendable {
    /// The head of the request; `nil` when it failed as HTTP before it was complete.
    package var request: HTTPRequestHead?
    /// The response's status.
    package var status: HTTPStatus
    /// The response's fields, as the handler returned them.
    package var headers: HTTPHeaders
    /// The bytes of the response, including its head, that the kernel accepted.
    package var bytesSent: Int
    /// The time from the end of the request (or its failure) until the kernel accepted the last
    /// byte.
    package var duration: Duration
    /// A Boolean value that indicates whether the whole response was sent; `false` when the
    /// connection was lost before.
    package var isComplete: Bool

    /// Creates an exchange from its parts.
    package init(
        request: HTTPRequestHead?, status: HTTPStatus, headers: HTTPHeaders, bytesSent: Int,
        duration: Duration, isComplete: Bool
    ) {
        self.request = request
        self.status = status
        self.headers = headers
        self.bytesSent = bytesSent
        self.duration = duration
        self.isComplete = isComplete
    }
}

/// A connection's record of the current request, until its response is sent.
struct ExchangeRecord {
    let request: HTTPRequestHead?
    let start: MonotonicInstant
    /// The response's status and fields, once there is one.
    var response: (status: HTTPStatus, headers: HTTPHeaders)?
    var bytesSent = 0

    init(request: HTTPRequestHead?, start: MonotonicInstant) {
        self.request = request
        self.start = start
    }

    /// Returns the report to the handler; `nil` while there is no response to report.
    func exchange(at end: MonotonicInstant, isComplete: Bool) -> HTTPExchange? {
        guard let response else { return nil }
        return HTTPExchange(
            request: request, status: response.status, headers: response.headers,
            bytesSent: bytesSent, duration: start.duration(to: end), isComplete: isComplete)
    }
}
