/// The application behind a server: the only interface between the protocol and the service.
package protocol HTTPHandler: Sendable {
    /// Returns the response to a request. Runs on the thread of the connection's event loop, so it
    /// may compute but never block; blocking work runs on another thread and is awaited.
    ///
    /// The task is cancelled when the connection is lost or the server's drain time has passed; the
    /// response that it then returns is not sent.
    func respond(to request: HTTPRequest) async -> HTTPResponse

    /// Returns the response to a failure of HTTP itself. The connection closes after it, whatever
    /// its fields are.
    func response(to error: HTTPError) -> HTTPResponse

    /// Receives the outcome of a response, when its last byte has been passed to the kernel or the
    /// connection was lost before that: for an access log. Runs on the loop's thread.
    func completed(_ exchange: HTTPExchange)
}

extension HTTPHandler {
    /// Does nothing.
    package func completed(_ exchange: HTTPExchange) {}
}
