import Glibc

/// How many descriptors this process may hold.
enum OpenFileLimit {
    /// Raises the soft limit as far as the hard one allows, and returns it.
    @discardableResult
    static func raise() throws -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit) == 0 else {
            throw HarnessError("no limit of open files: errno \(errno)")
        }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit)
        return Int(clamping: limit.rlim_cur)
    }
}
