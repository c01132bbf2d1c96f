import Glibc

package struct SocketAddress: Sendable {
    private var storage: sockaddr_storage
    private var length: socklen_t

    /// Resolves `host`, a literal of either family or a name, to its first address.
    ///
    /// Blocks while the resolver works: for startup, never for a loop's thread.
    ///
    /// - Parameters:
    ///   - host: For example `127.0.0.1`, `::1` or `localhost`.
    ///   - port: The port; with 0 the kernel chooses one when the address is bound.
    /// - Throws: ``IOError/unresolvableHost(_:reason:)``.
    package init(host: String, port: UInt16) throws(IOError) {
        guard let first = try Self.all(ofHost: host, port: port).first else {
            throw .unresolvableHost(host, reason: "it has no address")
        }
        self = first
    }

    /// Resolves `host` to all its addresses, in the order in which to try them.
    ///
    /// Blocks while the resolver works: never for a loop's thread.
    ///
    /// - Throws: ``IOError/unresolvableHost(_:reason:)``.
    package static func all(
        ofHost host: String, port: UInt16
    ) throws(IOError) -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        var addresses: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &addresses)
        defer { if let addresses { freeaddrinfo(addresses) } }
        guard code == 0 else {
            throw .unresolvableHost(host, reason: String(cString: gai_strerror(code)))
        }
        return sequence(first: addresses, next: { $0?.pointee.ai_next }).compactMap { entry in
            guard let entry = entry?.pointee, let address = entry.ai_addr else { return nil }
            return SocketAddress(copying: address, length: entry.ai_addrlen)
        }
    }

    /// Creates the address that `socket` is bound to; throws if it is not a socket.
    package init(of socket: borrowing FileDescriptor) throws(IOError) {
        try self.init(ofSocket: socket.number)
    }

    /// Creates the address that the socket is bound to; throws for another descriptor.
    init(ofSocket number: Int32) throws(IOError) {
        storage = sockaddr_storage()
        length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(number, $0, &length)
            }
        }
        try IOError.check(Syscalls.result(Int(result)), "getsockname")
    }

    private init(copying address: UnsafePointer<sockaddr>, length: socklen_t) {
        storage = sockaddr_storage()
        self.length = min(length, socklen_t(MemoryLayout<sockaddr_storage>.size))
        let count = Int(self.length)
        withUnsafeMutableBytes(of: &storage) {
            $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: count))
        }
    }

    /// `AF_INET` or `AF_INET6`.
    var family: Int32 { Int32(storage.ss_family) }

    /// A Boolean value that indicates whether only this machine can reach the address: 127.0.0.0/8
    /// (RFC 1122 §3.2.1.3), also in its IPv6 form, or ::1 (RFC 4291 §2.5.3).
    package var isLoopback: Bool {
        withUnsafeBytes(of: storage) { bytes in
            // sin_addr is at the offset 4, and sin6_addr at 8.
            if family == AF_INET { return bytes[4] == 127 }
            guard family == AF_INET6 else { return false }
            let address = bytes[8..<24]
            let isMapped =
                address.prefix(10).allSatisfy { $0 == 0 }
                && address.dropFirst(10).prefix(2).allSatisfy { $0 == 0xFF }
            return address.elementsEqual([UInt8](repeating: 0, count: 15) + [1])
                || isMapped && address[20] == 127
        }
    }

    /// The port; 0 when the kernel has not chosen one yet.
    package var port: UInt16 {
        withUnsafeBytes(of: storage) { bytes in
            // sin_port and sin6_port have the same offset, directly after the family.
            UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
        }
    }

    func withSockaddr<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}

extension SocketAddress: CustomStringConvertible {
    /// The address in the form of a URL's authority: `127.0.0.1:8080`, `[::1]:8080`.
    package var description: String {
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let code = withSockaddr { address, length in
            getnameinfo(
                address, length, &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST)
        }
        guard code == 0 else { return "?:\(port)" }
        let text = String(
            decoding: host.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return family == AF_INET6 ? "[\(text)]:\(port)" : "\(text):\(port)"
    }
}
