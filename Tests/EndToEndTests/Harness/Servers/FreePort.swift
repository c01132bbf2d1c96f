import Foundation
import Glibc

/// Ports for programs that cannot be told to take a free one and say which.
enum FreePort {
    /// How often such a program is started with another port because somebody was quicker.
    static let attempts = 5

    /// A port of the loopback interface that nobody has.
    ///
    /// From below those that the kernel gives to whoever asks for any: a connection's own end might
    /// have one of them by the time the program takes it, or between a program's end and its restart.
    static func any() throws -> UInt16 {
        let range = 10_000..<max(12_000, firstOfTheKernels())
        for _ in 0..<100 {
            let port = UInt16.random(in: range)
            if isFree(port) { return port }
        }
        throw HarnessError("no port of \(range) is free")
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

    private static func firstOfTheKernels() -> UInt16 {
        let path = "/proc/sys/net/ipv4/ip_local_port_range"
        let range = try? String(contentsOfFile: path, encoding: .utf8)
        return range?.split(whereSeparator: \.isWhitespace).first.flatMap { UInt16($0) } ?? 32_768
    }
}
