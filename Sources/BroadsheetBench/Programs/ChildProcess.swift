internal import Foundation

/// A program that a benchmark started and ends again.
final class ChildProcess {
    private let process = Process()
    private let output = Pipe()

    /// Starts `words[0]`, found on PATH, with the rest as arguments; its errors go to ours.
    init(_ words: [String], environment: [String: String] = [:], silent: Bool = false) throws {
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        if silent { process.standardError = FileHandle.nullDevice }
        try process.run()
    }

    deinit { end() }

    /// Its process id.
    var identifier: Int32 { process.processIdentifier }

    /// Asks it to end, and waits until it has.
    func end() {
        if process.isRunning { process.terminate() }
        process.waitUntilExit()
    }

    /// The port in the line `listening on http://127.0.0.1:PORT` that it prints first.
    func listeningPort() throws -> UInt16 {
        var line = [UInt8]()
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first {
            if byte == UInt8(ascii: "\n") { break }
            line.append(byte)
        }
        let text = String(decoding: line, as: UTF8.self)
        guard let port = text.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            throw BenchmarkError("\(process.arguments ?? []) did not say where it listens: \(text)")
        }
        return port
    }

    /// Runs a program to its end and returns what it printed.
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
