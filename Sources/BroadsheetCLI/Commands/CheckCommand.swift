internal import Broadsheet

/// `broadsheet check`: prints every fault of a catalog and of pages, one a line.
enum CheckCommand: Command {
    static let name = "check"
    static let summary = "Prints every fault of a catalog, and of pages under it"
    static let usage = ["check [OPTION ...] CATALOG.json [PAGE.json ...]"]
    static let discussion = [
        """
        Each fault is a line: file:line:column, a JSON pointer, and what is wrong. What a
        page would lose when it is laid out is a fault here. '-' is standard input.
        Exit status: 0 without a fault, 1 with any.
        """
    ]
    static let optionGroups = [
        OptionGroup(title: "Limits", options: LimitSettings.ofPages.map(\.option))
    ]

    static func run(
        _ arguments: Arguments, in console: Console
    ) async throws(CommandError)
        -> ExitStatus
    {
        let limits = ScreenLimits(Settings(arguments))
        let sources = try SourceText.all(arguments, "a CATALOG.json", in: console)
        let catalog = Finding { () throws(CommandError) in
            try CatalogFile.catalog(in: sources[0], limits: limits)
        }
        let registry = catalog.value?.registry
        let composer = Composer(registry: registry ?? CellRegistry(), limits: limits)
        var lines = catalog.faults
        for source in sources.dropFirst() {
            let file = Finding { () throws(CommandError) in try PageFile(source, for: composer) }
            lines += file.faults
            // Under a faulty catalog only what does not depend on it can be found.
            guard let page = file.value, registry != nil else { continue }
            lines += Finding { () throws(CommandError) in try page.losses(for: composer) }.lines
        }
        try console.print(lines.map { $0 + "\n" }.joined())
        return lines.isEmpty ? .success : .failure
    }
}

extension Finding<[String]> {
    /// The lines that were read, or those that say why not.
    fileprivate var lines: [String] { (value ?? []) + faults }
}
