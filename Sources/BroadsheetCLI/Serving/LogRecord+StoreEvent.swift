internal import BroadsheetService
internal import BroadsheetStores

extension LogRecord {
    /// What is logged of something that happened to the store.
    init(_ event: StoreEvent) {
        self.init(event.level, "store", detail: event.description)
    }
}

extension StoreEvent {
    /// How much it matters to the operator.
    fileprivate var level: LogLevel {
        switch self {
        case .opened, .connected, .expired, .closed: .info
        case .inspected(_, let damaged): damaged == 0 ? .info : .error
        case .unreachable, .subscriptionLost, .maintenanceFailed: .warning
        case .damaged: .error
        }
    }
}
