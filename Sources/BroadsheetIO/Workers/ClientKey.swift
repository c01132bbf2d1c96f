/// The identity of a client, for fair turns.
package enum ClientKey: Sendable, Hashable {
    /// A client without a name, by its address.
    case address(IPAddress)
    /// A client by the name of its key.
    case name(String)

    /// The number of bits of an IPv6 address that identify a client.
    ///
    /// A client usually has a whole /64 and could use another address for each request (RFC 4291
    /// §2.5.4).
    private static let prefixLength = 64

    /// Creates the key of the client at an address.
    package init(_ address: IPAddress) {
        self = .address(address.isIPv4 ? address : address.prefix(Self.prefixLength))
    }
}
