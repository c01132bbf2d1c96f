import BroadsheetIO

/// The responses to requests that are not handled.
extension Connection {
    /// Sends the response to a failure of HTTP itself, and closes.
    func fail(_ error: HTTPError) {
        clearDeadline()
        // A body that has arrived in part is not kept while the client reads the response.
        if parser.phase == .body { parser.abandon() }
        inputMemory = nil
        let head = parser.partialHead
        exchange = ExchangeRecord(request: head, start: loop.clock.now)
        let response = shard.handler.response(to: error, in: head, from: parser.peer)
        send(response, to: parser.method, version: .http11, then: .linger)
    }

    /// Sends the response to a request whose body is not read, and closes.
    func refuse(_ head: HTTPRequestHead, with response: HTTPResponse) {
        clearDeadline()
        exchange = ExchangeRecord(request: head, start: loop.clock.now)
        send(response, to: head.method, version: head.version, then: .linger)
    }
}
