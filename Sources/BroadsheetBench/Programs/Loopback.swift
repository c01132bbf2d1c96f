internal import Glibc

/// TCP on this machine, as far as benchmarks need it themselves.
enum Loopback {
    /// A connected socket, which is the caller's to close.
    static func connect(to port: UInt16) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard withAddress(port, { Glibc.connect(descriptor, $0, $1) }) == 0 else {
            let code = errno
            close(descriptor)
            throw BenchmarkError("nothing can be reached on port \(port): errno \(code)")
        }
        return descriptor
    }

    /// A port that nobody listens on: for programs that cannot choose one themselves.
    static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var bound = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let named = withAddress(0) { bind(descriptor, $0, $1) }
        let asked = withUnsafeMutablePointer(to: &bound) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(descriptor, $0, &size)
            }
        }
        guard named == 0, asked == 0 else { throw BenchmarkError("no port is free") }
        return UInt16(bigEndian: bound.sin_port)
    }

    /// Returns once somebody takes connections on `port`.
    static func awaitListener(on port: UInt16) throws {
        let deadline = ContinuousClock.now + .seconds(10)
        while true {
            do {
                close(try connect(to: port))
                return
            } catch {
                guard ContinuousClock.now < deadline else { throw error }
                usleep(1000)
            }
        }
    }

    private static func withAddress(
        _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
