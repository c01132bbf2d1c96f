extension Command {
    static let all: [Command] = [
        .serve, .compose, .render, .changes, .initialize, .check, .diff, .generate, .key, .backup,
        .restore, .store,
        .version, .help,
    ]
}

/// A command of `broadsheet`, named by the first word of the command line.
struct Command: Sendable {
    let name: String
    /// The effect, in one line without a full stop.
    let summary: String
    /// The forms of the command line, without `broadsheet `.
    let usage: [String]
    /// Further paragraphs of the help text, with their line breaks.
    let discussion: String
    let optionGroups: [OptionGroup]

    private let runBody: @Sendable (Arguments, Console) async throws(CommandError) -> ExitStatus

    /// `run` throws if the input or the command line is invalid.
    init<Configuration>(
        name: String, summary: String, usage: [String], discussion: String = "",
        settings: [SettingGroup<Configuration>],
        configurationFile: Property<Configuration, String?>? = nil,
        run:
            @escaping @Sendable (CommandCall<Configuration>) async throws(CommandError) ->
            ExitStatus
    ) {
        self.name = name
        self.summary = summary
        self.usage = usage
        self.discussion = discussion
        optionGroups = settings.map { group in
            OptionGroup(title: group.title, options: group.settings.map(\.option))
        }
        runBody = { arguments, console async throws(CommandError) in
            try await run(
                CommandCall(
                    arguments, in: console, settings: settings.flatMap(\.settings),
                    configurationFile: configurationFile))
        }
    }

    var options: [Option] { optionGroups.flatMap(\.options) }

    /// Runs the command with the words after its name, or prints its help text.
    func run(_ words: [String], in console: Console) async throws(CommandError) -> ExitStatus {
        let arguments = try Arguments(words, options: options)
        guard !arguments.requestsHelp else {
            try console.print(HelpText.of(self))
            return .success
        }
        return try await runBody(arguments, console)
    }
}

extension Command {
    /// Returns the command called `name`.
    ///
    /// - Throws: `CommandError.usage` with the nearest name if there is no such command.
    static func named(_ name: String) throws(CommandError) -> Command {
        guard let command = all.first(where: { $0.name == name }) else {
            throw .unknownCommand(name, among: all.map(\.name))
        }
        return command
    }

    /// Runs the command line `words`, without the program's name, and prints the messages of an
    /// error on standard error.
    ///
    /// An empty command line is refused in the caller's thread: without /proc no arguments arrive,
    /// and Dispatch may trap once it has a worker thread.
    nonisolated(nonsending) static func run(
        _ words: [String], in console: Console
    ) async -> ExitStatus {
        do throws(CommandError) {
            guard let first = words.first else {
                throw .usage("which command? One of: \(all.map(\.name).joined(separator: ", "))")
            }
            let name = ["-h": "help", "--help": "help", "--version": "version"][first] ?? first
            return try await named(name).run(Array(words.dropFirst()), in: console)
        } catch {
            report(error, words.first, to: console)
            return error.status
        }
    }

    /// Prints an error: bare lines for the input (they begin with a file's name), and a pointer to
    /// the help text for the command line.
    private static func report(_ error: CommandError, _ command: String?, to console: Console) {
        switch error {
        case .input(let lines):
            for line in lines { console.printError(line) }
        case .usage(let message):
            let known = all.first { $0.name == command && $0.name != Command.help.name }
            console.printError("broadsheet: \(message)")
            console.printError("Try 'broadsheet help\(known.map { " " + $0.name } ?? "")'.")
        }
    }
}

/// The configuration of a command without settings.
struct NoConfiguration: Configurable {
    static let defaults = NoConfiguration()
}
