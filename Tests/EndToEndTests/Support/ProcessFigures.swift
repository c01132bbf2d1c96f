import Foundation
import Glibc

/// The resources that a process uses, as `/proc` lists them.
struct ProcessFigures {
    /// The resident memory, in bytes.
    let residentBytes: Int
    /// The processor time used so far, in user and kernel mode.
    let processorTime: Duration
    /// The number of open file descriptors.
    let openFiles: Int

    /// Reads the figures of a running process.
    init(of identifier: Int32) throws {
        let folder = "/proc/\(identifier)"
        let status = try String(contentsOfFile: "\(folder)/status", encoding: .utf8)
        guard
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }),
            let kilobytes = line.split(whereSeparator: { " \t".contains($0) }).dropFirst().first,
            let resident = Int(kilobytes)
        else { throw HarnessError("no resident memory in \(folder)/status") }
        residentBytes = resident * 1_024

        // The command's name, in parentheses, may contain spaces: fields are counted from its end.
        let stat = try String(contentsOfFile: "\(folder)/stat", encoding: .utf8)
        let fields = stat.suffix(from: stat.lastIndex(of: ")") ?? stat.startIndex).split(
            separator: " ")
        guard fields.count > 13, let user = Int(fields[12]), let system = Int(fields[13]) else {
            throw HarnessError("no processor time in \(folder)/stat")
        }
        processorTime = .milliseconds((user + system) * 10)  // ticks of USER_HZ, 100 a second
        openFiles = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/fd").count
    }
}

/// The limit of file descriptors of this process.
enum OpenFileLimit {
    /// Raises the soft limit to the hard limit, and returns it.
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
