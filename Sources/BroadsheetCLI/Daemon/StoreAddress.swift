import BroadsheetIO
import BroadsheetService
import BroadsheetStores

/// The store that `--store` names.
///
/// Each kind of store is a case, with its spelling and its opening.
enum StoreAddress: Equatable {
    /// The memory of this process.
    case memory
    /// The SQLite file at the path.
    case sqlite(path: String)
    /// A server of the Redis protocol, which daemons can share.
    case redis(RedisEndpoint)

    /// The spellings of the stores, for messages and the help text.
    static let forms = "memory, sqlite:PATH, redis://[USER:PASSWORD@]HOST[:PORT][/DB]"

    /// Reads a store as typed.
    ///
    /// The text may contain a password, so no message repeats the part after `redis:`.
    ///
    /// - Throws: `CommandError.usage` for an unknown kind of store and for an invalid address.
    init(_ typed: String) throws(CommandError) {
        let scheme = typed.prefix { $0 != ":" }.lowercased()
        switch scheme {
        case "memory" where typed == "memory": self = .memory
        case "sqlite" where typed.utf8.count > "sqlite:".utf8.count:
            self = .sqlite(path: String(typed.dropFirst("sqlite:".count)))
        case "sqlite": throw .usage("--store: the path after sqlite: is missing")
        case "redis", "rediss":
            do throws(RedisEndpointError) {
                self = .redis(try RedisEndpoint(url: typed))
            } catch {
                throw .usage("--store: the \(scheme): address \(error)")
            }
        default: throw .usage("--store: '\(typed)' is not one of: \(Self.forms)")
        }
    }

    /// Reads a store as typed, or selects the default store for `nil`.
    ///
    /// - Throws: `CommandError.usage` for an unknown kind of store, for an invalid address, and if
    ///   the environment names no folder for the default store.
    init(_ typed: String?, in environment: [String: String]) throws(CommandError) {
        if let typed {
            self = try StoreAddress(typed)
        } else {
            self = try .standard(in: environment)
        }
    }

    /// Returns the default store: a file in the user's state folder (XDG Base Directory
    /// Specification, `$XDG_STATE_HOME`, by default `~/.local/state`).
    ///
    /// - Throws: `CommandError.usage` when the environment names no such folder.
    static func standard(in environment: [String: String]) throws(CommandError) -> StoreAddress {
        // The specification requires that relative paths are ignored.
        func folder(_ variable: String) -> String? {
            environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        guard let state = folder("XDG_STATE_HOME") ?? folder("HOME").map({ $0 + "/.local/state" })
        else {
            throw .usage(
                "the environment has neither XDG_STATE_HOME nor HOME; use --store sqlite:PATH")
        }
        return .sqlite(path: "\(state)/broadsheet/screens.db")
    }

    /// Opens the store.
    ///
    /// Blocks while a file is opened; a connection to a server is only started.
    ///
    /// - Parameters:
    ///   - memory: The memory for the pages of a store in memory, and for what is sent to and
    ///     received from a server.
    ///   - onEvent: A function that receives the events of the store.
    /// - Throws: `CommandError.input` with the reason why the file cannot be opened.
    func open(
        _ memory: MemoryBudget, onEvent: @escaping StoreEvent.Handler
    ) throws(CommandError) -> any ScreenStore {
        do throws(StoreOpenError) {
            switch self {
            case .memory: return MemoryStore(memory: memory)
            case .sqlite(let path):
                return try SQLiteStore(path: path, options: SQLiteStoreOptions(onEvent: onEvent))
            case .redis(let endpoint):
                return try RedisStore(
                    endpoint, options: RedisStoreOptions(memory: memory, onEvent: onEvent))
            }
        } catch {
            throw .input(["broadsheet: \(error)"])
        }
    }
}

extension LogRecord {
    /// Creates the record of a store's event.
    init(_ event: StoreEvent) {
        self.init(event.level, "store", detail: event.description)
    }
}

extension StoreEvent {
    /// The severity of the event.
    fileprivate var level: LogLevel {
        switch self {
        case .opened, .connected, .expired, .closed: .info
        case .inspected(_, let damaged): damaged == 0 ? .info : .error
        case .unreachable, .subscriptionLost, .maintenanceFailed: .warning
        case .filesLost, .damaged: .error
        }
    }
}
