import Broadsheet

/// A valid page that was read from a file.
struct PageFile {
    fileprivate let source: SourceText
    let page: ServerStatePage

    /// Reads `source` as a page.
    ///
    /// - Throws: `CommandError.input` with one line if the text is not valid JSON, or with a line
    ///   for each violation of the contract.
    init(_ source: SourceText, for composer: Composer) throws(CommandError) {
        self.source = source
        do throws(ComposeError) {
            page = try composer.page(in: try composer.document(of: source.bytes))
        } catch {
            throw .input(source.lines(for: error))
        }
    }

    /// Throws `CommandError.input` with the lines of all `sources`.
    static func all(
        in sources: [SourceText], for composer: Composer
    ) throws(CommandError) -> [PageFile] {
        let files = sources.map { source in
            ReadResult { () throws(CommandError) in try PageFile(source, for: composer) }
        }
        let errors = files.flatMap(\.errors)
        guard errors.isEmpty else { throw .input(errors) }
        return files.compactMap(\.value)
    }

    /// Returns a line for each violation of this page in strict mode.
    func violations(by registry: CellRegistry) -> [String] {
        let strict = page.strictDiagnostics(by: registry)
        let unlisted = strict.total - strict.first.count
        return lines(strict.first)
            + (unlisted > 0 ? ["\(source.path): \(unlisted) more violations"] : [])
    }

    /// The diagnostics of this page alone, besides the violations.
    struct Diagnostics {
        /// The diagnostics of the layout.
        let errors: [Diagnostic]
        /// The members that are ignored, and the lint of the layout.
        let advice: [Diagnostic]
    }

    /// Returns the diagnostics of this page alone, besides the violations.
    ///
    /// - Parameter comparingAllTexts: A Boolean value that indicates whether lint compares the
    ///   texts of all contents with those at the text size 1.
    func diagnostics(
        for composer: Composer, _ request: LayoutParameters, comparingAllTexts: Bool
    ) throws(CommandError) -> Diagnostics {
        let screen = composer.screen(of: try composer.viewModel(of: [self]), request)
        let others = screen.diagnostics.filter {
            !$0.isAdvice && !Diagnostic.Code.strict.contains($0.code)
        }
        return Diagnostics(
            errors: others + screen.diagnostics(of: composer.frames(of: screen, request)),
            advice: screen.diagnostics.filter(\.isAdvice)
                + composer.lint(screen, request, comparingAllTexts: comparingAllTexts))
    }

    func lines(_ diagnostics: [Diagnostic]) -> [String] {
        diagnostics.map { source.line(for: $0, in: page.document.root) }
    }

    fileprivate func lines(for error: ComposeError) -> [String] {
        guard case .repeatedNumber = error else { return source.lines(for: error) }
        return [source.line(at: "/page", in: page.document.root, error.detail)]
    }
}

extension Diagnostic {
    /// A Boolean value that indicates whether `check` succeeds with the diagnostic, unless
    /// `--strict` is given.
    var isAdvice: Bool {
        switch code {
        case .unknownMember: !isMisspelling
        case .memberWithoutEffect, .unknownSection: true
        case .diagnosticsTruncated: page == nil
        default: false
        }
    }
}

extension [PageFile] {
    /// Checks that a unit of the pages, if they have any, is of a type that is registered.
    ///
    /// - Throws: `CommandError.input` with a line for each page that has units.
    func checkUnitTypes(by registry: CellRegistry) throws(CommandError) {
        let unknown = map { $0.page.unknownUnitTypes(by: registry) }
        let lines = zip(self, unknown).compactMap { file, unknown -> String? in
            guard !unknown.types.isEmpty else { return nil }
            let names = unknown.types.map { "\"\($0)\"" }.joined(separator: ", ")
            return "\(file.source.path): all units are of types that the catalog does not have "
                + "(\(names)); name the catalog of the page with --catalog FILE"
        }
        guard lines.isEmpty || unknown.contains(where: \.hasKnown) else { throw .input(lines) }
    }
}

extension MergedScreen {
    /// Checks that no essential section is missing.
    ///
    /// - Throws: `CommandError.input` with a line for each one that is.
    func checkEssentialSections(of files: [PageFile]) throws(CommandError) {
        guard !missingSections.isEmpty else { return }
        throw .input(
            missingSections.flatMap { page, section in
                files.filter { $0.page.document.bytes == page.bytes }.prefix(1).map { file in
                    file.source.line(
                        at: section.pointer(page.names), in: file.page.document.root,
                        section.detail(page: page.number, page.names))
                }
            })
    }
}

extension Composer {
    /// Throws `CommandError.input` with the position of the page that cannot be merged.
    func viewModel(of files: [PageFile]) throws(CommandError) -> PaginatedViewModel {
        do throws(ComposeError) {
            return try viewModel(of: files.map(\.page))
        } catch {
            throw .input(files[error.page].lines(for: error))
        }
    }
}

/// The result of reading something: a value, or the lines of an error.
///
/// For commands that continue after an error, to print all of them.
struct ReadResult<Value> {
    let value: Value?
    let errors: [String]

    init(_ read: () throws(CommandError) -> Value) {
        do throws(CommandError) {
            (value, errors) = (try read(), [])
        } catch {
            (value, errors) = (nil, error.lines)
        }
    }
}
