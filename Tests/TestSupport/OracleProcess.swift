package import Foundation

/// Runs scripts of the oracle (`Tests/Oracle`).
///
/// Tests are designed to fail on a machine without python3, which `make test` installs.
package enum OracleProcess {
    /// The output and the exit status of a script.
    package struct Outcome {
        package let output: Data
        package let errors: String
        package let status: Int32
    }

    /// Runs `python3` in `Tests/Oracle` and waits until it has ended.
    package static func run(_ arguments: [String]) throws -> Outcome {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-B"] + arguments
        process.currentDirectoryURL = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Oracle")
        let output = Pipe()
        // Errors go to a file: two pipes read one after the other could block the child.
        let errors = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data().write(to: errors)
        defer { try? FileManager.default.removeItem(at: errors) }
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Outcome(
            output: data, errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self),
            status: process.terminationStatus)
    }

    /// Returns the random cases that a script prints; the same seed gives the same cases.
    package static func cases<Case: Decodable>(
        of script: String, seed: Int, count: Int
    ) throws -> [Case] {
        let outcome = try run([script, "--seed", "\(seed)", "--count", "\(count)"])
        guard outcome.status == 0 else { throw OracleFailed(reason: outcome.errors) }
        return try outcome.output.split(separator: UInt8(ascii: "\n")).map { line in
            try JSONDecoder().decode(Case.self, from: line)
        }
    }
}

/// The oracle failed to generate cases.
package struct OracleFailed: Error {
    let reason: String

    /// Creates the error with its reason.
    package init(reason: String) { self.reason = reason }
}
