import Foundation
import Testing

@testable import BroadsheetCLI

/// A place of a catalog that has a text of its author; parts, flags and platforms have names of a
/// form of their own.
enum HostilePlace: String, CaseIterable, Sendable {
    case cellType, unitType, section, action, fallback, contractType, contractData, definition
    case title, description, format, pattern, defaultValue, member, requiredName, constant
    case constantArray, enumeration, mixedEnumeration, alternative, alternativeTitle
    case discriminator, discriminatorValue, actionTitle

    /// Returns a catalog with a text in this place alone.
    func catalog(with hostile: String) -> String {
        func text(_ place: HostilePlace) -> String { place == self ? hostile : place.rawValue }
        func json(_ text: String) -> String {
            "\"\(text.unicodeScalars.map(Self.escaped).joined())\""
        }
        func quoted(_ place: HostilePlace) -> String { json(text(place)) }
        let pointer = text(.definition).replacing("~", with: "~0").replacing("/", with: "~1")
        let reference = pointer.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let pattern = NSRegularExpression.escapedPattern(for: text(.pattern))
        return """
            {"contract": {"unitType": \(quoted(.contractType)), "unitData": \(quoted(.contractData))},
             "sections": {\(quoted(.section)): {}},
             "units": {\(quoted(.unitType)): {"cells": {
                "type": \(quoted(.cellType)), "when": {"flags": ["flag"]}}}},
             "cellTypes": {\(quoted(.fallback)): {}, \(quoted(.cellType)): {
               "fallback": \(quoted(.fallback)), "since": {"ios": "1.0"},
               "content": {"column": [{"image": "/a", "name": "part", "height": 10}]},
               "actions": {\(quoted(.action)): {
                 "forward": true, "input": {"title": \(quoted(.actionTitle)), "type": "string"}}},
               "schema": {
                 "title": \(quoted(.title)), "required": [\(quoted(.requiredName)), "constant"],
                 "$defs": {\(quoted(.definition)): {"properties": {"a": {"type": "string"}}}},
                 "properties": {
                   \(quoted(.member)): {"type": "string", "description": \(quoted(.description))},
                   "texts": {"type": "string", "format": \(quoted(.format)),
                             "pattern": \(json(pattern)), "default": \(quoted(.defaultValue))},
                   "constant": {"const": \(quoted(.constant))},
                   "array": {"const": [\(quoted(.constantArray))]},
                   "strings": {"enum": [\(quoted(.enumeration)), "x"]},
                   "values": {"enum": [\(quoted(.mixedEnumeration)), 1]},
                   "named": {"oneOf": [
                     {"const": \(quoted(.alternative)), "title": \(quoted(.alternativeTitle))},
                     {"const": "x"}]},
                   "union": {"oneOf": [
                     {"required": [\(quoted(.discriminator))], "properties": {
                       \(quoted(.discriminator)): {"const": \(quoted(.discriminatorValue))}}},
                     {"required": [\(quoted(.discriminator))], "properties": {
                       \(quoted(.discriminator)): {"const": "other"}}}]},
                   "reference": {"$ref": "#/$defs/\(reference)"}}}}}}
            """
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"", "\\": "\\\(scalar)"
        case "\0"..<" ": "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
        default: String(scalar)
        }
    }
}

@Suite("Generated code: texts of a catalog")
struct HostileNamesTests {
    /// Texts that would leave a comment, a literal or an identifier.
    ///
    /// As a name each becomes `eVil`.
    private static let texts = [
        "*/ e-vil() /*", "/* e-vil()", "\"); e-vil(); (\"", "\\\"); e-vil()", "e-vil\\",
        "\\(e-vil()) ${e-vil()} $e-vil", "\n e-vil() \r\n e-vil() \u{2028}e-vil()\u{85}e-vil()",
        "\u{202E}e-vil\u{0} @e-vil `e-vil` '; e-vil(); '",
    ]

    @Test(
        "No text becomes code", arguments: HostilePlace.allCases, GeneratedLanguage.allCases)
    func texts(place: HostilePlace, language: GeneratedLanguage) async throws {
        for text in Self.texts {
            let code = try await GeneratedCode(language, of: place.catalog(with: text))
            let bare = BareText(code.text, language).text
            #expect(!bare.contains("e-vil"), "\(text)")
            // The text is there, as a literal, in a comment or as a name.
            #expect(code.text.lowercased().contains("vil"), "\(text)")
        }
    }

    @Test(
        "The check sees what leaves a literal or a comment",
        arguments: [
            ("let a = \"\\(evil())\"", .swift, "let a = (evil())"),
            ("let a = \"\\\\(x)\" // b", .swift, "let a =  "),
            ("val a = \"$evil \\$x\"", .kotlin, "val a = $evil \\$x"),
            ("/* a */ b /** c\n d */ e", .kotlin, "  b   e"),
            ("a \"*/\" b \"//\"", .typescript, "a  b "),
        ] as [(String, GeneratedLanguage, String)])
    func bareText(code: String, language: GeneratedLanguage, expected: String) {
        let bare = BareText(code, language).text
        #expect(bare.filter { $0 != " " } == expected.filter { $0 != " " })
    }
}

/// Code without its comments and literals.
struct BareText {
    private(set) var text = ""

    init(_ code: String, _ language: GeneratedLanguage) {
        var rest = Substring(code.replacing("\r\n", with: "\n"))
        while let character = rest.first {
            if rest.hasPrefix("//") {
                rest = rest.drop { !$0.isNewline }
            } else if rest.hasPrefix("/*") {
                rest = rest.dropFirst(2).firstRange(of: "*/").map { rest[$0.upperBound...] } ?? ""
                text += " "
            } else if character == "\"" {
                rest = skipLiteral(rest.dropFirst(), language)
            } else {
                text.append(character)
                rest.removeFirst()
            }
        }
    }

    /// Returns what follows a literal, or begins with its first interpolation or line end.
    private func skipLiteral(_ rest: Substring, _ language: GeneratedLanguage) -> Substring {
        var rest = rest
        while let character = rest.popFirst() {
            switch character {
            case "\"": return rest
            case "\\":
                if language == .swift, rest.first == "(" { return rest }
                rest = rest.dropFirst()
            case "$" where language == .kotlin: return "$" + rest
            case _ where character.isNewline: return rest
            default: break
            }
        }
        return rest
    }
}
