import CPostgres

/// The address of a PostgreSQL database: a URL of libpq, with the defaults of this program.
///
/// No description has the user or the password.
package struct PostgresAddress: Hashable, Sendable {
    private let url: String

    /// The settings that a URL and the environment leave open.
    private static let defaults = [
        ("target_session_attrs", "read-write"), ("connect_timeout", "3"),
        ("tcp_user_timeout", "10000"), ("keepalives_idle", "10"), ("keepalives_interval", "5"),
        ("gssencmode", "disable"), ("application_name", "broadsheet"),
    ]

    package static var hasLibrary: Bool { cpostgres_load() }

    /// Reads a URL that begins with `postgres:` or `postgresql:`.
    ///
    /// Without libpq any such URL is accepted; it is rejected when the store is opened.
    ///
    /// - Throws: ``PostgresAddressError``, whose description never contains the password.
    package init(url: String) throws(PostgresAddressError) {
        self.url = url
        guard url.hasPrefix("postgres://") || url.hasPrefix("postgresql://") else { throw .notAURL }
        guard !Self.hasUnencodedSecret(url) else { throw .unencoded }
        guard Self.hasLibrary else { return }
        let settings = try PostgresSettings(url: url)
        let attributes = settings["target_session_attrs"] ?? ""
        guard ["read-write", "primary"].contains(attributes) else { throw .notThePrimary }
        // Without a host, libpq takes the password for the port, and repeats it.
        guard settings["port"]?.allSatisfy({ $0.isNumber || $0 == "," }) != false else {
            throw .unencoded
        }
    }

    /// Returns a Boolean value that indicates whether a URL has an `@` besides the one before its
    /// hosts: libpq takes what is around it for a host, a port or a database, which messages have.
    private static func hasUnencodedSecret(_ url: String) -> Bool {
        guard let start = url.firstRange(of: "://")?.upperBound else { return false }
        let rest = url[start...].prefix { $0 != "?" }
        let authority = rest.prefix { $0 != "/" }
        return rest.count { $0 == "@" } > (authority.contains("@") ? 1 : 0)
    }

    func settings() throws(PostgresAddressError) -> PostgresSettings {
        try PostgresSettings(url: url)
    }

    /// The settings of a URL, as libpq has them.
    ///
    /// Unchecked: nothing changes them after the initialiser.
    final class PostgresSettings: @unchecked Sendable {
        let handle: OpaquePointer

        /// Reads a URL and adds the defaults.
        fileprivate init(url: String) throws(PostgresAddressError) {
            guard PostgresAddress.hasLibrary else { throw .noLibrary }
            var reason = [CChar](repeating: 0, count: 512)
            let created = reason.withUnsafeMutableBufferPointer { buffer in
                buffer.baseAddress.flatMap { cpostgres_settings_create(url, $0, buffer.count) }
            }
            guard let created else {
                let bytes = reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
                throw .rejected(Self.withoutQuotations(String(decoding: bytes, as: UTF8.self)))
            }
            handle = created
            for (keyword, value) in PostgresAddress.defaults {
                guard cpostgres_settings_default(created, keyword, value) else {
                    throw .rejected("out of memory")
                }
            }
        }

        deinit { cpostgres_settings_destroy(handle) }

        subscript(keyword: String) -> String? {
            cpostgres_settings_value(handle, keyword).map { String(cString: $0) }
        }

        /// Returns a message of libpq without what it repeats of the URL.
        private static func withoutQuotations(_ message: String) -> String {
            let line = message.prefix { $0 != "\n" }
            guard let start = line.firstIndex(of: "\""), let end = line.lastIndex(of: "\"") else {
                return String(line)
            }
            return String(line[..<start]) + "…" + String(line[line.index(after: end)...])
        }
    }
}

extension PostgresAddress: CustomStringConvertible {
    /// The hosts, their ports, and the database.
    package var description: String {
        let settings: PostgresSettings
        do throws(PostgresAddressError) {
            settings = try self.settings()
        } catch {
            return "postgres:"
        }
        let hosts = (settings["host"] ?? settings["hostaddr"] ?? "localhost")
            .split(separator: ",")
        // One port for all hosts, or one for each, which may be empty.
        let ports = (settings["port"] ?? "").split(separator: ",", omittingEmptySubsequences: false)
        let servers = hosts.enumerated().map { index, host in
            let port = index < ports.count ? ports[index] : ports.count == 1 ? ports[0] : ""
            return port.isEmpty ? String(host) : "\(host):\(port)"
        }
        return "postgres://\(servers.joined(separator: ","))/\(settings["dbname"] ?? "")"
    }
}

/// An error in the URL of a PostgreSQL database.
package enum PostgresAddressError: Error, Hashable, Sendable {
    case notAURL
    case noLibrary
    case rejected(String)
    /// The URL permits connections to replicas.
    case notThePrimary
    /// A user or a password has a character that is not percent-encoded.
    case unencoded
}

extension PostgresAddressError: CustomStringConvertible {
    /// The error and its correction, in one sentence.
    package var description: String {
        switch self {
        case .notAURL: "is not a URL; write postgres://user:password@host/database"
        case .noLibrary: "requires libpq: apt install libpq5"
        case .rejected(let reason):
            "is not valid (\(reason)); write postgres://user:password@host/database"
        case .unencoded:
            "has a user or a password that is not percent-encoded, or no host after them; write "
                + "%40 for @, %2F for / and %3A for :"
        case .notThePrimary: "must have target_session_attrs=read-write or primary, or neither"
        }
    }
}
