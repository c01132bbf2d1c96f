import Broadsheet
import BroadsheetOrigin
import BroadsheetText

extension Command {
    static let version = Command(
        name: "version",
        summary: "Prints the version, and those of the libraries that are loaded at need",
        usage: ["version"],
        settings: [SettingGroup<NoConfiguration>](),
        run: { call async throws(CommandError) in
            guard call.operands.isEmpty else {
                throw .usage("version takes no '\(call.operands[0])'")
            }
            let texts = FontMeasurer.libraryVersions ?? "no HarfBuzz and ICU"
            let libraries = "\(texts), \(CurlOrigin.libraryVersion ?? "no libcurl")"
            try call.console.print("broadsheet \(BroadsheetVersion.current) (\(libraries))\n")
            return .success
        })

    static let help = Command(
        name: "help", summary: "Prints the list of commands, or the help text of one",
        usage: ["help [COMMAND]"], settings: [SettingGroup<NoConfiguration>](),
        run: { call async throws(CommandError) in
            guard call.operands.count <= 1 else {
                throw .usage("help takes one command's name, not '\(call.operands[1])' as well")
            }
            if let name = call.operands.first {
                try call.console.print(HelpText.of(try Command.named(name)))
            } else {
                try call.console.print(HelpText.overview(of: Command.all))
            }
            return .success
        })
}
