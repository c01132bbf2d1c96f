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
    static let optionGroups = LaidOutPages.optionGroups

    static func run(
        _ arguments: Arguments, in console: Console
    ) async throws(CommandError)
        -> ExitStatus
    {
        let pages = try LaidOutPages(arguments, in: console)
        let tree = pages.composer.tree(of: pages.screen, pages.frames, pages.request)
        try console.print(tree + [UInt8(ascii: "\n")])
        return .success
    }
}
