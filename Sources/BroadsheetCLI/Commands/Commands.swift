/// The table of commands, and the way from a command line to an exit status.
enum Commands {
    /// Every command, in the order that help lists them in.
    static let all: [any Command.Type] = [
        ServeCommand.self, ComposeCommand.self, RenderCommand.self, CheckCommand.self,
        BackupCommand.self, RestoreCommand.self, VersionCommand.self, HelpCommand.self,
    ]

    /// The command called `name`.
    ///
    /// - Throws: `CommandError.usage` naming the nearest command when there is none of that name.
    static func named(_ name: String) throws(CommandError) -> any Command.Type {
        guard let command = all.first(where: { $0.name == name }) else {
            throw .unknownCommand(name, among: all.map { $0.name })
        }
        return command
    }

    /// Runs the command that `words` (without the program's own name) ask for, and says on standard
    /// error what is wrong when something is.
    static func run(_ words: [String], in console: Console) async -> ExitStatus {
        do throws(CommandError) {
            return try await dispatch(words, in: console)
        } catch {
            report(error, words.first, to: console)
            return error.status
        }
    }

    /// Finds the command and its arguments, and runs it or prints its help.
    private static func dispatch(
        _ words: [String], in console: Console
    ) async throws(CommandError) -> ExitStatus {
        guard let first = words.first else {
            throw .usage("which command? One of: \(all.map { $0.name }.joined(separator: ", "))")
        }
        let name = ["-h": "help", "--help": "help", "--version": "version"][first] ?? first
        let command = try named(name)
        let arguments = try Arguments(Array(words.dropFirst()), options: command.options)
        guard !arguments.wantsHelp else {
            try console.print(HelpText.of(command))
            return .success
        }
        return try await command.run(arguments, in: console)
    }

    /// Says what went wrong: bare lines for faults of the input (they begin with a file's name), and
    /// a hint at the help for faults of the command line.
    private static func report(_ error: CommandError, _ command: String?, to console: Console) {
        switch error {
        case .input(let lines):
            for line in lines { console.complain(line) }
        case .usage(let message):
            let known = all.first { $0.name == command && $0.name != HelpCommand.name }
            console.complain("broadsheet: \(message)")
            console.complain("Try 'broadsheet help\(known.map { " " + $0.name } ?? "")'.")
        }
    }
}
