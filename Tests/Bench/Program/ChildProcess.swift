import Foundation
import TestSupport

/// A program that runs while a benchmark needs it; deinitialising terminates it.
final class ChildProcess {
    private let words: [String]
    private let program: ChildProgram
    private let output = Pipe()

    /// Starts `words[0]`, found on PATH, with the other words as arguments.
    ///
    /// - Parameters:
    ///   - environment: Variables in addition to those of this process.
    ///   - errors: The file of the program's standard error, such as `/dev/null`; by default it is
    ///     shared.
    init(_ words: [String], environment: [String: String] = [:], errors: String? = nil) throws {
        self.words = words
        let input = try FileHandle(forReadingFrom: URL(filePath: "/dev/null"))
        let errors = try errors.map { try FileHandle(forWritingTo: URL(filePath: $0)) }
        let files = [input, output.fileHandleForWriting, errors ?? .standardError]
        program = try ChildProgram(
            words,
            environment: ProcessInfo.processInfo.environment.merging(environment) { $1 },
            files.map(\.fileDescriptor))
        try output.fileHandleForWriting.close()
    }

    deinit { end() }

    /// The process identifier.
    var identifier: Int32 { program.identifier }

    /// Terminates the program, and waits until it has ended.
    func end() {
        program.send(SIGTERM)
        program.wait()
    }

    /// Returns the port in the line `listening on http://127.0.0.1:PORT`, the first that the
    /// program prints.
    func listeningPort() throws -> UInt16 {
        var line = [UInt8]()
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first {
            if byte == UInt8(ascii: "\n") { break }
            line.append(byte)
        }
        let text = String(decoding: line, as: UTF8.self)
        guard let port = text.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            throw BenchmarkError("\(words) printed no port: \(text)")
        }
        return port
    }

    /// Runs a program until it ends, and returns its standard output.
    ///
    /// - Throws: `BenchmarkError` when its exit status is not 0.
    static func output(
        of words: [String], environment: [String: String] = [:]
    ) throws -> [UInt8] {
        let child = try ChildProcess(words, environment: environment)
        let bytes = try child.output.fileHandleForReading.readToEnd() ?? Data()
        guard child.program.wait() == 0 else {
            throw BenchmarkError("\(words.joined(separator: " ")) failed")
        }
        return Array(bytes)
    }
}
