import Synchronization

@testable import BroadsheetCLI

/// Surroundings for a command: files by name, and what it said.
final class TestConsole: Sendable {
    private struct Said {
        var output: [UInt8] = []
        var errors: [String] = []
        var saved: [String: [UInt8]] = [:]
    }

    private let said = Mutex(Said())
    private let environment: [String: String]
    private let files: [String: String]

    init(environment: [String: String] = [:], files: [String: String] = [:]) {
        self.environment = environment
        self.files = files
    }

    /// What it wrote to standard output.
    var output: String { said.withLock { String(decoding: $0.output, as: UTF8.self) } }

    /// The lines it wrote to standard error.
    var errors: [String] { said.withLock { $0.errors } }

    /// The files it wrote, by path.
    var saved: [String: [UInt8]] { said.withLock { $0.saved } }

    /// Runs `broadsheet` with these words in these surroundings.
    func run(_ words: String...) async -> ExitStatus {
        await Commands.run(words, in: console)
    }

    private var console: Console {
        Console(
            environment: environment,
            write: { [self] bytes in
                said.withLock { $0.output += bytes }
                return nil
            },
            complain: { [self] line in said.withLock { $0.errors.append(line) } },
            read: { [files] path throws(FileError) in
                guard let text = files[path] else {
                    throw FileError(reason: "No such file or directory")
                }
                return Array(text.utf8)
            },
            save: { [self] bytes, path in
                guard !path.hasPrefix("/full/") else { return "No space left on device" }
                said.withLock { $0.saved[path] = bytes }
                return nil
            })
    }
}
