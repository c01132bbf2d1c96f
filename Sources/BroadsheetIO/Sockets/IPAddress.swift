import Glibc

/// An IPv4 or IPv6 address without a port.
///
/// An IPv4 address is kept in its IPv4-mapped form (RFC 4291 §2.5.5.2), so that a client has one
/// address, whichever family the listening socket has.
package struct IPAddress: Sendable, Hashable {
    private let high: UInt64
    private let low: UInt64

    /// The first 96 bits of every IPv4-mapped address, as the upper half of ``low``.
    private static let mappedPrefix: UInt64 = 0xFFFF << 32

    /// The address of a peer that is not known: `::`.
    package static let unspecified = IPAddress(high: 0, low: 0)

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Parses a literal: `192.0.2.1` or `2001:db8::1`, without a port, a zone or brackets.
    package init?(_ text: some StringProtocol) {
        // C strings end at the first zero byte, which no literal has.
        guard !text.utf8.contains(0) else { return nil }
        var four = in_addr()
        if inet_pton(AF_INET, String(text), &four) == 1 {
            self.init(four)
            return
        }
        var six = in6_addr()
        guard inet_pton(AF_INET6, String(text), &six) == 1 else { return nil }
        self.init(six)
    }

    /// Creates the address of the peer that a socket is connected to; `nil` for a socket that is
    /// not connected any more.
    init?(peerOf socket: Int32) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getpeername(socket, $0, &length)
            }
        }
        guard result == 0 else { return nil }
        let address: IPAddress? = withUnsafePointer(to: storage) { pointer in
            switch Int32(pointer.pointee.ss_family) {
            case AF_INET:
                pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    IPAddress($0.pointee.sin_addr)
                }
            case AF_INET6:
                pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                    IPAddress($0.pointee.sin6_addr)
                }
            default: nil
            }
        }
        guard let address else { return nil }
        self = address
    }

    private init(_ address: in_addr) {
        self.init(high: 0, low: Self.mappedPrefix | UInt64(UInt32(bigEndian: address.s_addr)))
    }

    private init(_ address: in6_addr) {
        (high, low) = withUnsafeBytes(of: address) { bytes in
            (
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }

    package var isIPv4: Bool { high == 0 && low >> 32 == Self.mappedPrefix >> 32 }

    /// The address as a literal (RFC 5952).
    package var literal: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
            let size = socklen_t(text.count)
            var four = in_addr(s_addr: UInt32(truncatingIfNeeded: low).bigEndian)
            var six = (high.bigEndian, low.bigEndian)
            guard let start = text.baseAddress,
                isIPv4
                    ? inet_ntop(AF_INET, &four, start, size) != nil
                    : inet_ntop(AF_INET6, &six, start, size) != nil
            else { return "" }
            return String(cString: start)
        }
    }

    /// Returns the address with all bits after the first `count` ones cleared.
    ///
    /// - Parameter count: 0 to 128, counted in the IPv6 form.
    package func prefix(_ count: Int) -> IPAddress {
        // A shift by 64 or more gives 0.
        IPAddress(
            high: high & (.max << UInt64(64 - min(count, 64))),
            low: low & (.max << UInt64(128 - max(count, 64))))
    }
}

/// A range of addresses, in CIDR notation (RFC 4632 §3.1): `10.0.0.0/8`, `2001:db8::/32`, or one
/// address.
package struct AddressRange: Sendable, Hashable {
    private let first: IPAddress
    /// The number of bits that the addresses have in common, in the IPv6 form.
    private let prefixLength: Int

    /// Parses a range; `nil` unless all bits of the address after the prefix are 0.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first.flatMap({ IPAddress($0) }) else { return nil }
        let width = address.isIPv4 && !parts[0].contains(":") ? 32 : 128
        var length = width
        if parts.count == 2 {
            guard let number = Self.number(parts[1]), number <= width else { return nil }
            length = number
        }
        first = address
        prefixLength = 128 - width + length
        guard first.prefix(prefixLength) == first else { return nil }
    }

    package func contains(_ address: IPAddress) -> Bool {
        address.prefix(prefixLength) == first
    }

    /// Reads one to three decimal digits without a leading zero.
    private static func number(_ text: some StringProtocol) -> Int? {
        guard (1...3).contains(text.utf8.count), text == "0" || text.first != "0",
            text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
        else { return nil }
        return Int(text)
    }
}
