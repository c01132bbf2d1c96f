import Broadsheet

extension Command {
    static let compose = Command(
        name: "compose", summary: "Prints the tree of one or more pages",
        usage: ["compose [OPTION ...] PAGE.json [PAGE.json ...]"],
        discussion: """
            Pages merge as they do in the daemon; one without a number takes the next free one.
            '-' is standard input. Exit status: 0, or 1 with a line for each violation of a page
            or the catalog (file:line:column, a JSON pointer, a message) on standard error; also
            if the catalog has none of the unit types of the pages.
            """,
        settings: LaidOutPages.settings,
        run: { call async throws(CommandError) in
            let pages = try LaidOutPages(call.operands, try call.configuration(), in: call.console)
            let tree = pages.composer.tree(of: pages.screen, pages.frames, pages.request)
            try call.console.print(tree + [UInt8(ascii: "\n")])
            return .success
        })
}

/// Pages from files, laid out: the input of `compose` and `render`.
struct LaidOutPages {
    let composer: Composer
    let request: LayoutParameters
    let screen: MergedScreen
    let frames: ScreenFrames

    static let settings: [SettingGroup<LayoutConfiguration>] = [
        .input, .viewport, .client, .tree, .limits,
    ]

    /// Reads the files at `paths` and lays them out.
    ///
    /// - Throws: `CommandError.usage` without paths, for a second use of standard input, and for
    ///   a section that is both collapsed and expanded;
    ///   `CommandError.input` with a line for each violation of a page or the catalog, for each
    ///   essential section that is missing, or for each page if the catalog has no type of a unit.
    init(
        _ paths: [String], _ configuration: LayoutConfiguration, in console: Console
    ) throws(CommandError) {
        let limits = configuration.limits
        guard configuration.catalog != "-" || !paths.contains("-") else {
            throw .usage("standard input ('-') can be read only once")
        }
        if let id = configuration.request.expanded.firstCommon(
            with: configuration.request.collapsed)
        {
            throw .usage("--expanded cannot name '\(id)', which --collapsed names too")
        }
        let sources = try SourceText.all(at: paths, "a PAGE.json", in: console)
        let file = CatalogFile(path: configuration.catalog, fonts: configuration.fonts)
        let catalog = try file.catalog(in: console, limits: limits).catalog
        composer = Composer(registry: catalog.registry, limits: limits)
        request = configuration.request
        let files = try PageFile.all(in: sources, for: composer)
        screen = composer.screen(of: try composer.viewModel(of: files), request)
        try screen.checkEssentialSections(of: files)
        try files.checkUnitTypes(by: composer.registry)
        frames = composer.frames(of: screen, request)
    }
}
