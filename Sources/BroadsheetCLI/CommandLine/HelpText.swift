/// The help texts, for a terminal of 80 columns or more.
enum HelpText {
    /// Returns the text of `broadsheet help COMMAND`.
    static func of(_ command: Command) -> String {
        var text = "\(command.summary).\n\nUsage:\n"
        for line in command.usage { text += "  broadsheet \(line)\n" }
        if !command.discussion.isEmpty { text += "\n\(command.discussion)\n" }
        for group in command.optionGroups {
            text += "\n\(group.title):\n"
            for option in group.options { text += entry(option) }
        }
        return text
    }

    /// Returns the text of `broadsheet help`.
    static func overview(of commands: [Command]) -> String {
        let width = commands.map(\.name.count).max() ?? 0
        var text = "Lays out server-driven pages and returns their frames.\n\nUsage:\n"
        text += "  broadsheet COMMAND [OPTION ...]\n\nCommands:\n"
        for command in commands {
            let padding = String(repeating: " ", count: width - command.name.count + 2)
            text += "  \(command.name)\(padding)\(command.summary)\n"
        }
        return text + "\n'broadsheet help COMMAND' describes one command and its options.\n"
    }

    private static func entry(_ option: Option) -> String {
        var head = "  "
        if let letter = option.letter { head += "-\(letter), " }
        head += option.flag
        if let placeholder = option.placeholder { head += " \(placeholder)" }
        var facts = [String]()
        if let text = option.defaultText {
            facts.append("default \(text)")
        } else if let unit = option.unit {
            facts.append("in \(unit)")
        }
        if option.sources.contains(.environment) {
            facts.append("environment \(option.environmentVariable)")
        }
        let lines = [option.summary] + (facts.isEmpty ? [] : [facts.joined(separator: "; ")])
        return "\(head)\n" + lines.map { "      \($0)\n" }.joined()
    }
}
