import Broadsheet
import BroadsheetIO

/// The actions of a request that handlers of the program have made operations of.
struct HandledActions: Sendable {
    /// The actions with their operations, in the order of their events.
    private(set) var actions: [PreparedAction] = []
    /// The indexes of the events that name their section or their item by its index.
    private(set) var indexed: [Int] = []

    init() {}

    /// Calls the handlers, one after another, with the items of a state of the screen.
    ///
    /// A handler is called once for each event, also if the write is tried again after a conflict
    /// with another daemon.
    ///
    /// - Parameters:
    ///   - memory: A reservation, which is made larger for the data of the items.
    ///   - log: The log of handlers that fail.
    /// - Throws: `UPDATE_FAILED` for a handler that throws and for too many operations, or
    ///   `OVERLOADED`.
    init(
        _ events: [PostedEvent], of items: NamedItems, _ memory: MemoryReservation, _ call: Call,
        _ log: Log
    ) async throws(Problem) {
        var count = 0
        for handler in HandlerCall.all(for: events, of: items, call.catalog.registry) {
            let bytes = handler.byteCount
            try await memory.need(memory.count + bytes + MemoryCost.indexing(bytes: bytes))
            guard let action = try await Self.perform(handler, log) else { continue }
            count += action.operations.count
            guard count <= EditLimits.maxUpdateOperations else {
                throw handler.problem(
                    "The actions have more than \(EditLimits.maxUpdateOperations) operations.")
            }
            actions.append(action)
            if handler.hasIndex { indexed.append(handler.event) }
        }
    }

    /// Calls a handler outside of the event loops, which it may take longer than they have.
    private static func perform(
        _ handler: HandlerCall, _ log: Log
    ) async throws(Problem) -> PreparedAction? {
        let task = Task.detached { try await handler.perform() }
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        switch result {
        case .success(let action): return action
        case .failure(let error):
            log.write(
                LogRecord(
                    .error, "the handler of an action failed", detail: "\(handler.name): \(error)"))
            throw handler.problem("Its handler failed.")
        }
    }
}

extension HandlerCall {
    fileprivate func problem(_ detail: String) -> Problem {
        Problem(
            .impossible(
                pointer: "/events/\(event)",
                detail: "The action \"\(name)\" cannot be done. \(detail)"),
            failure: .updateFailed)
    }
}
