/// What became of one answer.
package struct HTTPExchange: Sendable {
    /// The head of the request that was answered; `nil` when it failed as HTTP before it was whole.
    package var request: HTTPRequestHead?
    /// The answer's status.
    package var status: HTTPStatus
    /// The answer's fields as the handler gave them.
    package var headers: HTTPHeaders
    /// Bytes of the answer, its head included, that the kernel took.
    package var bytesSent: Int
    /// From when the request was whole (or had failed) until the kernel took the last byte.
    package var duration: Duration
    /// Whether the whole answer was sent; false when the connection was lost first.
    package var isComplete: Bool

    /// An exchange of all its parts.
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
