internal import Foundation

/// A `broadsheet serve` of the release build, on a free port, its screens in memory.
struct MeasuredDaemon {
    private let process: ChildProcess
    /// Where it listens.
    let port: UInt16

    /// Starts it and waits until it listens.
    init(_ surroundings: Surroundings, _ options: [String] = []) throws {
        process = try ChildProcess(
            [surroundings.daemon, "serve", "--port", "0", "--store", "memory"] + options,
            silent: true)
        port = try process.listeningPort()
    }

    /// Resident memory in bytes.
    func residentBytes() throws -> Int {
        let path = "/proc/\(process.identifier)/status"
        let status = try String(contentsOfFile: path, encoding: .utf8)
        guard
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }),
            let kilobytes = line.split(separator: " ").compactMap({ Int($0) }).first
        else { throw BenchmarkError("no resident memory in \(path)") }
        return kilobytes * 1_024
    }

    /// Stores a page without asking for its tree.
    func store(_ page: [UInt8], as number: Int, of screen: String) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "page-\(UUID()).json")
        try Data(page).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        _ = try ChildProcess.output(of: [
            "curl", "-sS", "--fail", "-X", "PUT", "-H", "Content-Type: application/json", "-H",
            "Prefer: return=minimal", "--data-binary", "@\(file.path)",
            "http://127.0.0.1:\(port)/v1/screens/\(screen)/pages/\(number)",
        ])
    }
}
