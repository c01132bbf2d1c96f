internal import Broadsheet

/// Pages from files, laid out: what `compose` prints as a tree and `render` draws.
struct LaidOutPages {
    /// What they were laid out by.
    let composer: Composer
    /// What they were laid out for.
    let request: LayoutRequest
    /// The screen that they make together.
    let screen: MergedScreen
    /// Where everything of it stands.
    let frames: ScreenFrames

    /// The options that a command which lays out pages has.
    static let optionGroups = [
        OptionGroup(title: "What to lay out", options: [TreeSettings.catalog.option]),
        OptionGroup(title: "The tree", options: TreeSettings.ofTree),
        OptionGroup(title: "Limits", options: LimitSettings.ofPages.map(\.option)),
    ]

    /// Reads the files that the operands name, and lays them out as the options say.
    ///
    /// - Throws: `CommandError.usage` without operands or with standard input twice;
    ///   `CommandError.input` with a line for each fault of a page or the catalog.
    init(_ arguments: Arguments, in console: Console) throws(CommandError) {
        let settings = Settings(arguments)
        let limits = ScreenLimits(settings)
        let path = settings[TreeSettings.catalog]
        guard path != "-" || !arguments.operands.contains("-") else {
            throw .usage("standard input ('-') can be read only once")
        }
        let sources = try SourceText.all(arguments, "a PAGE.json", in: console)
        let catalog = try CatalogFile.catalog(at: path, in: console, limits: limits)
        composer = Composer(registry: catalog.registry, limits: limits)
        request = LayoutRequest(settings)
        let files = try PageFile.all(in: sources, for: composer)
        screen = composer.screen(of: try composer.viewModel(of: files), request)
        frames = composer.frames(of: screen, request)
    }
}
