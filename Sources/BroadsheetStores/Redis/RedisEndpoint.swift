import BroadsheetIO
import FoundationEssentials
import Glibc

/// The address of a Redis server, with the credentials and the database to use.
package struct RedisEndpoint: Hashable, Sendable {
    /// The host name or address of the server, with ``sentinels`` that of the first of them; an
    /// IPv6 address without brackets.
    package var host: String
    /// The port of the server, with ``sentinels`` that of the first of them.
    package var port: UInt16
    /// The user to authenticate as; `nil` for the default user of the server.
    package var user: String?
    package var password: String?
    package var database: Int
    package var tls: RedisTLS?
    /// The Sentinels that name the server; `nil` for the server at ``host``.
    package var sentinels: RedisSentinels?

    package static let defaultPort: UInt16 = 6379
    package static let databases = 0...65535

    /// Parses the URL of a server, or of the Sentinels that name it:
    /// `redis://[[user]:password@]host[:port][/database]`, `rediss://…` with the query
    /// `ca=FILE&cert=FILE&key=FILE`,
    /// `redis+sentinel://[[user]:password@]host[:port][,host[:port]…]/name[/database]` with
    /// `sentinel-user=USER&sentinel-password=PASSWORD`, and `rediss+sentinel:` with either.
    ///
    /// User, password, name and the members of the query are percent-decoded. The defaults are the
    /// port 6379, 26379 for Sentinels, and database 0.
    ///
    /// - Throws: ``RedisEndpointError``, whose description never contains a password.
    package init(url: String) throws(RedisEndpointError) {
        let (first, otherHosts) = Self.hosts(in: url)
        guard let parts = URLComponents(string: first), let scheme = parts.scheme?.lowercased()
        else { throw .notAURL }
        guard let form = RedisURLForm(scheme: scheme) else { throw .unknownScheme(scheme) }
        let node = try Self.node(parts, form)
        guard parts.fragment == nil, !form.members.isEmpty || parts.query == nil else {
            throw .unknownParts
        }
        // Clients disagree on whether a single word before the @ is the user or the password.
        guard parts.password != nil || parts.user == nil else { throw .userWithoutPassword }
        let members = try Self.members(parts, of: form)
        let (name, database) = try Self.path(parts.path, form)
        host = node.host
        port = node.port
        user = parts.user.flatMap { $0.isEmpty ? nil : $0 }
        password = parts.password
        self.database = try Self.database(database)
        tls = form.hasTLS ? try RedisTLS(members) : nil
        guard form.hasSentinels else { return }
        guard otherHosts.count < RedisSentinels.maxCount else { throw .tooManyHosts }
        var nodes = [node]
        for host in otherHosts {
            guard let parts = URLComponents(string: "\(scheme)://\(host)") else { throw .notAURL }
            nodes.append(try Self.node(parts, form))
        }
        sentinels = try RedisSentinels(nodes, name: name, members)
    }

    /// Returns the URL with the first of its hosts, and the other ones; only URLs of Sentinels have
    /// several.
    private static func hosts(in url: String) -> (url: String, others: [Substring]) {
        let form = RedisURLForm(scheme: url.prefix { $0 != ":" }.lowercased())
        guard form?.hasSentinels == true, let start = url.firstRange(of: "://")?.upperBound
        else { return (url, []) }
        let end = url[start...].firstIndex { "/?#".contains($0) } ?? url.endIndex
        let authority = url[start..<end]
        let hosts = authority.lastIndex(of: "@").map { authority[$0...].dropFirst() } ?? authority
        let list = hosts.split(separator: ",", omittingEmptySubsequences: false)
        guard let first = list.first, list.count > 1 else { return (url, []) }
        return (String(url[..<first.endIndex] + url[end...]), Array(list.dropFirst()))
    }

    private static func node(
        _ parts: URLComponents, _ form: RedisURLForm
    ) throws(RedisEndpointError) -> RedisNode {
        // The resolver expects an IPv6 address without its brackets.
        guard let host = parts.host.map(Self.withoutBrackets), !host.isEmpty else {
            throw .noHost
        }
        guard let port = UInt16(exactly: parts.port ?? Int(form.defaultPort)), port > 0 else {
            throw .invalidPort
        }
        return RedisNode(host: host, port: port)
    }

    private static func withoutBrackets(_ host: String) -> String {
        let isBracket = { (character: Character) in character == "[" || character == "]" }
        var name = host.drop(while: isBracket)
        while name.last.map(isBracket) == true { name.removeLast() }
        return String(name)
    }

    /// Returns the members of the query, each of which is known, has a value, and occurs once.
    private static func members(
        _ parts: URLComponents, of form: RedisURLForm
    ) throws(RedisEndpointError) -> [String: String] {
        var members: [String: String] = [:]
        for item in parts.queryItems ?? [] {
            guard form.members.contains(item.name) else { throw .unknownMember(form.members) }
            // A path ends at a zero byte.
            guard let value = item.value, !value.isEmpty, !value.utf8.contains(0) else {
                throw .emptyMember(item.name)
            }
            guard members.updateValue(value, forKey: item.name) == nil else {
                throw .repeatedMember(item.name)
            }
        }
        return members
    }

    /// Returns the name of the primary, empty without Sentinels, and the text of the database.
    private static func path(
        _ path: String, _ form: RedisURLForm
    ) throws(RedisEndpointError) -> (name: String, database: Substring) {
        guard form.hasSentinels else { return ("", path.dropFirst()) }
        let name = path.dropFirst().prefix { $0 != "/" }
        guard !name.isEmpty else { throw .noName }
        return (String(name), path.dropFirst(1 + name.count + 1))
    }

    private static func database(_ digits: Substring) throws(RedisEndpointError) -> Int {
        guard !digits.isEmpty else { return 0 }
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(digits),
            databases.contains(number)
        else { throw .invalidDatabase }
        return number
    }
}

extension RedisEndpoint: CustomStringConvertible {
    /// The URL without user, password and query, for logs.
    package var description: String {
        let scheme = tls == nil ? "redis" : "rediss"
        guard let sentinels else {
            return "\(scheme)://\(RedisNode(self))/\(database)"
        }
        let hosts = sentinels.nodes.map(\.description).joined(separator: ",")
        return "\(scheme)+sentinel://\(hosts)/\(sentinels.name)/\(database)"
    }
}

/// The TLS of connections: the server's certificate is always verified, and that of the client is
/// sent if there is one.
package struct RedisTLS: Hashable, Sendable {
    /// The file of the certificates to trust; `nil` for those of the system.
    package var ca: String?
    /// The file of the client's certificate and of those between it and a trusted one.
    package var certificate: String?
    /// The file of the client's private key.
    package var key: String?

    /// The members of a query that name the files.
    static let members = ["ca", "cert", "key"]

    package init() {}

    init(_ members: [String: String]) throws(RedisEndpointError) {
        ca = members["ca"]
        certificate = members["cert"]
        key = members["key"]
        guard (certificate == nil) == (key == nil) else { throw .certificateWithoutKey }
    }
}

/// The Sentinels of a server, and the name that it has there.
package struct RedisSentinels: Hashable, Sendable {
    /// The Sentinels, in the order in which they are asked.
    package let nodes: [RedisNode]
    /// The name of the primary and its replicas.
    package let name: String
    /// The user to authenticate as; `nil` for the default user of the Sentinels.
    package let user: String?
    package let password: String?

    package static let maxCount = 16
    package static let defaultPort: UInt16 = 26379
    /// The members of a query that have the credentials.
    static let members = ["sentinel-user", "sentinel-password"]

    init(
        _ nodes: [RedisNode], name: String, _ members: [String: String]
    ) throws(RedisEndpointError) {
        self.nodes = nodes
        self.name = name
        user = members["sentinel-user"]
        password = members["sentinel-password"]
        guard password != nil || user == nil else { throw .sentinelUserWithoutPassword }
    }
}

/// A form of the URL of a server, which its scheme selects.
private struct RedisURLForm {
    let hasTLS: Bool
    let hasSentinels: Bool

    init?(scheme: String) {
        guard RedisEndpoint.schemes.contains(scheme) else { return nil }
        hasTLS = scheme.hasPrefix("rediss")
        hasSentinels = scheme.hasSuffix("+sentinel")
    }

    var members: [String] {
        (hasTLS ? RedisTLS.members : []) + (hasSentinels ? RedisSentinels.members : [])
    }

    var defaultPort: UInt16 {
        hasSentinels ? RedisSentinels.defaultPort : RedisEndpoint.defaultPort
    }
}

extension RedisEndpoint {
    /// The schemes of URLs: without and with TLS, and the same for Sentinels.
    package static let schemes = ["redis", "rediss", "redis+sentinel", "rediss+sentinel"]
}

/// An error in the URL of a Redis server.
package enum RedisEndpointError: Error, Hashable, Sendable {
    case notAURL
    case unknownScheme(String)
    /// The URL has no host, or an empty one.
    case noHost
    case tooManyHosts
    case invalidPort
    case noName
    case invalidDatabase
    case userWithoutPassword
    case sentinelUserWithoutPassword
    /// The URL has a query or a fragment, which have no meaning here.
    case unknownParts
    /// The query has a member other than these.
    case unknownMember([String])
    /// A member of the query has no value, or one with a zero byte.
    case emptyMember(String)
    case repeatedMember(String)
    /// The query has only one of the client's certificate and its key.
    case certificateWithoutKey
}

extension RedisEndpointError: CustomStringConvertible {
    /// The error and its correction, in one sentence.
    package var description: String {
        switch self {
        case .notAURL: "is not a URL; write redis://host:port/database"
        case .unknownScheme(let scheme):
            "begins with \(scheme): instead of one of: "
                + RedisEndpoint.schemes.map { "\($0):" }.joined(separator: ", ")
        case .noHost: "has no host; write redis://host:port/database"
        case .tooManyHosts: "must have at most \(RedisSentinels.maxCount) hosts"
        case .invalidPort: "must have a port from 1 to 65535"
        case .noName:
            "has no name of a primary; write redis+sentinel://host,host/name, as in the "
                + "Sentinels' 'sentinel monitor name'"
        case .invalidDatabase: "must end in a database number from 0 to 65535"
        case .userWithoutPassword:
            "has a user and no password; write redis://user:password@host or redis://:password@host"
        case .sentinelUserWithoutPassword: "has sentinel-user and no sentinel-password"
        case .unknownParts: "has a query or a fragment, which have no meaning here"
        case .unknownMember(let known):
            "has a member in its query that is none of: \(known.joined(separator: ", "))"
        case .emptyMember(let name): "needs a value of \(name) in its query"
        case .repeatedMember(let name): "has \(name) more than once in its query"
        case .certificateWithoutKey: "needs both cert and key in its query, or neither"
        }
    }
}

/// The host and port of a server.
package struct RedisNode: Hashable, Sendable, CustomStringConvertible {
    var host: String
    var port: UInt16

    init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    init(_ endpoint: RedisEndpoint) { self.init(host: endpoint.host, port: endpoint.port) }

    /// The host and port, for logs; an IPv6 address in brackets (RFC 3986 §3.2.2).
    package var description: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }

    /// The reason why no connection was made to a port that no program listens on.
    private static let refusal = IOError.system(call: "connect", code: ECONNREFUSED).description

    /// Returns what to do about a reason why no connection was made; empty if it says so itself.
    func remedy(for reason: String, _ server: String = "the Redis server") -> String {
        reason == Self.refusal ? "; start \(server) there, or correct the address in --store" : ""
    }
}
