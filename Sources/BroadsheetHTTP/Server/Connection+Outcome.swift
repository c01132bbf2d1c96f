import BroadsheetIO

/// The outcomes of responses.
extension Connection {
    /// Reports a response that could not be sent because the connection was lost.
    func reportLoss(of response: HTTPResponse) {
        exchange?.record(response)
        report(isComplete: false)
    }

    /// Reports the outcome of the current response to the handler, if there is one.
    func report(isComplete: Bool) {
        guard let exchange, exchange.hasResponse else { return }
        self.exchange = nil
        exchange.report(to: shard.handler, at: loop.clock.now, isComplete: isComplete)
    }
}
