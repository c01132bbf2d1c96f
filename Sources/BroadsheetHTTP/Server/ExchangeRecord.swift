import BroadsheetIO

/// What a connection remembers of the request at hand until its answer is out.
struct ExchangeRecord {
    let request: HTTPRequestHead?
    let start: MonotonicInstant
    /// The answer's status and fields, once there is one.
    var response: (status: HTTPStatus, headers: HTTPHeaders)?
    var bytesSent = 0

    init(request: HTTPRequestHead?, start: MonotonicInstant) {
        self.request = request
        self.start = start
    }

    /// The report to the handler; `nil` while there is no answer to report.
    func exchange(at end: MonotonicInstant, isComplete: Bool) -> HTTPExchange? {
        guard let response else { return nil }
        return HTTPExchange(
            request: request, status: response.status, headers: response.headers,
            bytesSent: bytesSent, duration: start.duration(to: end), isComplete: isComplete)
    }
}
