/// `broadsheet help [COMMAND]`: says what there is, or all about one command.
enum HelpCommand: Command {
    static let name = "help"
    static let summary = "Says what there is, or all about one command"
    static let usage = ["help [COMMAND]"]

    static func run(
        _ arguments: Arguments, in console: Console
    ) async throws(CommandError)
        -> ExitStatus
    {
        guard arguments.operands.count <= 1 else {
            throw .usage("help takes one command's name, not '\(arguments.operands[1])' as well")
        }
        if let name = arguments.operands.first {
            try console.print(HelpText.of(try Commands.named(name)))
        } else {
            try console.print(HelpText.ofAll(Commands.all))
        }
        return .success
    }
}
