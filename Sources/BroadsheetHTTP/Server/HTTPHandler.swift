/// What a server does with requests: the one seam between the wire and the service.
package protocol HTTPHandler: Sendable {
    /// Answers a request. Runs on the thread of the connection's event loop, so it may compute but
    /// never block; whatever blocks has a thread of its own and is awaited.
    ///
    /// The task is cancelled when the connection is lost or the server's drain time is over; what
    /// it then returns is not sent.
    func respond(to request: HTTPRequest) async -> HTTPResponse

    /// Renders the answer to a failure on the level of HTTP itself. Whatever the answer says, the
    /// connection closes after it.
    func response(to error: HTTPError) -> HTTPResponse

    /// Hears of every answer when its last byte has been handed to the kernel, or when the
    /// connection was lost before that: the place of an access log. Runs on the loop's thread.
    func completed(_ exchange: HTTPExchange)
}

extension HTTPHandler {
    /// Does nothing.
    package func completed(_ exchange: HTTPExchange) {}
}
