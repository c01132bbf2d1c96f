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
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Oracle")
        let errors = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data().write(to: errors)
        defer { try? FileManager.default.removeItem(at: errors) }
        let (output, status) = try ChildProgram.run(
            ["env", "-C", folder.path, "python3", "-B"] + arguments,
            errors: FileHandle(forWritingTo: errors))
        return Outcome(
            output: Data(output.utf8),
            errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self), status: status)
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
