import BroadsheetIO
import Glibc

/// The steps between an address and a store that can be used, on the thread that opens it.
struct PostgresStartup {
    /// The time for which a migration is tried while others hold its lock.
    static let migrationTimeout = Duration.seconds(30)
    static let minServerVersion = 130_000
    /// The time between two attempts of a migration, in microseconds.
    private static let repeatMicroseconds: UInt32 = 100_000

    /// The rights that the role lacks on tables and functions; there may be others, of a newer
    /// version.
    private static let missingRights = """
        SELECT string_agg(m.right_name || ' on ' || m.name, ', ' ORDER BY m.name, m.right_name)
        FROM (
            SELECT t AS name, r AS right_name
            FROM unnest($1) AS t, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS r
            WHERE NOT has_table_privilege('broadsheet.' || t, r)
            UNION ALL
            SELECT p.proname, 'EXECUTE' FROM pg_proc p
            WHERE p.pronamespace = 'broadsheet'::regnamespace AND p.proname = ANY ($2)
                AND NOT has_function_privilege(p.oid, 'EXECUTE')
        ) AS m
        """

    let connector: PostgresConnector
    /// The address without user and password.
    let location: String

    /// Connects, and brings the schema to the version of this program if it has an earlier one.
    ///
    /// - Throws: The reason why the store cannot be used.
    func prepare() throws(StoreOpenError) {
        let versions = try opening { () throws(PostgresFailure) in try findVersions() }
        if versions.oldest > PostgresSchema.version {
            throw .newerSchema(path: location, detail: "its schema has version \(versions.latest)")
        }
        try opening { () throws(PostgresFailure) in
            if versions.latest < PostgresSchema.version { try migrate() }
            try checkRights()
            _ = try connector.connect()
        }
    }

    /// Checks the rights before anything is called that needs them.
    private func checkRights() throws(PostgresFailure) {
        var parameters = PostgresParameters()
        parameters.add(PostgresSchema.tableNames)
        parameters.add(PostgresSchema.functionNames)
        var missing: String?
        try connector.open().run(Self.missingRights, parameters) { missing = $0.text(0) }
        if let missing {
            throw .lost("the role lacks rights: \(missing); \(PostgresSchema.rightsRemedy)")
        }
    }

    /// Raises all revisions of a store by a million, after a restore that a daemon cannot notice.
    func advance() throws(StoreOpenError) {
        try prepare()
        try opening { () throws(PostgresFailure) in
            let warnings = try connector.open().run("SELECT broadsheet.advance_1(NULL)")
            if warnings > 0 { throw .warned }
        }
    }

    @discardableResult
    private func opening<Value>(
        _ body: () throws(PostgresFailure) -> Value
    ) throws(StoreOpenError) -> Value {
        do throws(PostgresFailure) {
            return try body()
        } catch {
            throw .cannotOpen(path: location, detail: error.description)
        }
    }

    /// Returns the versions of the schema; 0 for none.
    private func findVersions() throws(PostgresFailure) -> (latest: Int, oldest: Int) {
        let connection = try connector.open()
        guard connection.serverVersion >= Self.minServerVersion else {
            throw .lost("the server is older than PostgreSQL 13")
        }
        var (hasSchema, isFormer) = (false, false)
        try connection.run(Self.findTables) { (hasSchema, isFormer) = ($0.isTrue(0), $0.isTrue(1)) }
        guard !isFormer else { throw .lost(Self.formerReason) }
        guard hasSchema else { return (0, 0) }
        var versions = (latest: 0, oldest: 0)
        try connection.run("SELECT s.version, s.oldest FROM broadsheet.store s") {
            versions = ($0.integer(0) ?? 0, $0.integer(1) ?? 0)
        }
        return versions
    }

    private static let findTables = """
        SELECT to_regclass('broadsheet.store') IS NOT NULL,
            to_regclass('broadsheet.migrations') IS NOT NULL
        """
    private static let formerReason =
        "its schema has a former format; name another database, or drop the schema broadsheet"

    private func migrate() throws(PostgresFailure) {
        let end = TimeSource.system.now.advanced(by: Self.migrationTimeout)
        while true {
            // A new connection each time: the transaction of a failed script does not end.
            let connection = try connector.open()
            do throws(PostgresFailure) {
                return try connection.run(script: PostgresSchema.script)
            } catch {
                if case .server("42501", let message) = error {
                    throw .lost(
                        "\(message); an administrator runs `broadsheet store schema | psql`, and "
                            + "then \(PostgresSchema.grants)")
                }
                guard error.effect == .nothing, TimeSource.system.now < end else { throw error }
            }
            usleep(Self.repeatMicroseconds)
        }
    }
}
