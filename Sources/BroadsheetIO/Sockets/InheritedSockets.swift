import Glibc

/// The listening sockets that the program which started this process has passed to it, as systemd
/// does for a socket unit (sd_listen_fds(3)).
package struct InheritedSockets: Hashable, Sendable {
    /// The descriptor of the first socket; the others follow it.
    package static let firstDescriptor: Int32 = 3
    package static let maxCount = 16

    package let descriptors: [Int32]

    /// A Boolean value that indicates whether only this machine can reach all of the addresses.
    package let areLoopback: Bool

    /// Creates the sockets that the environment names; `nil` if it names none of this process.
    ///
    /// - Throws: ``InheritedSocketsError`` for an invalid number, and for descriptors that are not
    ///   listening TCP sockets.
    package init?(
        in environment: [String: String], of process: Int32
    ) throws(InheritedSocketsError) {
        guard let count = try Self.count(in: environment, of: process) else { return nil }
        try self.init((0..<Int32(count)).map { Self.firstDescriptor + $0 })
    }

    init(_ descriptors: [Int32]) throws(InheritedSocketsError) {
        var areLoopback = true
        for number in descriptors {
            guard let address = Self.address(ofListener: number) else {
                throw .notListening(descriptor: number)
            }
            areLoopback = areLoopback && address.isLoopback
        }
        self.descriptors = descriptors
        self.areLoopback = areLoopback
    }

    static func count(
        in environment: [String: String], of process: Int32
    ) throws(InheritedSocketsError) -> Int? {
        guard let name = environment["LISTEN_PID"] else { return nil }
        guard let owner = Int32(name), owner > 0 else { throw .invalidProcess(name) }
        // Those of another process are in the variables that it has passed on.
        guard owner == process else { return nil }
        let text = environment["LISTEN_FDS"] ?? ""
        guard let count = Int(text), 1...maxCount ~= count else { throw .invalidCount(text) }
        return count
    }

    /// Removes the variables, so that no child of this process takes the sockets for its own.
    package static func forgetVariables() {
        for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
    }

    private static func address(ofListener number: Int32) -> SocketAddress? {
        guard option(SO_ACCEPTCONN, of: number) == 1,
            option(SO_PROTOCOL, of: number) == Int32(IPPROTO_TCP),
            let address = try? SocketAddress(ofSocket: number),
            [AF_INET, AF_INET6].contains(address.family)
        else { return nil }
        return address
    }

    private static func option(_ name: Int32, of number: Int32) -> Int32? {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(number, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
    }
}

package enum InheritedSocketsError: Error, Hashable, Sendable {
    case invalidProcess(String)
    /// `LISTEN_FDS` is not a number from 1 to ``InheritedSockets/maxCount``.
    case invalidCount(String)
    case notListening(descriptor: Int32)
}

extension InheritedSocketsError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalidProcess(let text):
            "LISTEN_PID is '\(text)', which is not the number of a process"
        case .invalidCount(let text):
            "LISTEN_FDS is '\(text)'; it must be a number from 1 to \(InheritedSockets.maxCount)"
        case .notListening(let descriptor):
            "LISTEN_FDS: descriptor \(descriptor) is not a listening TCP socket"
        }
    }
}
