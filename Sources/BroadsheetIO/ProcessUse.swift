import CEpoll
import Glibc

/// The resources of the system that this process uses.
package enum ProcessUse {
    package static var cpuSeconds: Double { clock(CLOCK_PROCESS_CPUTIME_ID) }

    /// The number of open descriptors; 0 if the system does not say.
    ///
    /// - Complexity: O(1) since Linux 6.2, which has the number as the size of the folder.
    package static var openDescriptors: Int {
        let path = "/proc/self/fd"
        var status = stat()
        if stat(path, &status) == 0, status.st_size > 0 { return Int(status.st_size) }
        guard let folder = opendir(path) else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // ".", "..", and the folder itself.
        return max(0, count - 3)
    }

    /// Returns the size of the process in virtual memory, in bytes; 0 if the system does not say.
    package static func virtualBytes(
        read: (_ path: String) -> String? = { SystemMemory.text(of: $0) }
    ) -> Int {
        let pages = (read("/proc/self/statm") ?? "").prefix { $0 != " " }
        let size = sysconf(Int32(_SC_PAGESIZE))
        return (Int(pages) ?? 0).multipliedReportingOverflow(by: size).partialValue
    }

    /// The time at which the process was started, in seconds since 1970; 0 if the system does not
    /// say.
    package static let startSeconds = startSeconds()

    static func startSeconds(
        read: (_ path: String) -> String? = { SystemMemory.text(of: $0) }
    ) -> Double {
        // proc_pid_stat(5): field 22 is the start in ticks since the machine's, and the second one,
        // the name of the program, may have blanks and parentheses.
        guard let stat = read("/proc/self/stat"), let end = stat.lastIndex(of: ")") else {
            return 0
        }
        let fields = stat[end...].split(separator: " ")
        let ticksPerSecond = Double(sysconf(Int32(_SC_CLK_TCK)))
        guard fields.count > 20, let ticks = Double(fields[20]), ticksPerSecond > 0 else {
            return 0
        }
        return clock(CLOCK_REALTIME) - clock(CLOCK_BOOTTIME) + ticks / ticksPerSecond
    }

    private static func clock(_ id: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(id, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// The number of descriptors that the process may have open (`RLIMIT_NOFILE`).
package enum OpenFileLimit {
    /// The limit in effect; 0 if the system does not say.
    package static var current: Int {
        var limit = rlimit()
        guard getrlimit(Int32(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        return Int(clamping: limit.rlim_cur)
    }

    /// Raises the soft limit to `wanted`, or as near as the hard limit allows; never lowers it.
    ///
    /// Many systems start a process with 1024, which is fewer than the connections it may serve.
    ///
    /// - Returns: The limit in effect afterwards.
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

/// Settings of glibc's allocator that limit the unused memory of a long-running daemon.
package enum AllocatorTuning {
    /// The size from which each block is mapped separately: 1 MiB.
    ///
    /// A page of usual size and its tree are below it, in heaps whose memory is reused; with
    /// glibc's initial 128 KiB each response mapped its tree, faulted its memory in and unmapped it
    /// again, which took half of the kernel's time for a request.
    package static let mapThreshold: Int32 = 1024 * 1024

    /// The number of free bytes at its end that a heap keeps before it returns them: 4 MiB, one or
    /// two responses of usual size.
    package static let trimThreshold: Int32 = 4 * 1024 * 1024

    /// Applies the settings; called once, before the first thread starts.
    ///
    /// Large pages and trees are blocks that are allocated and freed often. glibc raises its
    /// threshold for mapping blocks separately whenever a mapped one is freed, up to 32 MiB, and
    /// from then on keeps freed pages in its heap; a threshold that is set stays, so their memory
    /// returns to the system. It also gives each thread a heap, up to eight a core, each with
    /// unused memory; the daemon has few threads, so two heaps a loop and one a worker are enough.
    ///
    /// - Parameters:
    ///   - loops: The number of event loops that the daemon runs.
    ///   - workers: The number of its worker threads.
    package static func apply(loops: Int, workers: Int) {
        // 0 means that a setting was rejected; the daemon then only takes more memory.
        _ = mallopt(M_MMAP_THRESHOLD, mapThreshold)
        _ = mallopt(M_TRIM_THRESHOLD, trimThreshold)
        _ = mallopt(M_ARENA_MAX, Int32(clamping: max(1, loops) &* 2 &+ workers))
    }
}
