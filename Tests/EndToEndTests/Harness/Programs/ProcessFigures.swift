import Foundation

/// What the kernel says about a process, from /proc.
struct ProcessFigures {
    /// Resident memory in bytes.
    let residentBytes: Int
    /// Processor time used so far, in user and kernel mode.
    let processorTime: Duration
    /// Open file descriptors.
    let openFiles: Int

    /// The figures of a process that is running now.
    init(of identifier: Int32) throws {
        let folder = "/proc/\(identifier)"
        let status = try String(contentsOfFile: "\(folder)/status", encoding: .utf8)
        guard
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }),
            let kilobytes = line.split(whereSeparator: { " \t".contains($0) }).dropFirst().first,
            let resident = Int(kilobytes)
        else { throw HarnessError("no resident memory in \(folder)/status") }
        residentBytes = resident * 1_024

        // The command's name, in parentheses, may hold blanks: count the fields behind it.
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
