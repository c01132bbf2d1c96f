import BroadsheetIO

/// The outcomes of responses.
extension Connection {
    /// Reports a response that could not be sent because the connection was lost.
    func reportLoss(of response: HTTPResponse) {
        exchange?.record(response, at: loop.clock.now)
        report(isComplete: false)
    }

    /// Resets the connection because the drain time is over, and reports a request in progress,
    /// of which at least the head has arrived.
    func cutOff() {
        if exchange == nil, parser.phase == .body {
            exchange = ExchangeRecord(request: parser.head, start: loop.clock.now)
        }
        if exchange?.hasResponse == false {
            exchange?.record(HTTPResponse(status: .connectionLost), at: loop.clock.now)
        }
        report(isComplete: false, isCutOff: true)
        abort()
    }

    /// Reports the outcome of the current response to the handler, if there is one.
    func report(isComplete: Bool, isCutOff: Bool = false) {
        guard let exchange, exchange.hasResponse else { return }
        self.exchange = nil
        exchange.report(
            to: shard.handler, at: loop.clock.now, from: parser.peer, isCutOff: isCutOff,
            isComplete: isComplete)
    }
}
