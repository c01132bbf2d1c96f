internal import BroadsheetStores

/// Where screens are kept, as `--store` says it.
///
/// The one place that knows which stores there are: a further one is a case here, with how it is
/// written and how it is opened.
enum StoreAddress: Equatable {
    /// In this process; gone when it ends.
    case memory

    /// Reads what was typed.
    ///
    /// - Throws: `CommandError.usage` for a store that there is not.
    init(_ typed: String) throws(CommandError) {
        switch typed {
        case "memory": self = .memory
        default: throw .usage("--store: '\(typed)' is no store; there is: memory")
        }
    }

    /// Opens the store.
    func open() -> any ScreenStore {
        switch self {
        case .memory: MemoryStore()
        }
    }
}
