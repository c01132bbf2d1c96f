import Broadsheet
import BroadsheetServer

/// The reason why a command could not run to its end.
enum CommandError: Error, Equatable {
    /// The command line, the environment or the configuration file is invalid: exit status 2.
    case usage(String)
    /// The input is invalid or cannot be read, one message a line: exit status 1.
    case input([String])

    var status: ExitStatus {
        switch self {
        case .usage: .usage
        case .input: .failure
        }
    }

    var lines: [String] {
        switch self {
        case .usage(let message): [message]
        case .input(let lines): lines
        }
    }

    static func unknownOption(_ flag: String, among options: [Option]) -> CommandError {
        let flags = options.map(\.flag) + ["--help"]
        return .usage(unknown("option", flag, nearest: NearestName.of(flag, among: flags)))
    }

    static func unknownCommand(_ name: String, among names: [String]) -> CommandError {
        .usage(unknown("command", name, nearest: NearestName.of(name, among: names)))
    }

    private static func unknown(_ kind: String, _ name: String, nearest: String?) -> String {
        "unknown \(kind) '\(name)'" + (nearest.map { "; did you mean '\($0)'?" } ?? "")
    }
}

extension CommandError {
    init(_ error: ServerError) {
        switch error {
        case .configuration(let message): self = .usage(message)
        case .failed(let lines): self = .input(lines)
        }
    }
}

extension ServerError {
    init(_ error: CommandError) {
        switch error {
        case .usage(let message): self = .configuration(message)
        case .input(let lines): self = .failed(lines)
        }
    }
}

enum ExitStatus: Int32, Sendable {
    case success = 0
    /// The input is invalid, or the system failed.
    case failure = 1
    case usage = 2
}
