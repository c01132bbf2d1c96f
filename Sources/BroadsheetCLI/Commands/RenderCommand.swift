import Broadsheet

extension Command {
    static let render = Command(
        name: "render", summary: "Draws the layout of one or more pages as an SVG picture",
        usage: ["render [OPTION ...] PAGE.json [PAGE.json ...]"],
        discussion: """
            Takes the pages and options of compose; options that only change JSON (fields,
            pretty) do not change the picture. The picture suits light and dark backgrounds.
            Items have the texts and images that the catalog's "picture" members point to.
            Exit status: that of compose.
            """,
        settings: RenderConfiguration.settings,
        run: { call async throws(CommandError) in
            let configuration = try call.configuration()
            let pages = try LaidOutPages(call.operands, configuration.layout, in: call.console)
            let title = configuration.title
            let picture = PictureWriter.write(
                pages.screen, pages.frames, viewport: pages.request.viewport,
                title: title.isEmpty ? names(of: call.operands) : title,
                options: configuration.picture)
            try save(picture, at: configuration.output, in: call.console)
            return .success
        })

    private static func names(of paths: [String]) -> String {
        paths.map { path in
            path == "-"
                ? "standard input" : path.split(separator: "/").last.map(String.init) ?? path
        }.joined(separator: ", ")
    }

    private static func save(
        _ picture: [UInt8], at path: String, in console: Console
    ) throws(CommandError) {
        guard path != "-" else { return try console.print(picture) }
        if let failure = console.save(picture, path) {
            throw .input(["\(path): \(failure)"])
        }
    }
}

private struct RenderConfiguration: Configurable {
    static let defaults = RenderConfiguration()

    /// The file of the picture; `-` is standard output.
    var output = "-"
    /// The heading of the picture; empty for the names of the files.
    var title = ""
    var picture = PictureOptions()
    var layout = LayoutConfiguration()

    static let settings: [SettingGroup<RenderConfiguration>] =
        [
            SettingGroup(
                "Picture",
                [
                    Setting(
                        "output", .text("FILE"), \.output,
                        "the file to write; '-' is standard output"
                    ).abbreviated("o"),
                    Setting(
                        "title", .text("TEXT"), \.title, default: "the names of the files",
                        "the heading"),
                    Setting(
                        "style", .choice("STYLE"), \.picture.style,
                        "a wireframe with names and measures, or the screen alone as in an app"),
                    Setting(
                        "max-length", .drawnLength, \.picture.maxLength,
                        "the length at which a long screen is cut, along its axis"),
                ])
        ]
        + LaidOutPages.settings.map { group in
            SettingGroup(group.title, group.settings.map { $0.within(\.layout) })
        }
}

extension SettingValues<Double> {
    /// The lengths of pictures: any length of a viewport.
    fileprivate static var drawnLength: SettingValues {
        .number("POINTS", unit: "points", "a number from 1 to 100000") { 1...100_000 ~= $0 }
    }
}
