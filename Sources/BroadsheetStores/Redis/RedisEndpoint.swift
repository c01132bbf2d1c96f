import FoundationEssentials

/// The address of a Redis server, with the credentials and the database to use.
package struct RedisEndpoint: Hashable, Sendable {
    /// The host name or address of the server; an IPv6 address without brackets.
    package var host: String
    /// The port of the server.
    package var port: UInt16
    /// The user to authenticate as; `nil` for the default user of the server.
    package var user: String?
    /// The password; `nil` for no authentication.
    package var password: String?
    /// The number of the database.
    package var database: Int

    /// The port of a URL without one.
    package static let defaultPort: UInt16 = 6379
    /// The valid database numbers.
    package static let databases = 0...65535

    /// Parses `redis://[[user]:password@]host[:port][/database]`.
    ///
    /// User and password are percent-decoded. The defaults are port 6379 and database 0.
    ///
    /// - Throws: ``RedisEndpointError``, whose description never contains the password.
    package init(url: String) throws(RedisEndpointError) {
        guard let parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased() else {
            throw .notAURL
        }
        guard scheme == "redis" else { throw .unknownScheme(scheme) }
        // The resolver expects an IPv6 address without its brackets.
        guard let host = parts.host.map(Self.withoutBrackets), !host.isEmpty else {
            throw .noHost
        }
        guard parts.query == nil, parts.fragment == nil else { throw .unknownParts }
        guard let port = UInt16(exactly: parts.port ?? Int(Self.defaultPort)), port > 0 else {
            throw .invalidPort
        }
        // Clients disagree on whether a single word before the @ is the user or the password.
        guard parts.password != nil || parts.user == nil else { throw .userWithoutPassword }
        self.host = host
        self.port = port
        user = parts.user.flatMap { $0.isEmpty ? nil : $0 }
        password = parts.password
        database = try Self.database(parts.path)
    }

    private static func withoutBrackets(_ host: String) -> String {
        let isBracket = { (character: Character) in character == "[" || character == "]" }
        var name = host.drop(while: isBracket)
        while name.last.map(isBracket) == true { name.removeLast() }
        return String(name)
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
    /// The URL without user and password, for logs.
    package var description: String {
        "redis://\(host.contains(":") ? "[\(host)]" : host):\(port)/\(database)"
    }
}

/// An error in the URL of a Redis server.
package enum RedisEndpointError: Error, Hashable, Sendable {
    /// The text is not a URL.
    case notAURL
    /// The scheme is not `redis:`.
    case unknownScheme(String)
    /// The URL has no host.
    case noHost
    /// The port is invalid.
    case invalidPort
    /// The database is not a number in ``RedisEndpoint/databases``.
    case invalidDatabase
    /// The URL has a user but no password.
    case userWithoutPassword
    /// The URL has a query or a fragment, which have no meaning here.
    case unknownParts
}

extension RedisEndpointError: CustomStringConvertible {
    /// The error and its correction, in one sentence.
    package var description: String {
        switch self {
        case .notAURL: "is not a URL; write redis://host:port/database"
        case .unknownScheme("rediss"):
            "requires TLS, which this client does not support; use a tunnel such as stunnel"
        case .unknownScheme(let scheme): "begins with \(scheme): instead of redis:"
        case .noHost: "has no host; write redis://host:port/database"
        case .invalidPort: "must have a port from 1 to 65535"
        case .invalidDatabase: "must end in a database number from 0 to 65535"
        case .userWithoutPassword:
            "has a user and no password; write redis://user:password@host or redis://:password@host"
        case .unknownParts: "has a query or a fragment, which have no meaning here"
        }
    }
}

/// The host and port of a server.
struct RedisNode: Hashable, Sendable, CustomStringConvertible {
    /// The host name or address.
    var host: String
    /// The port.
    var port: UInt16

    /// Creates a node.
    init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Creates the node of an endpoint.
    init(_ endpoint: RedisEndpoint) { self.init(host: endpoint.host, port: endpoint.port) }

    /// The host and port, for logs; an IPv6 address in brackets (RFC 3986 §3.2.2).
    var description: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }
}
