import Glibc

/// How many descriptors the process may have open (`RLIMIT_NOFILE`).
package enum OpenFileLimit {
    /// Raises the soft limit to `wanted`, or as near as the hard limit allows; never lowers it.
    ///
    /// Many systems start a process with 1024, which is fewer than the connections it may serve.
    ///
    /// - Returns: The limit that now holds.
    @discardableResult
    package static func raise(to wanted: Int) -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit) == 0 else {
            return 0
        }
        let target = min(rlim_t(max(0, wanted)), limit.rlim_max)
        guard target > limit.rlim_cur else { return Int(clamping: limit.rlim_cur) }
        let before = limit.rlim_cur
        limit.rlim_cur = target
        let result = setrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit)
        return Int(clamping: result == 0 ? target : before)
    }
}
