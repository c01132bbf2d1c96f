internal import Foundation

/// Where a server of the Redis protocol is, and who we are to it.
package struct RedisEndpoint: Hashable, Sendable {
    /// The server's name or address.
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

    /// Reads `redis://[[user]:password@]host[:port][/db]`; nil when it is none.
    ///
    /// User and password are percent-decoded; port 6379 and database 0 are the defaults.
    package init?(url: String) {
        guard let parts = URLComponents(string: url), parts.scheme == "redis",
            let host = parts.host, !host.isEmpty, parts.query == nil, parts.fragment == nil,
            let port = UInt16(exactly: parts.port ?? Int(Self.defaultPort))
        else { return nil }
        let path = parts.path.drop { $0 == "/" }
        guard let database = path.isEmpty ? 0 : Int(path), (0...0xFFFF).contains(database) else {
            return nil
        }
        // An IPv6 literal stands in brackets, which the resolver does not take.
        self.host = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        self.port = port
        user = parts.user.flatMap { $0.isEmpty ? nil : $0 }
        password = parts.password
        self.database = database
    }

    /// The endpoint without its password: what a log may show.
    package var description: String { "redis://\(host):\(port)/\(database)" }
}
