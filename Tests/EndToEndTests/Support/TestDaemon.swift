import Foundation
import Glibc

/// A running `broadsheet serve` on a free port of the loopback interface.
final class TestDaemon {
    let program: Program
    let port: UInt16

    /// Starts the daemon and waits until it listens.
    ///
    /// - Parameters:
    ///   - options: Further options of `broadsheet serve`.
    ///   - environment: Environment variables to add.
    ///   - openFiles: The limit of file descriptors, soft and hard.
    ///   - commandPrefix: A command that runs the command after it, for example with a limit.
    convenience init(
        _ options: [String] = [], environment: [String: String] = [:], openFiles: Int? = nil,
        prefixedBy commandPrefix: [String] = []
    ) throws {
        try self.init(
            Program(
                commandPrefix + [Repository.binary, "serve", "--port", "0"] + options,
                environment: environment, openFiles: openFiles))
    }

    /// Waits until a program prints its address, and ends it if it prints anything else.
    init(_ program: Program) throws {
        self.program = program
        let line: String
        do {
            line = try program.output.line()
        } catch {
            program.end()
            throw HarnessError("the daemon did not start: \(error) \(program.errors.text)")
        }
        guard line.hasPrefix("listening on http://127.0.0.1:"),
            let port = line.split(separator: ":").last.flatMap({ UInt16($0) })
        else {
            program.end()
            throw HarnessError("the first line of output has no address: \(line)")
        }
        self.port = port
    }

    deinit { program.end() }

    /// The host and port, as they occur in a URL.
    var address: String { "127.0.0.1:\(port)" }

    /// Opens a new connection.
    func connect() throws -> ClientConnection { try ClientConnection(port: port) }

    /// Sends a request on a new connection and returns the response.
    @discardableResult
    func request(
        _ method: String, _ target: String, headers: [(String, String)] = [], body: [UInt8]? = nil
    ) throws -> Response {
        let connection = try connect()
        try connection.send(
            Request.bytes(method, target, headers: headers + [("Connection", "close")], body: body))
        return try connection.receive(responseTo: method)
    }

    /// Returns when a metric without labels has a value that stays.
    func wait(for metric: String, toBe value: Int) throws {
        try wait(for: metric, toBe: value...value)
    }

    /// Returns when the value of a metric without labels is in a range.
    func wait(for metric: String, toBe values: ClosedRange<Int>) throws {
        let range = Double(values.lowerBound)...Double(values.upperBound)
        let deadline = Deadline.within()
        while true {
            let text = try request("GET", "/metrics").text
            let line = text.split(separator: "\n").first { $0.hasPrefix(metric + " ") }
            let value = line?.split(separator: " ").last.flatMap { Double($0) }
            if let value, range.contains(value) { return }
            guard !deadline.hasPassed else {
                throw HarnessError("\(line ?? "no \(metric)"), not \(values)")
            }
        }
    }

    /// Sends SIGTERM and waits for the end of the process.
    func stop(within duration: Duration = .seconds(60)) throws -> Program.Ending {
        program.send(SIGTERM)
        return try program.wait(until: .within(duration))
    }
}
