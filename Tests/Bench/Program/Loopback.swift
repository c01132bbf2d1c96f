import Glibc

/// TCP connections on the loopback interface.
enum Loopback {
    /// Returns the descriptor of a connected socket, which the caller has to close.
    static func connect(to port: UInt16) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard withAddress(port, { Glibc.connect(descriptor, $0, $1) }) == 0 else {
            let code = errno
            close(descriptor)
            throw BenchmarkError("cannot connect to port \(port): errno \(code)")
        }
        return descriptor
    }

    /// Returns a free port, for programs that cannot choose one themselves.
    static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var bound = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let named = withAddress(0) { bind(descriptor, $0, $1) }
        let read = withUnsafeMutablePointer(to: &bound) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(descriptor, $0, &size)
            }
        }
        guard named == 0, read == 0 else { throw BenchmarkError("no port is free") }
        return UInt16(bigEndian: bound.sin_port)
    }

    /// Returns as soon as a program accepts connections on a port.
    ///
    /// - Throws: `BenchmarkError` when none does within 10 seconds.
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
