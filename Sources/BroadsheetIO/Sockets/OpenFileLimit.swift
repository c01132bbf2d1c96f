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
        let resource = Int32(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return 0 }
        let before = limit.rlim_cur
        limit.rlim_cur = max(before, min(rlim_t(max(0, wanted)), limit.rlim_max))
        let result = setrlimit(resource, &limit)
        return Int(clamping: result == 0 ? limit.rlim_cur : before)
    }
}
