/// Lays a command's help out for a terminal of 80 columns or more.
struct HelpText {
    /// What `broadsheet COMMAND --help` prints.
    static func of(_ command: any Command.Type) -> String {
        var text = "\(command.summary).\n\nUsage:\n"
        for line in command.usage { text += "  broadsheet \(line)\n" }
        for paragraph in command.discussion { text += "\n\(paragraph)\n" }
        guard !command.optionGroups.isEmpty else { return text }
        for group in command.optionGroups {
            text += "\n\(group.title):\n"
            for option in group.options { text += entry(option) }
        }
        return text
    }

    /// What `broadsheet help` prints.
    static func ofAll(_ commands: [any Command.Type]) -> String {
        let width = commands.map { $0.name.count }.max() ?? 0
        var text = "Lays out server-driven pages and answers with their frames.\n\nUsage:\n"
        text += "  broadsheet COMMAND [OPTION ...]\n\nCommands:\n"
        for command in commands {
            let padding = String(repeating: " ", count: width - command.name.count + 2)
            text += "  \(command.name)\(padding)\(command.summary)\n"
        }
        return text + "\n'broadsheet help COMMAND' says more about one of them.\n"
    }

    /// An option's lines: how it is typed, what it does, its default with unit, its other spelling.
    private static func entry(_ option: Option) -> String {
        var head = "  "
        if let letter = option.letter { head += "-\(letter), " }
        head += option.flag
        if let placeholder = option.placeholder { head += " \(placeholder)" }
        var facts = [String]()
        if let fallback = option.fallback {
            facts.append("default \(fallback)" + (option.unit.map { " \($0)" } ?? ""))
        } else if let unit = option.unit {
            facts.append("in \(unit)")
        }
        if option.hasVariable { facts.append("environment \(option.environmentVariable)") }
        let lines = [option.summary] + (facts.isEmpty ? [] : [facts.joined(separator: "; ")])
        return "\(head)\n" + lines.map { "      \($0)\n" }.joined()
    }
}
