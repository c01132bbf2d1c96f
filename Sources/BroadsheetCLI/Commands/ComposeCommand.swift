internal import Broadsheet

/// `broadsheet compose`: prints the tree of pages without a daemon.
enum ComposeCommand: Command {
    static let name = "compose"
    static let summary = "Prints the tree of one or more pages"
    static let usage = ["compose [OPTION ...] PAGE.json [PAGE.json ...]"]
    static let discussion = [
        """
        Pages merge as they do in the daemon; one without a number takes the next free one.
        '-' is standard input. Exit status: 0, or 1 with a line for each fault of a page or
        the catalog (file:line:column, a JSON pointer, what is wrong) on standard error.
        """
    ]
    static let optionGroups = [
        OptionGroup(title: "What to lay out", options: [TreeSettings.catalog.option]),
        OptionGroup(title: "The tree", options: TreeSettings.ofTree),
        OptionGroup(title: "Limits", options: LimitSettings.ofPages.map(\.option)),
    ]

    static func run(
        _ arguments: Arguments, in console: Console
    ) async throws(CommandError)
        -> ExitStatus
    {
        let settings = Settings(arguments)
        let limits = ScreenLimits(settings)
        let path = settings[TreeSettings.catalog]
        guard path != "-" || !arguments.operands.contains("-") else {
            throw .usage("standard input ('-') can be read only once")
        }
        let sources = try SourceText.all(arguments, "a PAGE.json", in: console)
        let catalog = try CatalogFile.catalog(at: path, in: console, limits: limits)
        let composer = Composer(registry: catalog.registry, limits: limits)
        let files = try PageFile.all(in: sources, for: composer)
        let screen = composer.screen(
            of: try composer.viewModel(of: files), LayoutRequest(settings))
        let frames = composer.frames(of: screen, LayoutRequest(settings))
        let tree = composer.tree(of: screen, frames, LayoutRequest(settings))
        try console.print(tree + [UInt8(ascii: "\n")])
        return .success
    }
}
