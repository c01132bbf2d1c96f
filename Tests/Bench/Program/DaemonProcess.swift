import Foundation

/// A running `broadsheet serve` of the same build, on a free port.
struct DaemonProcess {
    private let process: ChildProcess
    private let context: BenchmarkContext
    /// The field that requests have besides the usual ones, such as that of a key.
    private let field: String?
    /// The port.
    let port: UInt16
    /// The time from the start of the process to the line that names its port, in seconds.
    let startTime: Double

    /// Starts the daemon, and waits until it listens.
    ///
    /// - Parameters:
    ///   - store: The value of `--store`.
    ///   - log: The file of the log.
    ///   - options: Further arguments.
    ///   - field: A field that requests have besides the usual ones.
    init(
        _ context: BenchmarkContext, store: String = "memory", log: String = "/dev/null",
        _ options: [String] = [], field: String? = nil
    ) throws {
        self.context = context
        self.field = field
        let start = ContinuousClock.now
        process = try ChildProcess(
            [context.daemon, "serve", "--port", "0", "--store", store] + options,
            errors: log)
        port = try process.listeningPort()
        startTime = start.secondsToNow
    }

    /// Terminates the daemon, and waits until it has ended.
    func end() { process.end() }

    /// Returns the resident memory, in bytes.
    func residentBytes() throws -> Int {
        let path = "/proc/\(process.identifier)/status"
        let status = try String(contentsOfFile: path, encoding: .utf8)
        guard
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }),
            let kilobytes = line.split(separator: " ").compactMap({ Int($0) }).first
        else { throw BenchmarkError("no resident memory in \(path)") }
        return kilobytes * 1_024
    }

    /// Stores a page; the response has no tree.
    func store(_ page: [UInt8], as number: Int, of screen: String) throws {
        let folder = try ScratchFolder(context)
        _ = try curl(
            "/v1/screens/\(screen)/pages/\(number)", "-X", "PUT", "-H",
            "Content-Type: application/json", "-H", "Prefer: return=minimal", "--data-binary",
            "@\(try folder.add("page.json", page))")
    }

    /// Stores pages from number 0 on; the responses have no trees.
    func store(_ pages: [[UInt8]], of screen: String) throws {
        let folder = try ScratchFolder(context)
        let requests = try pages.enumerated().map { number, page in
            """
            url = "http://127.0.0.1:\(port)/v1/screens/\(screen)/pages/\(number)"
            upload-file = "\(try folder.add("\(number).json", page))"
            header = "Content-Type: application/json"
            header = "Prefer: return=minimal"
            fail

            """
        }
        let file = try folder.add("requests", Array(requests.joined(separator: "next\n").utf8))
        _ = try ChildProcess.output(of: ["curl", "-sS", "--fail-early", "-K", file])
    }

    /// Returns the body of the response to a GET of `path`.
    func body(of path: String) throws -> [UInt8] { try curl(path) }

    /// Returns the body of the response to a GET of `path`, compressed with gzip.
    func compressedBody(of path: String) throws -> [UInt8] {
        try curl(path, "-H", "Accept-Encoding: gzip")
    }

    /// Returns a header field of the response to a HEAD of `path`, or `nil`.
    func field(_ name: String, of path: String) throws -> String? {
        let head = String(decoding: try curl(path, "--head"), as: UTF8.self)
        let line = head.split(whereSeparator: \.isNewline).first { $0.hasPrefix("\(name): ") }
        return line.map { String($0.dropFirst(name.count + 2)) }
    }

    /// Returns the duration of a GET of `path` on a new connection, in seconds.
    func seconds(toFetch path: String) throws -> Double { try fetch(path).seconds }

    /// Returns the duration of a GET of `path` on a new connection, in seconds, and the number of
    /// bytes of the body.
    func fetch(_ path: String) throws -> (seconds: Double, bytes: Int) {
        let printed = try curl(path, "-o", "/dev/null", "-w", "%{time_total} %{size_download}")
        let figures = String(decoding: printed, as: UTF8.self).split(separator: " ")
        guard let seconds = figures.first.flatMap({ Double($0) }),
            let bytes = figures.last.flatMap({ Int($0) })
        else { throw BenchmarkError("curl printed no duration for \(path)") }
        return (seconds, bytes)
    }

    /// Returns the value of a metric without labels.
    func metric(_ name: String) throws -> Double {
        let text = String(decoding: try curl("/metrics"), as: UTF8.self)
        let line = text.split(separator: "\n").first { $0.hasPrefix("\(name) ") }
        guard let value = line.flatMap({ Double($0.dropFirst(name.count + 1)) }) else {
            throw BenchmarkError("there is no metric \(name)")
        }
        return value
    }

    func curl(_ path: String, _ options: String...) throws -> [UInt8] {
        try ChildProcess.output(
            of: ["curl", "-sS", "--fail"] + (field.map { ["-H", $0] } ?? []) + options + [
                "http://127.0.0.1:\(port)\(path)"
            ])
    }
}
