package import BroadsheetHTTP
import BroadsheetIO
package import BroadsheetOrigin
public import BroadsheetService

/// The configuration of a server; the defaults are those of `broadsheet serve` (docs/cli.md).
public struct ServerConfiguration: Sendable, Hashable {
    package var http = HTTPServerConfiguration()
    package var service = ServiceConfiguration()
    package var origin: OriginURL?
    /// The file of the certificates that the origin's is checked with, or `nil` for the system's.
    package var originCertificates: String?

    /// The store of screens, unless the server has one of its own; `nil` for the file of
    /// `broadsheet serve` in the user's state folder (`--store`).
    public var store: StoreAddress?
    package var storeAccess = StoreAccess()
    /// The keys of clients; `nil` for a server that any client may use (`--keys`).
    public var keys: AccessKeys?
    /// A Boolean value that indicates whether the server may listen for other machines without keys
    /// (`--open`).
    public var isOpen = false
    /// A Boolean value that indicates whether the inspector is served (`--inspector`); `nil` for a
    /// server that is reachable from its machine only.
    public var servesInspector: Bool?
    /// The memory for requests, responses and caches together, in bytes; `nil` for half of the
    /// machine's (`--memory`).
    public var memory: Int?
    /// The memory for shaped texts in bytes; `nil` for the default (`--text-cache-bytes`).
    public var textCacheBytes: Int?
    /// The number of event loops; `nil` for one a core (`--loops`).
    public var loops: Int?
    /// The number of worker threads; `nil` for the default (`--workers`).
    public var workers: Int?
    /// The format of log lines (`--log`).
    public var logFormat = LogFormat.json
    /// A Boolean value that indicates whether the log is written to standard error.
    public var isLogging = true
    /// The time before the server stops for which it serves requests and asks not to get more
    /// (`--drain-delay`).
    public var drainDelay = Duration.zero
    /// The longest time that requests in flight may take to end when the server stops (`--drain`).
    public var drain = Duration.seconds(10)
    /// A Boolean value that indicates whether SIGTERM and SIGINT stop the server.
    ///
    /// They then have this meaning for the whole process, until it ends: the first one stops the
    /// server, the next one ends the process.
    public var handlesSignals = false
    /// A Boolean value that indicates whether the server accepts on the listening sockets that the
    /// process has inherited, if `LISTEN_PID` and `LISTEN_FDS` name any, in place of ``host`` and
    /// ``port``.
    ///
    /// One server of a process may use them.
    public var usesInheritedSockets = false
    /// A text that changes whenever the code of the registry does; `nil` for a server that shares
    /// its store with none.
    ///
    /// Entity tags depend on it, because the code of cell types decides what a tree is. Without it
    /// they are those of one run: clients load a tree again after a restart.
    public var registryVersion: String?

    /// Creates a configuration with the defaults.
    public init() {}

    /// The number of connections to a PostgreSQL store for requests (`--store-connections`).
    public var storeConnections: Int {
        get { storeAccess.connections }
        set { storeAccess.connections = newValue }
    }
    /// The time that a write, from its arrival, or another request may take with a PostgreSQL or
    /// Redis store (`--store-timeout`).
    public var storeTimeout: Duration {
        get { storeAccess.timeout }
        set { storeAccess.timeout = newValue }
    }
    /// The address of the connection for the notifications of a PostgreSQL store, `off` for none,
    /// or `nil` for that of the store (`--store-listen`).
    public var storeListen: String? {
        get { storeAccess.listen }
        set { storeAccess.listen = newValue }
    }

    /// Returns the store: by default the file in the user's state folder.
    func storeAddress(in environment: [String: String]) throws(ServerError) -> StoreAddress {
        guard let store else { return try .standard(in: environment) }
        return store
    }

    package var loopCount: Int { loops ?? EventLoopGroup.coreCount }

    package var workerCount: Int { workers ?? WorkerPool.defaultThreadCount }

    /// The memory for requests, responses and caches, in bytes.
    package var memoryLimit: Int { memory ?? max(MemoryBudget.minLimit, SystemMemory.limit() / 2) }

    /// The memory for shaped texts, in bytes.
    package var textCacheLimit: Int {
        textCacheBytes ?? MemoryKind.texts.cacheBytes(of: memoryLimit)
    }
}

/// The keys of clients, with their rights (docs/operations.md, "Keys").
public struct AccessKeys: Sendable, Hashable {
    package let ring: KeyRing

    /// Reads a file of keys, as `broadsheet key` writes them.
    ///
    /// - Throws: A message for each line that is not a key.
    public init(_ file: [UInt8]) throws(ServerError) {
        do throws(KeyFileError) {
            ring = try KeyRing(file)
        } catch {
            throw .failed(error.violations.map { "keys:\($0.line): \($0.detail)" })
        }
    }
}
