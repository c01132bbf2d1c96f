import Foundation
import Testing

/// Runs scripts of the oracle (`Tests/Oracle`).
///
/// Tests are designed to fail on a machine without python3, which `make test` installs.
enum OracleProcess {
    /// The output and the exit status of a script.
    struct Outcome {
        let output: Data
        let errors: String
        let status: Int32
    }

    /// Runs `python3` in `Tests/Oracle` and waits until it has ended.
    static func run(_ arguments: [String]) throws -> Outcome {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-B"] + arguments
        process.currentDirectoryURL = Fixtures.folder.deletingLastPathComponent()
            .appending(path: "Tests/Oracle")
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
    static func cases<Case: Decodable>(
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
struct OracleFailed: Error {
    let reason: String
}

@Suite("Oracle")
struct OracleTests {
    @Test("The oracle agrees with the numbers calculated by hand")
    func workedNumbers() throws {
        let outcome = try OracleProcess.run(["-m", "unittest", "-q", "test_oracle"])
        #expect(outcome.status == 0, Comment(rawValue: outcome.errors))
    }

    @Test("The recorded trees are those of the oracle")
    func recordedTrees() throws {
        let outcome = try OracleProcess.run(["record_goldens.py", "--check"])
        let output = String(decoding: outcome.output, as: UTF8.self)
        #expect(outcome.status == 0, Comment(rawValue: output + outcome.errors))
    }
}
