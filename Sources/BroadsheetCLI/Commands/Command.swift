/// One of the things `broadsheet` does, named by the first word behind it.
protocol Command: SendableMetatype {
    /// The word that names it.
    static var name: String { get }
    /// What it does, in a line without a full stop.
    static var summary: String { get }
    /// How it is typed, behind `broadsheet `.
    static var usage: [String] { get }
    /// Further paragraphs of its help, wrapped by hand.
    static var discussion: [String] { get }
    /// Its options, in the groups and the order that help shows them in.
    static var optionGroups: [OptionGroup] { get }

    /// Does it.
    ///
    /// - Throws: `CommandError` when the input or the command line is at fault; the caller prints
    ///   its message and ends with its status.
    static func run(
        _ arguments: Arguments, in console: Console
    ) async throws(CommandError)
        -> ExitStatus
}

extension Command {
    static var discussion: [String] { [] }
    static var optionGroups: [OptionGroup] { [] }

    /// Every option of every group.
    static var options: [Option] { optionGroups.flatMap(\.options) }
}

/// Options that belong together in a help text.
struct OptionGroup: Sendable {
    /// The heading, without a colon.
    let title: String
    /// The options in the order that help shows them in.
    let options: [Option]
}
