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
            With --text-scale several times, pages are laid out at each scale. A line whose file,
            pointer and code a line of a smaller scale has is left out.
            Exit status: 0 without a violation or diagnostic, else 1.
            """,
        settings: CheckConfiguration.settings,
        run: { call async throws(CommandError) in
            let configuration: CheckConfiguration = try call.configuration()
            guard configuration.textScales.count <= CheckConfiguration.maxTextScales else {
                throw .usage(
                    "--text-scale: may be repeated up to \(CheckConfiguration.maxTextScales) times")
            }
            let sources = try SourceText.all(at: call.operands, "a CATALOG.json", in: call.console)
            if configuration.listsStyles {
                return try list(stylesOf: sources[0], configuration.layout, to: call.console)
            }
            let report = CheckReport(of: sources, configuration)
            try call.console.print((report.errors + report.advice).map { $0 + "\n" }.joined())
            let passes =
                report.errors.isEmpty && (report.advice.isEmpty || !configuration.isStrict)
            return passes ? .success : .failure
        })

    /// Prints the names of the styles of a catalog, or its violations.
    private static func list(
        stylesOf source: SourceText, _ configuration: LayoutConfiguration, to console: Console
    ) throws(CommandError) -> ExitStatus {
        let catalog = ReadResult { () throws(CommandError) in
            try CatalogFile(fonts: configuration.fonts)
                .catalog(in: source, limits: configuration.limits).catalog
        }
        let lines = catalog.errors + (catalog.value?.styleNames ?? [])
        try console.print(lines.map { $0 + "\n" }.joined())
        return catalog.errors.isEmpty ? .success : .failure
    }
}

private struct CheckConfiguration: Configurable {
    static let defaults = CheckConfiguration()

    /// A Boolean value that indicates whether advice changes the exit status.
    var isStrict = false
    /// A Boolean value that indicates whether only the names of styles are printed.
    var listsStyles = false
    var layout = LayoutConfiguration()
    /// The text sizes of readers at which pages are laid out; 1 if there are none.
    var textScales: [Double] = []

    static let maxTextScales = 16

    static let settings: [SettingGroup<CheckConfiguration>] =
        [
            SettingGroup(
                "Check",
                [
                    Setting("strict", .toggle, \.isStrict, "exit with 1 for advice, too"),
                    Setting(
                        "styles", .toggle, \.listsStyles,
                        "print the names of the catalog's styles and nothing else"),
                ])
        ]
        + [SettingGroup<LayoutConfiguration>.fonts, .viewport, .limits].map { group in
            SettingGroup(
                group.title,
                group.settings.map { setting in
                    setting.option.name == textScale.option.name
                        ? textScale : setting.within(\.layout)
                })
        }

    private static let textScale = Setting<CheckConfiguration>(
        "text-scale", .textScales, \.textScales, default: "1",
        "the text size of the reader, the factor of fonts that scale; may be repeated"
    ).repeatable()
}

private struct CheckReport {
    /// A line for each violation of a contract and each diagnostic of a layout.
    private(set) var errors: [String]
    /// A line for each piece of advice on a layout or the catalog, and for each member that is
    /// ignored.
    private(set) var advice: [String]

    init(of sources: [SourceText], _ configuration: CheckConfiguration) {
        let layout = configuration.layout
        let catalog = ReadResult { () throws(CommandError) in
            try CatalogFile(fonts: layout.fonts)
                .catalog(in: sources[0], limits: layout.limits).catalog
        }
        errors = catalog.errors
        advice = []
        let registry = catalog.value?.registry
        if let catalog = catalog.value { add(catalog.diagnostics, in: sources[0]) }
        let composer = Composer(
            registry: registry ?? CellRegistry(), limits: layout.limits)
        var pages: [PageFile] = []
        for source in sources.dropFirst() {
            let file = ReadResult { () throws(CommandError) in
                try PageFile(source, for: composer)
            }
            errors += file.errors
            // With an invalid catalog, only violations that do not depend on it are known.
            guard let page = file.value, registry != nil else { continue }
            pages.append(page)
            do throws(CommandError) {
                try add(page, composer, configuration)
            } catch {
                errors += error.lines
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

    /// Adds the lines of a page at each text size, except those that a smaller one has.
    private mutating func add(
        _ page: PageFile, _ composer: Composer, _ configuration: CheckConfiguration
    ) throws(CommandError) {
        let scales = Set(configuration.textScales).sorted()
        var request = configuration.layout.request
        var found: [(suffix: String, PageFile.Diagnostics)] = []
        for scale in scales.isEmpty ? [request.viewport.textScale] : scales {
            request.viewport.textScale = scale
            let diagnostics = try page.diagnostics(
                for: composer, request, comparingAllTexts: scales.count > 1)
            let isNamed = scales.count > 1 && scale != 1
            found.append((isNamed ? " at text scale \(scale.shortest)" : "", diagnostics))
        }
        errors += page.violations(by: composer.registry)
        var reported: Set<ReportedPlace> = []
        for (suffix, diagnostics) in found {
            let isNew = { !reported.contains(ReportedPlace($0)) }
            errors += page.lines(diagnostics.errors.filter(isNew)).map { $0 + suffix }
            advice += page.lines(diagnostics.advice.filter(isNew)).map { $0 + suffix }
            reported.formUnion((diagnostics.errors + diagnostics.advice).map(ReportedPlace.init))
        }
    }
}

/// The pointer and the code of a diagnostic.
private struct ReportedPlace: Hashable {
    private let pointer: String
    private let code: Diagnostic.Code

    init(_ diagnostic: Diagnostic) {
        pointer = diagnostic.pointer
        code = diagnostic.code
    }
}

extension Double {
    /// The number without a fraction if it is whole.
    fileprivate var shortest: String { Int(exactly: self).map(String.init) ?? String(self) }
}

extension SettingValues<[Double]> {
    fileprivate static var textScales: SettingValues {
        let one = SettingValues<Double>.textScale
        return SettingValues(
            form: one.form, placeholder: one.placeholder, unit: one.unit,
            expectation: one.expectation,
            read: { text in
                let scales = text.split(separator: ",", omittingEmptySubsequences: false)
                    .map { one.read(String($0)) }
                return scales.contains(nil) ? nil : scales.compactMap(\.self)
            }, describe: { _ in nil })
    }
}
