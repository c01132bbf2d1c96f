import Glibc

/// The memory that the system lets the process use.
package enum SystemMemory {
    /// Returns the bytes of the machine's memory, or of the control group's limit if lower.
    package static func limit(
        machine: Int = machineBytes,
        read: (_ path: String) -> String? = { SystemMemory.text(of: $0) }
    ) -> Int {
        let groups = (read("/proc/self/cgroup") ?? "").split(separator: "\n")
        return groups.flatMap { limits(of: $0, read) }.reduce(machine, min)
    }

    /// The bytes of the machine's memory; a gigabyte if the system does not say.
    package static var machineBytes: Int {
        let (pages, size) = (sysconf(Int32(_SC_PHYS_PAGES)), sysconf(Int32(_SC_PAGESIZE)))
        let (bytes, overflow) = pages.multipliedReportingOverflow(by: size)
        return pages > 0 && size > 0 && !overflow ? bytes : 1 << 30
    }

    /// Returns the size of this process in memory, in bytes; 0 if the system does not say.
    package static func residentBytes(
        read: (_ path: String) -> String? = { SystemMemory.text(of: $0) }
    ) -> Int {
        // proc_pid_statm(5): the second number is that of the resident pages.
        let fields = (read("/proc/self/statm") ?? "").split(separator: " ")
        let pages = fields.count > 1 ? Int(fields[1]) ?? 0 : 0
        return pages.multipliedReportingOverflow(by: sysconf(Int32(_SC_PAGESIZE))).partialValue
    }

    /// Returns the limits of a line of `/proc/self/cgroup` (cgroups(7)): `0::PATH` for version 2,
    /// `ID:CONTROLLERS:PATH` for version 1.
    ///
    /// A group is also subject to the limits of those above it. In a container the path may be that
    /// on the host, so the root of the file system is read as well.
    private static func limits(of line: Substring, _ read: (String) -> String?) -> [Int] {
        let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return [] }
        let root: String
        let file: String
        if parts[1].isEmpty {
            (root, file) = ("/sys/fs/cgroup", "memory.max")
        } else if parts[1].split(separator: ",").contains("memory") {
            (root, file) = ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
        } else {
            return []
        }
        var names = parts[2].split(separator: "/")
        var limits: [Int] = []
        while true {
            let path = ([root] + names.map(String.init) + [file]).joined(separator: "/")
            // "max", and in version 1 a number above any machine's memory, does not limit.
            let digits = read(path)?.prefix { $0.isNumber } ?? ""
            if let limit = Int(digits), limit > 0 { limits.append(limit) }
            guard names.popLast() != nil else { return limits }
        }
    }

    /// Returns the first 4 KiB of a file.
    package static func text(of path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
            count = max(0, Glibc.read(descriptor, buffer.baseAddress, buffer.count))
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
