import Broadsheet
import BroadsheetWeb

extension Command {
    static let initialize = Command(
        name: "init",
        summary: "Creates a folder with a catalog, pages and a web page to begin with",
        usage: ["init FOLDER"],
        discussion: """
            The folder is new, or empty. Its README.md starts a daemon, posts the pages and opens the
            web page; ci.yml has the checks for a repository (docs/generate.md).
            Exit status: 1 if the folder is not empty or cannot be created; nothing is changed then.
            """,
        settings: [SettingGroup<NoConfiguration>](),
        run: { call async throws(CommandError) in
            guard call.operands.count == 1 else { throw .usage("one FOLDER is needed") }
            let folder = call.operands[0]
            let files = try StartingFiles.all()
            if let failure = call.console.createFolder(folder) {
                throw .input(["\(folder): \(failure)"])
            }
            for (name, bytes) in files {
                if let failure = call.console.save(bytes, "\(folder)/\(name)") {
                    throw .input(["\(folder)/\(name): \(failure)"])
                }
            }
            try call.console.print(
                "created \(folder); next: cd \(folder), and follow README.md\n")
            return .success
        })
}

/// The files of a new folder.
private enum StartingFiles {
    /// Returns the names and contents of all files, of which one is generated.
    static func all() throws(CommandError) -> [(name: String, bytes: [UInt8])] {
        var files = (0..<broadsheet_starting_count()).map { index in
            let file = broadsheet_starting_file(index)
            let bytes = Array(UnsafeBufferPointer(start: file.bytes, count: file.length))
            return (name: String(cString: file.name), bytes: bytes)
        }
        guard let catalog = files.first(where: { $0.name == "catalog.json" }) else { return files }
        let generation = Generation(
            .typescript, of: SourceText(path: catalog.name, bytes: catalog.bytes), name: "Shop")
        files.append((name: "shop.ts", bytes: try generation.code().bytes))
        return files
    }
}
