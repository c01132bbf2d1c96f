package import BroadsheetIO
package import BroadsheetService
package import BroadsheetStores

/// The store of a server, as `--store` names it.
///
/// Each kind of store is a case of ``Kind``, with its spelling and its opening.
public struct StoreAddress: Sendable, Hashable {
    /// A kind of store.
    package enum Kind: Sendable, Hashable {
        /// The memory of this process.
        case memory
        /// The SQLite file at the path.
        case sqlite(path: String)
        /// A server of the Redis protocol, which daemons can share.
        case redis(RedisEndpoint)
    }

    /// The kind of the store.
    package let kind: Kind

    /// The memory of this process.
    public static let memory = StoreAddress(kind: .memory)

    /// Returns the SQLite file at a path.
    public static func sqlite(path: String) -> StoreAddress {
        StoreAddress(kind: .sqlite(path: path))
    }

    /// Returns a server of the Redis protocol.
    package static func redis(_ endpoint: RedisEndpoint) -> StoreAddress {
        StoreAddress(kind: .redis(endpoint))
    }

    private init(kind: Kind) { self.kind = kind }

    /// The spellings of the stores, for messages and the help text.
    package static let forms = "memory, sqlite:PATH, redis://[USER:PASSWORD@]HOST[:PORT][/DB]"

    /// Reads a store as typed: `memory`, `sqlite:PATH` or
    /// `redis://[USER:PASSWORD@]HOST[:PORT][/DB]`.
    ///
    /// The text may contain a password, so no message repeats the part after `redis:`.
    ///
    /// - Throws: `ServerError.configuration` for an unknown kind of store and for an invalid
    ///   address.
    public init(_ typed: String) throws(ServerError) {
        let scheme = typed.prefix { $0 != ":" }.lowercased()
        switch scheme {
        case "memory" where typed == "memory": kind = .memory
        case "sqlite" where typed.utf8.count > "sqlite:".utf8.count:
            kind = .sqlite(path: String(typed.dropFirst("sqlite:".count)))
        case "sqlite": throw .configuration("--store: the path after sqlite: is missing")
        case "redis", "rediss":
            do throws(RedisEndpointError) {
                kind = .redis(try RedisEndpoint(url: typed))
            } catch {
                throw .configuration("--store: the \(scheme): address \(error)")
            }
        default: throw .configuration("--store: '\(typed)' is not one of: \(Self.forms)")
        }
    }

    /// Reads a store as typed, or selects the default store for `nil`.
    ///
    /// - Throws: `ServerError.configuration` for an unknown kind of store, for an invalid address,
    ///   and if the environment names no folder for the default store.
    package init(_ typed: String?, in environment: [String: String]) throws(ServerError) {
        if let typed {
            self = try StoreAddress(typed)
        } else {
            self = try .standard(in: environment)
        }
    }

    /// Returns the default store: a file in the user's state folder (XDG Base Directory
    /// Specification, `$XDG_STATE_HOME`, by default `~/.local/state`).
    ///
    /// - Throws: `ServerError.configuration` when the environment names no such folder.
    package static func standard(
        in environment: [String: String]
    ) throws(ServerError) -> StoreAddress {
        // The specification requires that relative paths are ignored.
        func folder(_ variable: String) -> String? {
            environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        guard let state = folder("XDG_STATE_HOME") ?? folder("HOME").map({ $0 + "/.local/state" })
        else {
            throw .configuration(
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
    /// - Throws: `ServerError.failed` with the reason why the file cannot be opened.
    package func open(
        _ memory: MemoryBudget, onEvent: @escaping StoreEvent.Handler
    ) throws(ServerError) -> any ScreenStore {
        do throws(StoreOpenError) {
            switch kind {
            case .memory: return MemoryStore(memory: memory)
            case .sqlite(let path):
                return try SQLiteStore(path: path, options: SQLiteStoreOptions(onEvent: onEvent))
            case .redis(let endpoint):
                return try RedisStore(
                    endpoint, options: RedisStoreOptions(memory: memory, onEvent: onEvent))
            }
        } catch {
            throw .failed(["broadsheet: \(error)"])
        }
    }
}

extension StoreAddress: CustomStringConvertible {
    /// The address without a user and a password.
    public var description: String {
        switch kind {
        case .memory: "memory"
        case .sqlite(let path): "sqlite:\(path)"
        case .redis(let endpoint):
            // An IPv6 address is in brackets in a URL (RFC 3986 §3.2.2).
            (endpoint.host.contains(":")
                ? "redis://[\(endpoint.host)]" : "redis://\(endpoint.host)")
                + ":\(endpoint.port)/\(endpoint.database)"
        }
    }
}

extension LogRecord {
    /// Creates the record of a store's event.
    package init(_ event: StoreEvent) {
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
        case .emptied, .filesLost, .damaged: .error
        }
    }
}
