import BroadsheetIO
import Synchronization

/// Makes the connections of a store, and checks each of them before its first use.
final class PostgresConnector: Sendable {
    /// The statement that each connection begins with.
    private static let greeting = """
        SELECT broadsheet.primary_1(), s.system IS DISTINCT FROM broadsheet.system_1(),
            current_setting('fsync') = 'off' OR current_setting('full_page_writes') = 'off',
            s.name IS NOT DISTINCT FROM '\(StoreIdentity.incompleteName)'
        FROM broadsheet.store s
        """

    let settings: PostgresAddress.PostgresSettings
    private let location: String
    private let allowsIncomplete: Bool
    private let onEvent: StoreEvent.Handler
    private let warnings: PostgresWarnings
    private let isAbandoned = Atomic(false)
    private let lastReason = Mutex<String?>("")

    /// Creates a connector.
    ///
    /// - Parameters:
    ///   - location: The address without user and password.
    ///   - allowsIncomplete: A Boolean value that indicates whether a store is opened that a copy
    ///     has not filled completely.
    ///   - warnings: The weaknesses that are reported, which several connectors may share.
    init(
        _ settings: PostgresAddress.PostgresSettings, location: String,
        allowsIncomplete: Bool = false, warnings: PostgresWarnings = PostgresWarnings(),
        onEvent: @escaping StoreEvent.Handler
    ) {
        self.settings = settings
        self.location = location
        self.allowsIncomplete = allowsIncomplete
        self.warnings = warnings
        self.onEvent = onEvent
    }

    /// A Boolean value that indicates whether waits for replies are to end.
    var isClosed: Bool { isAbandoned.load(ordering: .relaxed) }

    /// Makes waits for replies end, although they may yet arrive.
    func abandon() { isAbandoned.store(true, ordering: .relaxed) }

    /// Connects to the primary with the store, and reports it if that was not possible before.
    func connect() throws(PostgresFailure) -> PostgresConnection {
        do throws(PostgresFailure) {
            let connection = try open()
            try greet(connection)
            let isNew = lastReason.withLock { $0.take() != nil }
            if isNew { onEvent(.connected(location)) }
            return connection
        } catch {
            let reason = error.description
            let isNew = lastReason.withLock { last in
                defer { last = reason }
                return last != reason
            }
            if isNew, !isClosed { onEvent(.unreachable(reason)) }
            throw error
        }
    }

    /// Connects, without a look at the store.
    func open() throws(PostgresFailure) -> PostgresConnection {
        let connection = try PostgresConnection(settings) { [self] in isClosed }
        checkSecurity(of: connection)
        return connection
    }

    private func greet(_ connection: PostgresConnection) throws(PostgresFailure) {
        var found: (isOther: Bool, isUnsafe: Bool, isIncomplete: Bool)?
        try connection.run(Self.greeting) { row in
            found = (row.isTrue(1), row.isTrue(2), row.isTrue(3))
        }
        guard let found else { throw .malformed("the table broadsheet.store has no row") }
        guard !found.isIncomplete || allowsIncomplete else {
            throw .malformed(StoreIdentity.incompleteReason)
        }
        if found.isUnsafe {
            warn("fsync or full_page_writes of the server is off: a crash loses writes")
        }
        guard found.isOther else { return }
        // A restored dump: revisions of after the backup must not be assigned again.
        try connection.run("SELECT broadsheet.advance_1(broadsheet.system_1())")
    }

    private func checkSecurity(of connection: PostgresConnection) {
        let host = connection.host
        guard !host.isEmpty, !host.hasPrefix("/"), !Self.isLoopback(host) else { return }
        if !connection.isEncrypted {
            warn("the connection to \(connection.server) is not encrypted")
        } else if !["verify-ca", "verify-full"].contains(settings["sslmode"] ?? "prefer") {
            warn("\(connection.server) is not verified: add sslmode=verify-full to the URL")
        }
    }

    private static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }

    private func warn(_ what: String) {
        if warnings.add(what) { onEvent(.insecure(what)) }
    }
}

/// The weaknesses of connections that were reported, each of them once.
final class PostgresWarnings: Sendable {
    private let texts = Mutex<Set<String>>([])

    init() {}

    /// Returns `false` if the weakness was reported before.
    func add(_ text: String) -> Bool { texts.withLock { $0.insert(text).inserted } }
}
