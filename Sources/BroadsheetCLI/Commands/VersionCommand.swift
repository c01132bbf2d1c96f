internal import Broadsheet

/// `broadsheet version`: says which version this is.
enum VersionCommand: Command {
    static let name = "version"
    static let summary = "Says which version this is"
    static let usage = ["version"]

    static func run(
        _ arguments: Arguments, in console: Console
    ) async throws(CommandError)
        -> ExitStatus
    {
        guard arguments.operands.isEmpty else {
            throw .usage("version takes no '\(arguments.operands[0])'")
        }
        try console.print("broadsheet \(BroadsheetVersion.current)\n")
        return .success
    }
}
