/// Why a command could not do what it was asked.
enum CommandError: Error, Equatable {
    /// The command line, the environment or the configuration file is at fault: exit status 2.
    case usage(String)
    /// What the command was given to read is at fault, one message a line: exit status 1.
    case input([String])

    /// The exit status that says which.
    var status: ExitStatus {
        switch self {
        case .usage: .usage
        case .input: .failure
        }
    }

    /// What it says, a line each.
    var lines: [String] {
        switch self {
        case .usage(let message): [message]
        case .input(let lines): lines
        }
    }

    /// The fault of an option that the command does not have, with the nearest one that it has.
    static func unknownOption(_ flag: String, among options: [Option]) -> CommandError {
        let flags = options.map(\.flag) + ["--help"]
        return .usage(unknown("option", flag, nearest: NearestName.of(flag, among: flags)))
    }

    /// The fault of a command that there is not, with the nearest one that there is.
    static func unknownCommand(_ name: String, among names: [String]) -> CommandError {
        .usage(unknown("command", name, nearest: NearestName.of(name, among: names)))
    }

    private static func unknown(_ kind: String, _ name: String, nearest: String?) -> String {
        "unknown \(kind) '\(name)'" + (nearest.map { "; did you mean '\($0)'?" } ?? "")
    }
}

/// How a command ends, as the shell sees it.
enum ExitStatus: Int32, Sendable {
    /// All is well.
    case success = 0
    /// The input is at fault.
    case failure = 1
    /// The command line is at fault.
    case usage = 2
}
