import Glibc

/// The resources of the system that this process uses.
package enum ProcessUse {
    /// The time of all processors that the process has used, in seconds.
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

    /// Returns the time at which the process was started.
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
