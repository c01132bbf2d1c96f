import Foundation

/// Where a server of the Redis protocol is, and who we are to it.
package struct RedisEndpoint: Hashable, Sendable {
    /// The server's name or address; an IPv6 address without brackets.
    package var host: String
    /// The server's port.
    package var port: UInt16
    /// The user to authenticate as; the server's default user when nil.
    package var user: String?
    /// The password; nobody authenticates when nil.
    package var password: String?
    /// The database's number.
    package var database: Int

    /// The port of a server that says nothing else.
    package static let defaultPort: UInt16 = 6379
    /// The numbers that a database may have.
    package static let databases = 0...65535

    /// Reads `redis://[[user]:password@]host[:port][/database]`.
    ///
    /// User and password are percent-decoded; port 6379 and database 0 are the defaults. Throws what
    /// is wrong, in words that do not repeat the password.
    package init(url: String) throws(RedisEndpointError) {
        guard let parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased() else {
            throw .notAURL
        }
        guard scheme == "redis" else { throw .unknownScheme(scheme) }
        guard let host = parts.host, !host.isEmpty else { throw .noHost }
        guard parts.query == nil, parts.fragment == nil else { throw .unknownParts }
        guard let port = UInt16(exactly: parts.port ?? Int(Self.defaultPort)), port > 0 else {
            throw .invalidPort
        }
        // Some take a lone word before the @ for the user, some for the password.
        guard parts.password != nil || parts.user == nil else { throw .userWithoutPassword }
        // An IPv6 address stands in brackets, which the resolver does not take.
        self.host = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        self.port = port
        user = parts.user.flatMap { $0.isEmpty ? nil : $0 }
        password = parts.password
        database = try Self.database(parts.path)
    }

    private static func database(_ path: String) throws(RedisEndpointError) -> Int {
        guard path != "", path != "/" else { return 0 }
        let digits = path.dropFirst()
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(digits),
            databases.contains(number)
        else { throw .invalidDatabase }
        return number
    }
}

extension RedisEndpoint: CustomStringConvertible {
    /// The endpoint without user and password: what a log may show.
    package var description: String {
        "redis://\(host.contains(":") ? "[\(host)]" : host):\(port)/\(database)"
    }
}

/// Why a text names no server.
package enum RedisEndpointError: Error, Hashable, Sendable {
    /// It is no URL.
    case notAURL
    /// It begins with something other than `redis:`.
    case unknownScheme(String)
    /// It names no host.
    case noHost
    /// The port is none.
    case invalidPort
    /// The database is no number, or a larger one than ``RedisEndpoint/databases`` has.
    case invalidDatabase
    /// There is a user and no password.
    case userWithoutPassword
    /// It has a query or a fragment, which mean nothing here.
    case unknownParts
}

extension RedisEndpointError: CustomStringConvertible {
    /// What is wrong and what to write, in one sentence.
    package var description: String {
        switch self {
        case .notAURL: "is no URL; write redis://host:port/database"
        case .unknownScheme("rediss"):
            "asks for TLS, which this client does not speak; let a tunnel such as stunnel do that"
        case .unknownScheme(let scheme): "begins with \(scheme): instead of redis:"
        case .noHost: "names no host; write redis://host:port/database"
        case .invalidPort: "has no port from 1 to 65535"
        case .invalidDatabase: "must end in the number of a database, from 0 to 65535"
        case .userWithoutPassword:
            "has a user and no password; write redis://user:password@host or redis://:password@host"
        case .unknownParts: "has a query or a fragment, which mean nothing here"
        }
    }
}
