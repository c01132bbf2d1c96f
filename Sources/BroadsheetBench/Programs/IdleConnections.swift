internal import Glibc

/// Connections that have had one answer each and now say nothing.
struct IdleConnections: ~Copyable {
    private var descriptors: [Int32] = []

    /// How many there are.
    var count: Int { descriptors.count }

    /// Opens `count` connections to a port of this machine.
    init(_ count: Int, to port: UInt16) throws {
        for _ in 0..<count { descriptors.append(try Self.connect(to: port)) }
    }

    deinit { for descriptor in descriptors { close(descriptor) } }

    /// As many as `wanted`, or as this process may have descriptors for, soft limit raised.
    static func possible(atMost wanted: Int) -> Int {
        let resource = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return min(wanted, 500) }
        limit.rlim_cur = limit.rlim_max
        setrlimit(resource, &limit)
        return min(wanted, Int(clamping: limit.rlim_cur) - 200)
    }

    private static func connect(to port: UInt16) throws -> Int32 {
        let descriptor = try Loopback.connect(to: port)
        let request = Array("GET /livez HTTP/1.1\r\nHost: bench\r\n\r\n".utf8)
        var answer = [UInt8](repeating: 0, count: 1_024)
        guard send(descriptor, request, request.count, 0) == request.count,
            recv(descriptor, &answer, answer.count, 0) > 0
        else {
            close(descriptor)
            throw BenchmarkError("a connection failed: errno \(errno)")
        }
        return descriptor
    }
}
