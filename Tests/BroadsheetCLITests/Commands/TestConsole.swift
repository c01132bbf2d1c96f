import Synchronization

@testable import BroadsheetCLI

/// A console for a command, with files by name, which keeps the output.
final class TestConsole: Sendable {
    private struct Written {
        var output: [UInt8] = []
        var errors: [String] = []
        var saved: [String: [UInt8]] = [:]
        var folders: [String] = []
    }

    private let written = Mutex(Written())
    private let environment: [String: String]
    private let files: [String: String]

    init(environment: [String: String] = [:], files: [String: String] = [:]) {
        self.environment = environment
        self.files = files
    }

    /// The text on standard output.
    var output: String { written.withLock { String(decoding: $0.output, as: UTF8.self) } }

    /// The lines on standard error.
    var errors: [String] { written.withLock { $0.errors } }

    /// The written files, by path.
    var saved: [String: [UInt8]] { written.withLock { $0.saved } }

    /// The created folders.
    var folders: [String] { written.withLock { $0.folders } }

    /// Runs `broadsheet` with these arguments.
    func run(_ words: String...) async -> ExitStatus { await run(words) }

    /// Runs `broadsheet` with these arguments.
    func run(_ words: [String]) async -> ExitStatus {
        await Command.run(words, in: console)
    }

    private var console: Console {
        Console(
            environment: environment,
            write: { [self] bytes in
                written.withLock { $0.output += bytes }
                return nil
            },
            printError: { [self] line in written.withLock { $0.errors.append(line) } },
            read: { [files] path throws(FileError) in
                guard let text = files[path] else {
                    throw FileError(reason: "No such file or directory")
                }
                return Array(text.utf8)
            },
            save: { [self] bytes, path in
                guard !path.hasPrefix("/full/") else { return "No space left on device" }
                written.withLock { $0.saved[path] = bytes }
                return nil
            },
            createFolder: { [self] path in
                guard !path.hasPrefix("/full/") else { return "No space left on device" }
                written.withLock { $0.folders.append(path) }
                return nil
            })
    }
}

extension Console {
    /// A console without variables and files, whose output is discarded.
    static let empty = Console(
        environment: [:], write: { _ in nil }, printError: { _ in },
        read: { _ throws(FileError) in throw FileError(reason: "no files here") })
}

extension ServeConfiguration {
    /// Returns the configuration of a command line of `serve`.
    static func reading(
        _ words: [String], in console: Console
    ) throws(CommandError) -> ServeConfiguration {
        let call = CommandCall(
            try Arguments(words, options: Command.serve.options), in: console,
            settings: settings.flatMap(\.settings),
            configurationFile: \ServeConfiguration.configurationFile)
        return try call.configuration()
    }
}
