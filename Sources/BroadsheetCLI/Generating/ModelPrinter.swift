import Broadsheet

/// Writes the types of a catalog in a language: the values of the language's template.
struct ModelPrinter {
    let language: GeneratedLanguage
    let model: GeneratedModel
    /// The names of the cases in whose scope types are named; in Kotlin they are types, too.
    var cases: Set<String> = []

    func literal(_ text: String) -> String { language.literal(text) }

    private func caseName(_ identifier: String) -> String {
        language == .kotlin ? CodeName.capitalized(identifier) : language.name(identifier)
    }

    /// Returns the name of a member in a literal, or without quotes where it needs none.
    private func key(_ name: String) -> String {
        guard language == .typescript else { return literal(name) }
        // A literal object would have it as its prototype.
        if name == "__proto__" { return "[\(literal(name))]" }
        let isName = name.utf8.allSatisfy { $0.isLetterOrDigit || $0 == 95 || $0 == 36 }
        return isName && !name.isEmpty && CodeName.identifier(name) == name ? name : literal(name)
    }

    /// Returns the text that a rule of the template, or else the one for names, has for a type.
    ///
    /// The places of a rule are `name`, `literal` and `value`, names with the scope that they have
    /// where a case hides them, and rules for the type inside, with the `value` of that.
    func text(_ rule: String, _ type: DataType, of value: String = "") -> String {
        let (kind, innerKind) = (kind(of: type), self.kind(of: type.inner))
        let kinds = [" \(kind) \(innerKind)", " \(kind)"]
        let names = (kinds + [""]).map { rule + $0 } + kinds.map { "type" + $0 }
        let pieces = names.lazy.compactMap { language.template.rules[$0] }.first ?? []
        return pieces.enumerated().map { place, piece in
            guard place % 2 == 1 else { return piece }
            switch piece {
            case "value": return value
            case "literal": return literal(type.literal?.text ?? "")
            case "name":
                return type.declared.map { known("\(model.name).\(model.declared[$0].name)") } ?? ""
            default:
                let words = piece.split(separator: " ").map(String.init)
                if words[0].utf8.contains(UInt8(ascii: ".")) { return known(piece) }
                return text(words[0], type.inner, of: words.last ?? "")
            }
        }.joined()
    }

    private func kind(of type: DataType) -> String {
        let isStrings = type.content.map { model.declared[$0].form == .strings } == true
        return isStrings ? "strings" : type.layers.first?.rawValue ?? type.core.rawValue
    }

    /// Returns a name without its scope, unless a case hides it.
    private func known(_ name: String) -> String {
        let last = name.unicodeScalars.split(separator: ".").last.map { String($0) } ?? name
        return cases.contains(last) ? name : last
    }

    /// Returns the assignment of the only value that a member has, if there is one.
    func constant(_ member: NamedValue) -> String {
        guard let type = member.type, let constant = member.constant else { return "" }
        let isLowest = type.core == .integer && language == .kotlin && constant == "\(Int64.min)"
        return " = \(isLowest ? "Long.MIN_VALUE" : text("constant", type, of: constant))"
    }

    var file: TemplateValues {
        let package = model.package?.split(separator: ".").map { language.name(String($0)) } ?? []
        return [
            "header": .text(model.header), "scope": .text(model.name),
            "package": .text(package.joined(separator: ".")),
            "unitType": .text(key(model.unitMembers.type)),
            "unitData": .text(key(model.unitMembers.data)),
            "families": groups(.cells, .units), "actions": groups(.actions),
            "constants": groups(.names, .parts), "names": groups(.names), "parts": groups(.parts),
            "types": .items(model.types.map(values)),
        ]
    }

    private func groups(_ kinds: NamedGroup.Kind...) -> TemplateValue {
        var cells = NameScope.constants
        return .items(
            model.groups.filter { kinds.contains($0.kind) }.map { group in
                items(group.values, areCases: group.isFamily).merging([
                    "groupName": .text(group.name), "cell": .text(cells.take(group.cellName)),
                    "comment": .comment(Comment(lines: [group.comment])),
                    "noun": .text("\(group.name.lowercased()) type"),
                    "isCell": .flag(group.kind == .cells),
                    "values": .list(group.values.map { literal($0.value) }),
                ]) { $1 }
            })
    }

    private func values(of type: DeclaredType) -> TemplateValues {
        let known = type.parts.filter { !$0.isAdditional }
        let others = type.parts.first(where: \.isAdditional)?.type
        var values: TemplateValues = [
            "typeName": .text(type.name), "comment": .comment(type.comment),
            "names": .text(known.map { literal($0.value) }.joined(separator: ", ")),
            "writeOthers": .text(others.map { text("writeOthers", $0) } ?? ""),
            "isObject": .flag(type.form == .object), "isStrings": .flag(type.form == .strings),
        ]
        if case .union(let selector) = type.form {
            values["isUnion"] = .flag(true)
            values["selector"] = .text(selector.map { literal($0.text) } ?? "")
        }
        values.merge(items(type.parts, areCases: type.form != .object)) { $1 }
        if language == .swift { values.merge(swiftValues(of: type)) { $1 } }
        if language == .typescript { values.merge(typeScriptValues(of: type)) { $1 } }
        return values
    }

    private func items(_ values: [NamedValue], areCases: Bool) -> TemplateValues {
        var printer = self
        let hides = areCases && language == .kotlin
        printer.cases = hides ? Set(values.map { caseName($0.identifier) }) : []
        return [
            "items": .items(values.map(printer.values)),
            "string": .text(printer.text("type", .string)),
        ]
    }

    private func values(of value: NamedValue) -> TemplateValues {
        var comment = value.comment
        comment.lines += value.notes.map(\.text)
        let (type, key) = (value.type ?? .json, key(value.value))
        return [
            "name": .text(language.name(value.identifier)),
            "caseName": .text(caseName(value.identifier)), "text": .text(value.value),
            "value": .text(literal(value.value)), "key": .text(key),
            "comment": .comment(comment), "type": .text(text("type", type)),
            "stored": .text(stored(value)), "constant": .text(constant(value)),
            "input": .text(text(value.type == nil ? "input" : "type", type)),
            "element": .text(text("type", type.inner)),
            "readOthers": .text(text("readOthers", type)),
            "read": .rule { text("read", type, of: $0) },
            "write": .rule { text("write", type, of: $0) },
            "readRequired": .text(text("read", type, of: "_required(members, \(key))")),
            "writeRequired": .text(text("write", type, of: language.name(value.identifier))),
            "?": .text(value.isRequired ? "" : "?"),
            "hasSameName": .flag(value.identifier == value.value),
            "isJSON": .flag(type == .json), "isNullable": .flag(type.isNullable),
            "keepsNull": .flag(type == .json || type.isNullable),
            "isRequired": .flag(value.isRequired), "isAdditional": .flag(value.isAdditional),
            "probe": .text(value.kind.map { text("probe \($0)", type) } ?? ""),
        ]
    }

    /// Returns the type of a member as it is kept, without what may be missing.
    func stored(_ member: NamedValue) -> String {
        let rule = member.isRequired ? "required" : "optional"
        return text(rule + (member.isIndirect ? "Indirect" : ""), member.type ?? .json)
    }
}
