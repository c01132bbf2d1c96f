import BroadsheetIO

/// The responses to requests whose bytes are known.
extension Connection {
    /// Sends the response to an earlier request of the same bytes, if it is unchanged.
    ///
    /// - Returns: `false` if there is no such response; the parser then reads the bytes.
    func repeatResponse(to bytes: UnsafeRawBufferPointer) -> Bool {
        guard parser.phase == .idle, let entry = shard.repeatEntry(for: bytes) else {
            return false
        }
        let start = loop.clock.now
        guard let repetition = entry.response.begin() else {
            shard.forget(entry)
            return false
        }
        clearDeadline()
        exchange = ExchangeRecord(repetition, of: entry.response, start: start)
        var head = shard.takeHeadBuffer()
        entry.appendHead(of: repetition, date: shard.date, to: &head)
        send(
            Outbox(head: head, body: entry.sendsBody ? repetition.body : []), then: .nextRequest)
        if outbox == nil { swap(&head, &shard.headBuffer) }
        return true
    }
}
