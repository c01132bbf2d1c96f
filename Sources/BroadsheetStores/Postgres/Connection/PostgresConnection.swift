import CPostgres
import Glibc

/// A connection to a server, for one thread at a time.
///
/// One that has thrown ``PostgresFailure/lost(_:)`` or ``PostgresFailure/malformed(_:)`` is of no
/// use any more.
final class PostgresConnection {
    /// The time after which a wait for a reply looks whether the store is closed, in milliseconds.
    private static let waitMilliseconds: Int32 = 500

    private let session: OpaquePointer
    private let isAbandoned: @Sendable () -> Bool

    /// Connects, and blocks the thread until that has succeeded or failed.
    ///
    /// - Parameters:
    ///   - settings: The settings of the connection.
    ///   - isAbandoned: Returns whether a wait for a reply is to end although it may yet arrive.
    init(
        _ settings: PostgresAddress.PostgresSettings,
        isAbandoned: @escaping @Sendable () -> Bool
    ) throws(PostgresFailure) {
        guard let session = cpostgres_connect(settings.handle) else { throw .lost("out of memory") }
        self.session = session
        self.isAbandoned = isAbandoned
        guard cpostgres_is_connected(session) else { throw .lost(Self.withRemedy(message, server)) }
    }

    /// Returns the message of a failed attempt, and what to do about a server that is not there.
    private static func withRemedy(_ message: String, _ server: String) -> String {
        // The program sets no locale, so libpq's message has the C library's English text.
        guard ["Connection refused", "No such file"].contains(where: message.contains) else {
            return message
        }
        return "\(message) Start PostgreSQL at \(server), or correct the address in --store"
    }

    deinit { cpostgres_session_destroy(session) }

    /// A Boolean value that indicates whether the connection is not known to be lost.
    var isConnected: Bool { cpostgres_is_connected(session) }

    /// The host and port that the connection is made to, for logs.
    var server: String {
        let port = String(cString: cpostgres_port(session))
        return "\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }

    /// The host name, the address, or the folder of a socket.
    var host: String { String(cString: cpostgres_host(session)) }

    var isEncrypted: Bool { cpostgres_is_encrypted(session) }

    /// The number of the server's version: 150004 for 15.4.
    var serverVersion: Int { Int(cpostgres_server_version(session)) }

    /// The last message of libpq in one line, without user and password.
    private var message: String { redacted(String(cString: cpostgres_message(session))) }

    private func redacted(_ message: String) -> String {
        PostgresAddress.PostgresSettings.redacted(
            message, user: String(cString: cpostgres_user(session)))
    }

    /// Performs a statement and passes its rows to `body`.
    ///
    /// - Parameters:
    ///   - byRow: A Boolean value that indicates whether rows are received one by one, so that only
    ///     one is in memory.
    /// - Returns: The number of warnings that the server has sent.
    @discardableResult
    func run(
        _ sql: String, _ parameters: PostgresParameters = PostgresParameters(),
        byRow: Bool = false,
        _ body: (PostgresRow) throws(PostgresFailure) -> Void = { _ in }
    ) throws(PostgresFailure) -> Int {
        let isSent = parameters.bytes.withUnsafeBytes { bytes in
            parameters.list.withUnsafeBufferPointer { list in
                cpostgres_send(
                    session, sql, list.baseAddress, Int32(list.count), bytes.baseAddress, byRow)
            }
        }
        guard isSent else { throw .lost(message) }
        try finish(body)
        return Int(cpostgres_warning_count(session))
    }

    /// Performs several statements without parameters, whose rows are ignored.
    func run(script: String) throws(PostgresFailure) {
        guard cpostgres_send_script(session, script) else { throw .lost(message) }
        try finish { _ in }
    }

    private func finish(
        _ body: (PostgresRow) throws(PostgresFailure) -> Void
    ) throws(PostgresFailure) {
        while true {
            switch cpostgres_next(session, Self.waitMilliseconds) {
            case CPOSTGRES_ROWS:
                for row in 0..<cpostgres_row_count(session) {
                    try body(PostgresRow(session, row))
                }
            case CPOSTGRES_DONE: return
            case CPOSTGRES_WAITING:
                if isAbandoned() { throw .lost("the store is closed") }
            case CPOSTGRES_FAILED: throw failure
            // Lost; the server may have said why.
            case _: throw failure
            }
        }
    }

    private var failure: PostgresFailure {
        guard let state = cpostgres_sqlstate(session) else { return .lost(message) }
        let message = cpostgres_server_message(session).map { String(cString: $0) } ?? ""
        return .server(state: String(cString: state), message: redacted(message))
    }

    /// Waits for notifications for some milliseconds, and passes their payloads to `body`.
    func receive(within milliseconds: Int32, _ body: (String) -> Void) throws(PostgresFailure) {
        let isAlive = cpostgres_wait(session, milliseconds)
        while let payload = cpostgres_notification(session) {
            body(String(cString: payload))
            free(payload)
        }
        guard isAlive else { throw .lost(message) }
    }
}

extension PostgresAddress.PostgresSettings {
    /// The quotation marks of messages, in the languages that servers and libpq have.
    private static let quotationMarks = [
        ("\"", "\""), ("'", "'"), ("“", "”"), ("„", "“"), ("»", "«"), ("«", "»"),
        ("«\u{a0}", "\u{a0}»"), ("« ", " »"),
    ]

    /// Returns a message in one line, without the user where it is quoted: elsewhere its name may
    /// be a word of the message.
    ///
    /// No message has a password: libpq and servers repeat none, and a URL in which a part of one
    /// would be a host, a port or a database is rejected (``PostgresAddressError/unencoded``).
    static func redacted(_ message: String, user: String) -> String {
        var text = message
        for (start, end) in quotationMarks where !user.isEmpty {
            text.replace(start + user + end, with: "…")
        }
        return text.split { $0.isNewline || $0.isWhitespace }.joined(separator: " ")
    }
}
