import Broadsheet

extension Command {
    static let check = Command(
        name: "check", summary: "Prints the violations and diagnostics of a catalog and pages",
        usage: ["check [OPTION ...] CATALOG.json [PAGE.json ...]"],
        discussion: """
            Each violation of a contract, and each diagnostic of a layout, is a line:
            file:line:column, a JSON pointer, a message. '-' is standard input.
            Advice on the layout of a page (an item wider than its line, a ragged last row ...),
            on members that are unknown or without effect, and on parts of the catalog that find
            nothing in the pages is printed too, but changes the exit status only with --strict.
            A name at most two letters off a known one is an error.
            Exit status: 0 without a violation or diagnostic, else 1.
            """,
        settings: CheckConfiguration.settings,
        run: { call async throws(CommandError) in
            let configuration = try call.configuration()
            let sources = try SourceText.all(at: call.operands, "a CATALOG.json", in: call.console)
            let report = CheckReport(of: sources, configuration.layout)
            try call.console.print((report.errors + report.advice).map { $0 + "\n" }.joined())
            let passes =
                report.errors.isEmpty && (report.advice.isEmpty || !configuration.isStrict)
            return passes ? .success : .failure
        })
}

private struct CheckConfiguration: Configurable {
    static let defaults = CheckConfiguration()

    /// A Boolean value that indicates whether advice changes the exit status.
    var isStrict = false
    var layout = LayoutConfiguration()

    static let settings: [SettingGroup<CheckConfiguration>] =
        [
            SettingGroup(
                "Check", [Setting("strict", .toggle, \.isStrict, "exit with 1 for advice, too")])
        ]
        + [SettingGroup<LayoutConfiguration>.fonts, .viewport, .limits].map { group in
            SettingGroup(group.title, group.settings.map { $0.within(\.layout) })
        }
}

private struct CheckReport {
    /// A line for each violation of a contract and each diagnostic of a layout.
    private(set) var errors: [String]
    /// A line for each piece of advice on a layout or the catalog, and for each member that is
    /// ignored.
    private(set) var advice: [String]

    /// Checks a catalog and the pages that follow it.
    init(of sources: [SourceText], _ configuration: LayoutConfiguration) {
        let catalog = ReadResult { () throws(CommandError) in
            try CatalogFile(fonts: configuration.fonts)
                .catalog(in: sources[0], limits: configuration.limits).catalog
        }
        errors = catalog.errors
        advice = []
        let registry = catalog.value?.registry
        if let catalog = catalog.value { add(catalog.diagnostics, in: sources[0]) }
        let composer = Composer(
            registry: registry ?? CellRegistry(), limits: configuration.limits)
        var pages: [PageFile] = []
        for source in sources.dropFirst() {
            let file = ReadResult { () throws(CommandError) in
                try PageFile(source, for: composer)
            }
            errors += file.errors
            // With an invalid catalog, only violations that do not depend on it are known.
            guard let page = file.value, registry != nil else { continue }
            pages.append(page)
            errors += Self.lines { () throws(CommandError) in
                try page.diagnostics(for: composer, configuration.request)
            }
            advice += Self.lines { () throws(CommandError) in
                try page.advice(for: composer, configuration.request)
            }
        }
        // Without one of the pages it is not known which parts of the catalog have no use.
        guard let registry, !pages.isEmpty, pages.count == sources.count - 1 else { return }
        var lint = CatalogLint(registry)
        for file in pages { lint.add(file.page) }
        advice += CatalogFile.lines(for: lint.diagnostics, in: sources[0])
    }

    private mutating func add(_ diagnostics: [Diagnostic], in source: SourceText) {
        errors += CatalogFile.lines(for: diagnostics.filter { !$0.isAdvice }, in: source)
        advice += CatalogFile.lines(for: diagnostics.filter(\.isAdvice), in: source)
    }

    private static func lines(_ read: () throws(CommandError) -> [String]) -> [String] {
        do throws(CommandError) { return try read() } catch { return error.lines }
    }
}
