import Foundation
import Testing

/// Runs scripts of the oracle (`Tests/Oracle`).
///
/// A machine without python3 fails the test that asks, on purpose:
/// `make test` installs it.
enum OracleProcess {
    /// What a script printed, and its exit status.
    struct Outcome {
        let output: Data
        let errors: String
        let status: Int32
    }

    /// Runs `python3` in `Tests/Oracle` with `arguments` and waits for its end.
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
}

@Suite("The oracle")
struct OracleTests {
    @Test("The oracle agrees with the numbers that were worked out by hand")
    func workedNumbers() throws {
        let outcome = try OracleProcess.run(["-m", "unittest", "-q", "test_oracle"])
        #expect(outcome.status == 0, Comment(rawValue: outcome.errors))
    }

    @Test("The recorded trees are the oracle's: nothing was recorded otherwise")
    func recordedTrees() throws {
        let outcome = try OracleProcess.run(["record_goldens.py", "--check"])
        let output = String(decoding: outcome.output, as: UTF8.self)
        #expect(outcome.status == 0, Comment(rawValue: output + outcome.errors))
    }
}
