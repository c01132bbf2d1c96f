import Foundation
import Glibc

/// A running `broadsheet serve` on a free port of the loopback interface.
final class Daemon {
    let program: Program
    let port: UInt16

    /// Starts it with further options and waits until it says that it is ready.
    ///
    /// `surroundings` is a command that starts it with some limit, say, and becomes it.
    convenience init(
        _ options: [String] = [], environment: [String: String] = [:], openFiles: Int? = nil,
        in surroundings: [String] = []
    ) throws {
        try self.init(
            Program(
                surroundings + [Repository.binary, "serve", "--port", "0"] + options,
                environment: environment, openFiles: openFiles))
    }

    /// Waits until `program` says that it is ready; ends it when it says anything else.
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
            throw HarnessError("not the line that says where it listens: \(line)")
        }
        self.port = port
    }

    deinit { program.end() }

    /// Its address, as it is typed in a URL.
    var address: String { "127.0.0.1:\(port)" }

    /// A new connection.
    func connect() throws -> Connection { try Connection(port: port) }

    /// One request on a connection of its own.
    @discardableResult
    func request(
        _ method: String, _ target: String, headers: [(String, String)] = [], body: [UInt8]? = nil
    ) throws -> Reply {
        let connection = try connect()
        try connection.send(
            Request.bytes(method, target, headers: headers + [("Connection", "close")], body: body))
        return try connection.receive(answering: method)
    }

    /// Tells it to stop, and waits for its end.
    func stop(within duration: Duration = .seconds(20)) throws -> Program.Ending {
        program.send(SIGTERM)
        return try program.wait(until: .within(duration))
    }
}
