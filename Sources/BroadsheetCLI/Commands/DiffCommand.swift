import Broadsheet

extension Command {
    static let diff = Command(
        name: "diff", summary: "Prints what a change of a catalog does to old pages and old apps",
        usage: ["diff [OPTION ...] OLD.json NEW.json [-- PAGE.json ...]"],
        discussion: """
            Each change that can break a page, an app or a backend is a line, in the file that has
            the pointer: file:line:column, a JSON pointer, a code, a message. The codes are
            UNIT_TYPE_GONE, CELL_TYPE_WITHOUT_SINCE, CELL_TYPE_WITHOUT_FALLBACK, SCHEMA_NARROWER,
            PART_GONE and CONTROL_CHANGED.
            For each page after '--' whose tree changes there is a line with TREE_CHANGED, which
            does not change the exit status. '-' is standard input.
            Exit status: 0 without such a change, else 1; 1 also with the violations of a catalog or
            a page, on standard error.
            """,
        settings: [SettingGroup<LayoutConfiguration>.fonts, .viewport, .limits],
        run: { call async throws(CommandError) in
            let catalogs = call.operands[..<(call.separator ?? call.operands.count)]
            guard catalogs.count == 2 else {
                throw .usage("two catalogs are needed: OLD.json and NEW.json")
            }
            let sources = try SourceText.all(at: call.operands, "OLD.json", in: call.console)
            let configuration = try call.configuration()
            let diff = try CatalogDiff(from: sources[0], to: sources[1], by: configuration)
            let trees = try diff.changedTrees(of: Array(sources.dropFirst(2)))
            try call.console.print((diff.lines + trees).map { $0 + "\n" }.joined())
            return diff.lines.isEmpty ? .success : .failure
        })
}

private struct CatalogDiff {
    /// A line for each change that can break a page, an app or a backend.
    let lines: [String]
    private let old: Catalog
    private let new: Catalog
    private let configuration: LayoutConfiguration

    /// Throws `CommandError.input` with the violations of both.
    init(
        from old: SourceText, to new: SourceText, by configuration: LayoutConfiguration
    ) throws(CommandError) {
        let catalogs = [old, new].map { source in
            ReadResult { () throws(CommandError) in
                try CatalogFile(fonts: configuration.fonts)
                    .catalog(in: source, limits: configuration.limits).catalog
            }
        }
        let errors = catalogs.flatMap(\.errors)
        guard errors.isEmpty, let before = catalogs[0].value, let after = catalogs[1].value else {
            throw .input(errors)
        }
        (self.old, self.new, self.configuration) = (before, after, configuration)
        lines = after.differences(since: before).map { difference in
            let (source, catalog) = difference.isInOld ? (old, before) : (new, after)
            let root = (try? JSONDocument(catalog.bytes, maxDepth: .max))?.root
            let message = "\(difference.code.rawValue) \(difference.detail)"
            guard let root else { return "\(source.path): \(difference.pointer) \(message)" }
            return source.line(at: difference.pointer, in: root, message)
        }
    }

    /// Returns a line for each page that has another tree by the new catalog.
    func changedTrees(of pages: [SourceText]) throws(CommandError) -> [String] {
        var lines: [String] = []
        for page in pages where try tree(of: page, by: old) != tree(of: page, by: new) {
            lines.append(
                page.line(
                    at: 0, pointer: "",
                    "\(CatalogDifference.Code.treeChanged.rawValue) has another tree by the new catalog"
                ))
        }
        return lines
    }

    private func tree(of page: SourceText, by catalog: Catalog) throws(CommandError) -> [UInt8] {
        let composer = Composer(registry: catalog.registry, limits: configuration.limits)
        let file = try PageFile(page, for: composer)
        let screen = composer.screen(
            of: try composer.viewModel(of: [file]), configuration.request)
        return composer.tree(
            of: screen, composer.frames(of: screen, configuration.request), configuration.request)
    }
}
