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
        What a designer would want to know of a page's layout (an item wider than its line,
        a ragged last row ...) is a line as well, but no fault unless --strict says so.
        Exit status: 0 without a fault, 1 with any.
        """
    ]
    static let optionGroups = [
        OptionGroup(title: "The layout", options: [strict.option] + TreeSettings.ofViewport),
        OptionGroup(title: "Limits", options: LimitSettings.ofPages.map(\.option)),
    ]

    /// Whether advice counts as faults do.
    static let strict = Setting.toggle("strict", "advice on the layout is a fault, too")

    static func run(
        _ arguments: Arguments, in console: Console
    ) async throws(CommandError)
        -> ExitStatus
    {
        let settings = Settings(arguments)
        let limits = ScreenLimits(settings)
        let request = LayoutRequest(settings)
        let sources = try SourceText.all(arguments, "a CATALOG.json", in: console)
        let catalog = Finding { () throws(CommandError) in
            try CatalogFile.catalog(in: sources[0], limits: limits)
        }
        let registry = catalog.value?.registry
        let composer = Composer(registry: registry ?? CellRegistry(), limits: limits)
        var faults = catalog.faults
        var advice: [String] = []
        for source in sources.dropFirst() {
            let file = Finding { () throws(CommandError) in try PageFile(source, for: composer) }
            faults += file.faults
            // Under a faulty catalog only what does not depend on it can be found.
            guard let page = file.value, registry != nil else { continue }
            faults +=
                Finding { () throws(CommandError) in try page.losses(for: composer, request) }.lines
            advice +=
                Finding { () throws(CommandError) in try page.advice(for: composer, request) }.lines
        }
        try console.print((faults + advice).map { $0 + "\n" }.joined())
        let isClean = faults.isEmpty && (advice.isEmpty || !settings[strict])
        return isClean ? .success : .failure
    }
}

extension Finding<[String]> {
    /// The lines that were read, or those that say why not.
    fileprivate var lines: [String] { (value ?? []) + faults }
}
