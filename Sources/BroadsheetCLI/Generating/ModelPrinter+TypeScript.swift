extension ModelPrinter {
    func typeScriptValues(of type: DeclaredType) -> TemplateValues {
        var comment = type.comment
        var branches: [String] = []
        switch type.form {
        case .object, .alias: return [:]
        case .strings:
            for part in type.parts where !part.comment.lines.isEmpty {
                comment.lines.append("\(part.value): \(part.comment.lines.joined(separator: " "))")
            }
            branches = type.parts.map { literal($0.value) } + ["(string & {})"]
        case .union:
            comment.lines += type.parts.flatMap(\.notes).map(\.text)
            comment.lines.append("Newer catalogs may have other values.")
            branches = type.parts.compactMap { $0.type.map { text("branch", $0) } }
        }
        let alias = branches.joined(separator: " | ")
        return [
            "comment": .comment(comment), "alias": .text(alias),
            "branches": .items(branches.map { ["branch": .text($0)] }),
            "isLong": .flag("export type \(type.name) = \(alias);".utf8.count > 100),
        ]
    }
}
