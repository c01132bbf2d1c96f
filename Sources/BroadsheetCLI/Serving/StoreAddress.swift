internal import BroadsheetStores

/// Where screens are kept, as `--store` says it.
///
/// The one place that knows which stores there are: a further one is a case here, with how it is
/// written and how it is opened.
enum StoreAddress: Equatable {
    /// In this process; gone when it ends.
    case memory
    /// In the SQLite file at the path.
    case sqlite(path: String)
    /// On a server of the Redis protocol, which other daemons may share.
    case redis(RedisEndpoint)

    /// How stores are written, for messages and help.
    static let forms = "memory, sqlite:PATH, redis://[USER:PASSWORD@]HOST[:PORT][/DB]"

    /// Reads what was typed.
    ///
    /// What was typed may hold a password, so no message repeats what follows `redis:`.
    ///
    /// - Throws: `CommandError.usage` for a store that there is not.
    init(_ typed: String) throws(CommandError) {
        let scheme = typed.prefix { $0 != ":" }.lowercased()
        switch scheme {
        case "memory" where typed == "memory": self = .memory
        case "sqlite" where typed.utf8.count > "sqlite:".utf8.count:
            self = .sqlite(path: String(typed.dropFirst("sqlite:".count)))
        case "sqlite": throw .usage("--store: a path belongs behind sqlite:")
        case "redis", "rediss":
            do throws(RedisEndpointError) {
                self = .redis(try RedisEndpoint(url: typed))
            } catch {
                throw .usage("--store: the \(scheme): address \(error)")
            }
        default: throw .usage("--store: '\(typed)' is no store; there are: \(Self.forms)")
        }
    }

    /// The store that was named, or else the standard one.
    ///
    /// - Throws: `CommandError.usage` for a store that there is not.
    init(_ settings: Settings, in console: Console) throws(CommandError) {
        if let typed = settings[ServeSettings.store] {
            self = try StoreAddress(typed)
        } else {
            self = try .standard(in: console.environment)
        }
    }

    /// The store that nobody named: a file in the user's state folder (XDG Base Directory
    /// Specification, `$XDG_STATE_HOME`, by default `~/.local/state`).
    ///
    /// - Throws: `CommandError.usage` when the environment names no folder to keep it in.
    static func standard(in environment: [String: String]) throws(CommandError) -> StoreAddress {
        // The specification has relative paths ignored.
        func folder(_ variable: String) -> String? {
            environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        guard let state = folder("XDG_STATE_HOME") ?? folder("HOME").map({ $0 + "/.local/state" })
        else {
            throw .usage(
                "the environment has neither XDG_STATE_HOME nor HOME; say --store sqlite:PATH")
        }
        return .sqlite(path: "\(state)/broadsheet/screens.db")
    }

    /// Opens the store.
    ///
    /// Blocks for as long as a file takes; a server is only begun to be connected to.
    ///
    /// - Parameter onEvent: A function that receives the events of the store from then on.
    /// - Throws: `CommandError.input` saying what is the matter with the file.
    func open(onEvent: @escaping StoreEvent.Handler) throws(CommandError) -> any ScreenStore {
        do throws(StoreOpenError) {
            switch self {
            case .memory: return MemoryStore()
            case .sqlite(let path):
                return try SQLiteStore(path: path, options: SQLiteStoreOptions(onEvent: onEvent))
            case .redis(let endpoint):
                return try RedisStore(endpoint, options: RedisStoreOptions(onEvent: onEvent))
            }
        } catch {
            throw .input(["broadsheet: \(error)"])
        }
    }
}
