import BroadsheetWeb

enum GeneratedLanguage: String, CaseIterable, Sendable {
    case swift, kotlin, typescript

    private static let swiftTemplate = Template(broadsheet_swift_template())
    private static let kotlinTemplate = Template(broadsheet_kotlin_template())
    private static let typeScriptTemplate = Template(broadsheet_typescript_template())

    var template: Template {
        switch self {
        case .swift: Self.swiftTemplate
        case .kotlin: Self.kotlinTemplate
        case .typescript: Self.typeScriptTemplate
        }
    }

    func code(of model: GeneratedModel) -> String {
        CodeWriter(self, ModelPrinter(language: self, model: model).file).text
    }

    /// Returns an identifier as a name, which has backticks if it is a keyword.
    func name(_ identifier: String) -> String {
        template.words["keywords"]?.contains(identifier) == true ? "`\(identifier)`" : identifier
    }

    func literal(_ text: String) -> String {
        let parts = text.unicodeScalars.map { scalar -> String in
            switch scalar {
            case "\"", "\\": return "\\\(scalar)"
            case "$" where self == .kotlin: return "\\$"
            case " "..."~": return String(scalar)
            default: return CodeName.isLetter(scalar) ? String(scalar) : escape(scalar)
            }
        }
        return "\"\(parts.joined())\""
    }

    private func escape(_ scalar: Unicode.Scalar) -> String {
        guard self == .kotlin else { return "\\u{\(String(scalar.value, radix: 16))}" }
        return String(scalar).utf16
            .map { "\\u" + String(0x10000 + Int($0), radix: 16).dropFirst() }.joined()
    }
}
