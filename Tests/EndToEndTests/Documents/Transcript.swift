import Foundation

/// Runs a document's commands in one shell, as a reader pastes them, and keeps what each printed.
struct Transcript {
    /// The address that documents show; the daemon under test has another port.
    private static let shownAddress = "127.0.0.1:8080"
    /// Stands in the output between two commands; nothing in a document prints it.
    private static let separator = "--8<-- next command --8<--"

    /// The lines that each command printed, in order.
    let outputs: [[String]]

    /// Runs `commands` against `daemon` with the repository's root as the current folder.
    init(of commands: [String], against daemon: Daemon) throws {
        let folder = try ScratchFolder()
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("broadsheet"), withDestinationPath: Repository.binary)
        var script = "exec 2>&1 </dev/null\nPATH='\(folder.path):'\"$PATH\"\n"
        for command in commands {
            let typed = command.replacing(Self.shownAddress, with: daemon.address)
                .replacing(".build/release/broadsheet", with: "broadsheet")
            script += "\(typed)\nprintf '\\n%s\\n' '\(Self.separator)'\n"
        }
        let outcome = try Shell.run(
            ["/bin/bash", try folder.write(script, to: "script")],
            directory: Repository.folder, within: .seconds(90))
        outputs = outcome.output.replacing(daemon.address, with: Self.shownAddress)
            .components(separatedBy: "\n\(Self.separator)\n").dropLast()
            .map { printed in
                let text = printed.hasSuffix("\n") ? printed.dropLast() : printed[...]
                return text.isEmpty ? [] : text.components(separatedBy: "\n")
            }
    }
}
