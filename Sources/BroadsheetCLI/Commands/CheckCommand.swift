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
        var lines = catalog.faults
        for source in sources.dropFirst() {
            lines += faults(of: source, under: catalog.value, limits: limits)
        }
        try console.print(lines.map { $0 + "\n" }.joined())
        return lines.isEmpty ? .success : .failure
    }

    /// The faults of one page; under a faulty catalog only those that do not depend on it.
    private static func faults(
        of source: SourceText, under catalog: Catalog?, limits: ScreenLimits
    ) -> [String] {
        let names = catalog?.registry.names ?? ContractNames()
        let file = Finding { () throws(CommandError) in
            try PageFile(source, names: names, limits: limits)
        }
        guard let page = file.value, let catalog else { return file.faults }
        let resolved = Finding { () throws(CommandError) in
            try page.resolved(as: page.page.number ?? 0, by: catalog.registry, limits: limits)
        }
        let root = page.page.document.root
        let losses = resolved.value?.diagnostics ?? []
        return resolved.faults
            + losses.map {
                source.line(at: $0.pointer, in: root, "\($0.code.rawValue) \($0.detail)")
            }
    }
}

/// What came of reading something: it, or the lines that say why not.
private struct Finding<Value> {
    let value: Value?
    let faults: [String]

    init(_ read: () throws(CommandError) -> Value) {
        do throws(CommandError) {
            (value, faults) = (try read(), [])
        } catch {
            (value, faults) = (nil, error.lines)
        }
    }
}
