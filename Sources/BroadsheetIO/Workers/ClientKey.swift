/// The identity of a client, for fair turns and fair parts of limits (docs/operations.md,
/// "Expensive requests").
package enum ClientKey: Sendable, Hashable {
    /// A client without a name, by its address.
    case address(IPAddress)
    case name(String)
    /// One of the clients that share a key which many have, by its address.
    case member(ofKey: String, IPAddress)
    /// A reader, by the issuer of its token.
    case reader(ofIssuer: String, String)

    /// The number of bits of an IPv6 address that identify a client.
    ///
    /// A client usually has a whole /64 and could use another address for each request (RFC 4291
    /// §2.5.4).
    private static let prefixLength = 64

    /// The client that the current task works for; `nil` for work of the daemon itself.
    @TaskLocal package static var current: ClientKey?

    /// `key` is the name of the key that the client shares with others.
    package init(_ address: IPAddress, sharing key: String? = nil) {
        let address = address.isIPv4 ? address : address.prefix(Self.prefixLength)
        self = key.map { .member(ofKey: $0, address) } ?? .address(address)
    }

    /// The client, or the key that it shares with others, or its issuer: what has a turn among all.
    package var owner: ClientKey {
        switch self {
        case .member(let name, _), .reader(let name, _): .name(name)
        case .address, .name: self
        }
    }

    /// A Boolean value that indicates whether others share the key or the issuer of the client.
    package var isMember: Bool { self != owner }
}

/// The numbers of places of a limit that clients have taken.
///
/// The clients of one key that many share leave a part of each limit to others.
package struct ClientShares: Sendable {
    private let limit: Int
    private var counts: [ClientKey: Int] = [:]

    package init(of limit: Int) { self.limit = limit }

    /// Returns the maximum number of places of one client of a shared key: a quarter.
    package static func perClient(of limit: Int) -> Int { max(1, limit / 4) }

    /// Returns the maximum number of places of all clients of a shared key: three quarters.
    package static func perKey(of limit: Int) -> Int { max(1, limit - limit / 4) }

    /// Takes a place for a client; a client whose key is its own may take all.
    ///
    /// - Returns: `false` if the client, or its key, has no further place.
    package mutating func take(for client: ClientKey) -> Bool {
        guard client.isMember else { return true }
        guard counts[client, default: 0] < Self.perClient(of: limit),
            counts[client.owner, default: 0] < Self.perKey(of: limit)
        else { return false }
        counts[client, default: 0] += 1
        counts[client.owner, default: 0] += 1
        return true
    }

    package mutating func giveBack(of client: ClientKey) {
        guard client.isMember else { return }
        for key in [client, client.owner] {
            counts[key, default: 1] -= 1
            if counts[key] == 0 { counts[key] = nil }
        }
    }
}

/// The order in which clients have turns: in rotation, and those that share a key in rotation
/// within the turn of the key.
package struct ClientTurns: Sendable {
    private var owners = FIFO<ClientKey>()
    /// The clients of each owner in the order; an owner without any has no entry.
    private var clients: [ClientKey: FIFO<ClientKey>] = [:]
    package private(set) var count = 0

    package init() {}

    var first: ClientKey? { owners.first.flatMap { clients[$0]?.first } }

    /// Adds a client that is not in the order behind all others of its owner.
    package mutating func append(_ client: ClientKey) {
        count += 1
        let owner = client.owner
        if clients[owner] == nil { owners.append(owner) }
        clients[owner, default: FIFO()].append(client)
    }

    /// Removes and returns the client whose turn is next; its owner goes behind all others.
    package mutating func popFirst() -> ClientKey? {
        guard let owner = owners.popFirst(), let client = clients[owner]?.popFirst() else {
            return nil
        }
        count -= 1
        if clients[owner]?.isEmpty == true {
            clients[owner] = nil
        } else {
            owners.append(owner)
        }
        return client
    }
}

extension TaskLocal {
    package func binding<Result: Sendable, Failure: Error>(
        _ value: Value, _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let result: Swift.Result<Result, Failure> = await withValue(value) {
            do throws(Failure) {
                return .success(try await body())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
