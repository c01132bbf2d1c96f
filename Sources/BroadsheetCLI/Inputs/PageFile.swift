internal import Broadsheet

/// A page that was read from a file and keeps the contract.
struct PageFile {
    /// Where it came from.
    let source: SourceText
    /// The page.
    let page: ServerStatePage

    /// Reads `source` as a page.
    ///
    /// - Throws: `CommandError.input` with a line for each fault: the one byte that keeps it from
    ///   being JSON, or everything in it that does not keep the contract.
    init(_ source: SourceText, for composer: Composer) throws(CommandError) {
        self.source = source
        do throws(ComposeError) {
            page = try composer.page(in: try composer.document(of: source.bytes))
        } catch {
            throw .input(source.lines(for: error))
        }
    }

    /// Reads all `sources` as pages.
    ///
    /// - Throws: `CommandError.input` with the faults of all of them.
    static func all(
        in sources: [SourceText], for composer: Composer
    ) throws(CommandError) -> [PageFile] {
        let files = sources.map { source in
            Finding { () throws(CommandError) in try PageFile(source, for: composer) }
        }
        let faults = files.flatMap(\.faults)
        guard faults.isEmpty else { throw .input(faults) }
        return files.compactMap(\.value)
    }
}

extension Composer {
    /// The view model that the pages of `files` make.
    ///
    /// - Throws: `CommandError.input` with the place of the page that does not fit the others.
    func viewModel(of files: [PageFile]) throws(CommandError) -> PaginatedViewModel {
        do throws(ComposeError) {
            return try viewModel(of: files.map(\.page))
        } catch {
            throw .input(files[error.page].lines(for: error))
        }
    }
}

extension PageFile {
    /// A line for everything that a layout of this page alone would lose.
    func losses(
        for composer: Composer, _ request: LayoutRequest
    ) throws(CommandError) -> [String] {
        let screen = composer.screen(of: try composer.viewModel(of: [self]), request)
        return lines(
            screen.diagnostics + screen.diagnostics(of: composer.frames(of: screen, request)))
    }

    /// A line for everything that a designer would want to know of this page's layout.
    func advice(
        for composer: Composer, _ request: LayoutRequest
    ) throws(CommandError) -> [String] {
        let screen = composer.screen(of: try composer.viewModel(of: [self]), request)
        return lines(composer.lint(screen, request))
    }

    private func lines(_ diagnostics: [Diagnostic]) -> [String] {
        diagnostics.map { finding in
            source.line(
                at: finding.pointer, in: page.document.root,
                "\(finding.code.rawValue) \(finding.detail)")
        }
    }

    /// The lines for what keeps this page from joining the others.
    fileprivate func lines(for error: ComposeError) -> [String] {
        guard case .repeatedNumber = error else { return source.lines(for: error) }
        return [source.line(at: "/page", in: page.document.root, error.detail)]
    }
}
