import Foundation

/// A program that runs while a benchmark needs it; deinitialising terminates it.
final class ChildProcess {
    private let process = Process()
    private let output = Pipe()

    /// Starts `words[0]`, found on PATH, with the other words as arguments.
    ///
    /// - Parameters:
    ///   - environment: Variables in addition to those of this process.
    ///   - errors: The file of the program's standard error, such as `/dev/null`; by default it is
    ///     shared.
    init(_ words: [String], environment: [String: String] = [:], errors: String? = nil) throws {
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        if let errors {
            let file = FileHandle(forWritingAtPath: errors)
            guard let file else { throw BenchmarkError("cannot write to \(errors)") }
            process.standardError = file
        }
        try process.run()
    }

    deinit { end() }

    /// The process identifier.
    var identifier: Int32 { process.processIdentifier }

    /// Terminates the program, and waits until it has ended.
    func end() {
        if process.isRunning { process.terminate() }
        process.waitUntilExit()
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
            throw BenchmarkError("\(process.arguments ?? []) printed no port: \(text)")
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
        child.process.waitUntilExit()
        guard child.process.terminationStatus == 0 else {
            throw BenchmarkError("\(words.joined(separator: " ")) failed")
        }
        return Array(bytes)
    }
}
