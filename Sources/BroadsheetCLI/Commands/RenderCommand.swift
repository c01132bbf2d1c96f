internal import Broadsheet

/// `broadsheet render`: draws the layout of pages as an SVG wireframe.
enum RenderCommand: Command {
    static let name = "render"
    static let summary = "Draws the layout of one or more pages as an SVG picture"
    static let usage = ["render [OPTION ...] PAGE.json [PAGE.json ...]"]
    static let discussion = [
        """
        Takes the same pages and options as compose; what only shapes JSON (fields, pretty)
        leaves the picture as it is. The picture is for light and dark surroundings.
        Exit status: as compose's.
        """
    ]
    static let optionGroups =
        [OptionGroup(title: "The picture", options: [output.option, title.option])]
        + LaidOutPages.optionGroups

    /// Where the picture goes.
    static let output = Setting.text(
        "output", letter: "o", "FILE", "-", "the file to write; '-' is standard output")
    /// The picture's heading.
    static let title = Setting.text(
        "title", "TEXT", "", "the heading; the files' names unless given")

    static func run(
        _ arguments: Arguments, in console: Console
    ) async throws(CommandError)
        -> ExitStatus
    {
        let settings = Settings(arguments)
        let pages = try LaidOutPages(arguments, in: console)
        let heading = settings[title]
        let picture = PictureWriter.write(
            pages.screen, pages.frames, viewport: pages.request.viewport,
            title: heading.isEmpty ? names(arguments.operands) : heading)
        try save(picture, at: settings[output], in: console)
        return .success
    }

    private static func names(_ paths: [String]) -> String {
        paths.map { path in
            path == "-"
                ? "standard input" : path.split(separator: "/").last.map(String.init) ?? path
        }.joined(separator: ", ")
    }

    private static func save(
        _ picture: [UInt8], at path: String, in console: Console
    ) throws(CommandError) {
        guard path != "-" else { return try console.print(picture) }
        if let fault = console.save(picture, path) {
            throw .input(["\(path): \(fault)"])
        }
    }
}
