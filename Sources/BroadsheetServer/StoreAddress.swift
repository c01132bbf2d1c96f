package import BroadsheetIO
package import BroadsheetService
public import BroadsheetStores
import Glibc

/// The store of a server, as `--store` names it.
///
/// Each kind of store is a case of `Kind`, with its spelling and its opening.
public struct StoreAddress: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case memory
        case sqlite(path: String)
        /// A server of the Redis protocol, which daemons can share.
        case redis(RedisEndpoint)
        /// A PostgreSQL database, which daemons can share.
        case postgres(PostgresAddress)
    }

    package let kind: Kind

    /// The memory of this process.
    public static let memory = StoreAddress(kind: .memory)

    /// Returns the SQLite file at a path.
    public static func sqlite(path: String) -> StoreAddress {
        StoreAddress(kind: .sqlite(path: path))
    }

    /// Returns the server of the Redis protocol at `redis://[USER:PASSWORD@]HOST[:PORT][/DB]`,
    /// which servers can share.
    ///
    /// - Throws: `ServerError.configuration` for an invalid address.
    public static func redis(_ url: String) throws(ServerError) -> StoreAddress {
        do throws(RedisEndpointError) {
            return StoreAddress(kind: .redis(try RedisEndpoint(url: url)))
        } catch {
            throw .configuration("--store: the redis: address \(error)")
        }
    }

    /// Opens the store, which the caller closes, for a program without a server.
    ///
    /// - Throws: `ServerError.failed` with the reason why the file cannot be opened.
    public func open() async throws(ServerError) -> ScreenStore {
        try open(.unlimited, for: ServiceConfiguration()) { _ in }
    }

    package static func redis(_ endpoint: RedisEndpoint) -> StoreAddress {
        StoreAddress(kind: .redis(endpoint))
    }

    private init(kind: Kind) { self.kind = kind }

    /// The spellings of the stores, for messages and the help text.
    package static let forms =
        "memory, sqlite:PATH, redis[s]:…, redis[s]+sentinel:…, postgres:…"

    /// Reads a store as typed; docs/operations.md has the forms, with all parts of an address.
    ///
    /// The text may contain a password, so no message repeats the part after a colon.
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
        case _ where RedisEndpoint.schemes.contains(scheme):
            do throws(RedisEndpointError) {
                kind = .redis(try RedisEndpoint(url: typed))
            } catch {
                throw .configuration("--store: the \(scheme): address \(error)")
            }
        case "postgres", "postgresql": kind = .postgres(try Self.postgres(typed, of: "--store"))
        default:
            throw .configuration("--store: '\(Self.shown(typed))' is not one of: \(Self.forms)")
        }
    }

    /// Returns what a message may repeat of an unknown store: before a colon the scheme only.
    private static func shown(_ typed: String) -> String {
        guard typed.contains(":") else { return typed }
        return String(typed.prefix { $0.isLetter || $0.isNumber || "+-.".contains($0) }) + ":…"
    }

    private static func postgres(
        _ typed: String, of option: String
    ) throws(ServerError) -> PostgresAddress {
        do throws(PostgresAddressError) {
            return try PostgresAddress(url: typed)
        } catch {
            throw .configuration("\(option): the postgres: address \(error)")
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
    /// Blocks while a file is opened, and while a database is connected to; a connection to a
    /// server of the Redis protocol is only started.
    ///
    /// - Parameters:
    ///   - memory: The memory for the pages of a store in memory, and for what is sent to and
    ///     received from a server.
    ///   - configuration: The configuration of the service, with the bounds of the history.
    ///   - access: The access to a server.
    ///   - onEvent: A function that receives the events of the store.
    /// - Throws: `ServerError.failed` with the reason why the file cannot be opened, and
    ///   `ServerError.configuration` for an invalid address for notifications.
    package func open(
        _ memory: MemoryBudget, for configuration: ServiceConfiguration,
        _ access: StoreAccess = StoreAccess(), onEvent: @escaping StoreEvent.Handler
    ) throws(ServerError) -> ScreenStore {
        let history = configuration.history
        let listening = try access.listen.map { text throws(ServerError) in
            guard text != "off" else { return PostgresStoreOptions.Listening.off }
            return .server(try Self.postgres(text, of: "--store-listen"))
        }
        do throws(StoreOpenError) {
            switch kind {
            case .memory:
                return ScreenStore.inMemory(
                    memory: memory, history: history,
                    historyBytes: configuration.historyBytes ?? memory.cacheBytes(for: .history),
                    feeds: (configuration.feeds, memory.cacheBytes(for: .events)))
            case .sqlite(let path):
                return try ScreenStore(
                    path: path,
                    options: SQLiteStoreOptions(
                        history: history, feeds: configuration.feeds, onEvent: onEvent))
            case .redis(let endpoint):
                return try ScreenStore(
                    endpoint,
                    options: RedisStoreOptions(
                        timeout: access.timeout, memory: memory, history: history,
                        feeds: configuration.feeds, onEvent: onEvent))
            case .postgres(let address):
                return try ScreenStore(
                    address,
                    options: PostgresStoreOptions(
                        connections: access.connections, timeout: access.timeout,
                        listening: listening ?? .sameServer, memory: memory, history: history,
                        feeds: configuration.feeds, onEvent: onEvent))
            }
        } catch {
            throw .failed(["broadsheet: \(error)"])
        }
    }
}

extension StoreAddress {
    /// Opens the store, which the caller closes, to copy it or to copy another one to it.
    ///
    /// Nothing of a history is dropped, and nothing is added to one.
    ///
    /// - Throws: `ServerError.failed` with the reason why the store cannot be opened; for a source
    ///   also if the file does not exist.
    package func openToCopy(asTarget isTarget: Bool) throws(ServerError) -> ScreenStore {
        let everything = HistoryBounds(maxRevisions: .max, maxAge: .max, maxBytes: .max)
        let history = isTarget ? .none : everything
        do throws(StoreOpenError) {
            switch kind {
            case .memory: throw .cannotOpen(path: "memory", detail: "it cannot be copied")
            case .sqlite(let path):
                guard isTarget || access(path, F_OK) == 0 else {
                    throw StoreOpenError.cannotOpen(path: path, detail: "there is no such file")
                }
                var options = SQLiteStoreOptions(history: history, feeds: FeedBounds())
                options.allowsIncomplete = isTarget
                return try ScreenStore(path: path, options: options)
            case .redis(let endpoint):
                return try ScreenStore(
                    endpoint, options: RedisStoreOptions(history: history, feeds: FeedBounds()))
            case .postgres(let address):
                var options = PostgresStoreOptions(
                    connections: PostgresStoreOptions.connectionRange.lowerBound,
                    timeout: .seconds(60), listening: .off, history: history, feeds: FeedBounds())
                options.allowsIncomplete = isTarget
                return try ScreenStore(address, options: options)
            }
        } catch {
            throw .failed(["broadsheet: \(error)"])
        }
    }
}

/// The access of a daemon to a store on a server.
package struct StoreAccess: Sendable, Hashable {
    /// The number of connections to a database for requests.
    package var connections = PostgresStoreOptions.defaultConnections
    package var timeout = PostgresStoreOptions.defaultTimeout
    /// The address of the connection for notifications: a URL of libpq, `off`, or `nil` for that of
    /// the store.
    package var listen: String?

    package init() {}
}

extension StoreAddress: CustomStringConvertible {
    /// The address without a user and a password.
    public var description: String {
        switch kind {
        case .memory: "memory"
        case .sqlite(let path): "sqlite:\(path)"
        case .redis(let endpoint): endpoint.description
        case .postgres(let address): address.description
        }
    }
}

extension LogRecord {
    package init(_ event: StoreEvent) {
        self.init(event.level, "store", detail: event.description)
    }
}

extension StoreEvent {
    fileprivate var level: LogLevel {
        switch self {
        case .opened, .connected, .expired, .closed: .info
        case .inspected(_, let damaged): damaged == 0 ? .info : .error
        case .unreachable, .subscriptionLost, .sentinelsSilent, .insecure, .maintenanceFailed:
            .warning
        case .emptied, .filesLost, .damaged: .error
        }
    }
}
