import Foundation
import Glibc
import Synchronization

/// Finds free ports for programs that cannot choose and print one themselves.
package enum FreePort {
    /// The number of ports to try when another process takes a port before the program does.
    package static let attempts = 5
    /// The ports that were returned, none of which is returned again: the program of one may be
    /// about to start, or to start again.
    private static let returned = Mutex<Set<UInt16>>([])

    /// Returns the first result of a closure that starts a program, or throws its last error.
    package static func attempt<Value>(
        _ count: Int = attempts, _ start: () throws -> Value
    ) throws -> Value {
        for _ in 1..<count {
            if let started = try? start() { return started }
        }
        return try start()
    }

    /// Returns a free port of the loopback interface.
    ///
    /// The port is below the kernel's ephemeral range: a local end of a connection could otherwise
    /// take it before the program does, or between the program's end and its restart.
    package static func any() throws -> UInt16 {
        let range = 10_000..<max(12_000, firstEphemeralPort())
        for _ in 0..<100 {
            let port = UInt16.random(in: range)
            if isFree(port), returned.withLock({ $0.insert(port).inserted }) { return port }
        }
        throw NoPort(range: range)
    }

    /// No port of a range is free.
    package struct NoPort: Error {
        let range: Range<UInt16>
    }

    private static func isFree(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func firstEphemeralPort() -> UInt16 {
        let path = "/proc/sys/net/ipv4/ip_local_port_range"
        let range = try? String(contentsOfFile: path, encoding: .utf8)
        return range?.split(whereSeparator: \.isWhitespace).first.flatMap { UInt16($0) } ?? 32_768
    }
}
