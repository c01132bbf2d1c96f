internal import Foundation

/// A `broadsheet serve` of the release build, on a free port.
struct MeasuredDaemon {
    private let process: ChildProcess
    private let surroundings: Surroundings
    /// Where it listens.
    let port: UInt16
    /// Seconds from its being started to its saying that it listens.
    let startTime: Double

    /// Starts it and waits until it listens.
    ///
    /// - Parameter store: Where it keeps screens, as `--store` says it.
    init(
        _ surroundings: Surroundings, store: String = "memory", _ options: [String] = []
    ) throws {
        self.surroundings = surroundings
        let start = ContinuousClock.now
        process = try ChildProcess(
            [surroundings.daemon, "serve", "--port", "0", "--store", store] + options,
            silent: true)
        port = try process.listeningPort()
        startTime = (ContinuousClock.now - start).seconds
    }

    /// Asks it to end, and waits until it has.
    func end() { process.end() }

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
        let folder = try ScratchFolder(surroundings)
        _ = try curl(
            "/v1/screens/\(screen)/pages/\(number)", "-X", "PUT", "-H",
            "Content-Type: application/json", "-H", "Prefer: return=minimal", "--data-binary",
            "@\(try folder.add("page.json", page))")
    }

    /// The body of what is at `path`.
    func body(of path: String) throws -> [UInt8] { try curl(path) }

    /// A field of the head of what is at `path`; nil when there is none of that name.
    func field(_ name: String, of path: String) throws -> String? {
        let head = String(decoding: try curl(path, "--head"), as: UTF8.self)
        let line = head.split(whereSeparator: \.isNewline).first { $0.hasPrefix("\(name): ") }
        return line.map { String($0.dropFirst(name.count + 2)) }
    }

    /// Seconds that a request for what is at `path` takes on a connection of its own.
    func seconds(toFetch path: String) throws -> Double {
        let printed = try curl(path, "-o", "/dev/null", "-w", "%{time_total}")
        guard let seconds = Double(String(decoding: printed, as: UTF8.self)) else {
            throw BenchmarkError("curl did not say how long \(path) took")
        }
        return seconds
    }

    /// What a metric without labels stands at.
    func metric(_ name: String) throws -> Double {
        let text = String(decoding: try curl("/metrics"), as: UTF8.self)
        let line = text.split(separator: "\n").first { $0.hasPrefix("\(name) ") }
        guard let value = line.flatMap({ Double($0.dropFirst(name.count + 1)) }) else {
            throw BenchmarkError("there is no metric \(name)")
        }
        return value
    }

    private func curl(_ path: String, _ options: String...) throws -> [UInt8] {
        try ChildProcess.output(
            of: ["curl", "-sS", "--fail"] + options + ["http://127.0.0.1:\(port)\(path)"])
    }
}
