import BroadsheetClient

/// What a line of a transcript expects of a response, or keeps of it.
struct TranscriptExpectation {
    /// A part of a response.
    enum Subject {
        case header(String)
        case pointer(String)
        case body
        /// The entity tag without its quotes, or another field.
        case unquoted(String)
    }

    enum Comparison: String {
        case equals = "="
        case differs = "!="
        case contains, lacks, starts
        /// The number of elements or members.
        case count
        case exceeds = ">"

        /// A Boolean value that indicates whether it compares JSON only.
        var needsJSON: Bool { self == .count || self == .exceeds }
    }

    enum Check {
        case isPresent
        case isAbsent
        /// A comparison with the text after it.
        case compares(Comparison, String)
        case keeps(String)
        /// The body is the tree that kept changes make of a kept tree.
        case applied(String, String)
    }

    let subject: Subject
    let check: Check

    /// Reads a line.
    init(_ text: String, _ line: TranscriptLine, in file: String) throws(TranscriptMistake) {
        guard let (subject, check) = Self.parts(of: text) else {
            throw TranscriptMistake(
                file: file, line: line.number, message: "not an expectation: \(text)")
        }
        (self.subject, self.check) = (subject, check)
        if case .pointer = subject, case .compares(.equals, let json) = check {
            guard json.contains("{{") || (try? TreeValue(json: json.utf8)) != nil else {
                throw TranscriptMistake(file: file, line: line.number, message: "not JSON: \(json)")
            }
        }
    }

    private static func parts(of text: String) -> (Subject, Check)? {
        if let match = text.wholeMatch(of: /keep (\w+) = (.+)/) {
            return self.subject(String(match.2)).map { ($0, .keeps(String(match.1))) }
        }
        if let match = text.wholeMatch(of: /applied (\S+) to (\S+)/) {
            return (.body, .applied(String(match.1), String(match.2)))
        }
        if let match = text.wholeMatch(of: /< ([A-Za-z0-9-]+): (.+)/) {
            return (.header(String(match.1)), .compares(.equals, String(match.2)))
        }
        if let match = text.wholeMatch(of: /< ([A-Za-z0-9-]+) (\S+) (.+)/) {
            guard let comparison = Comparison(rawValue: String(match.2)), !comparison.needsJSON
            else { return nil }
            return (.header(String(match.1)), .compares(comparison, String(match.3)))
        }
        if let match = text.wholeMatch(of: /< (!?)([A-Za-z0-9-]+)/) {
            return (.header(String(match.2)), match.1.isEmpty ? .isPresent : .isAbsent)
        }
        if let match = text.wholeMatch(of: /(!?)(\/\S*)/) {
            return (.pointer(String(match.2)), match.1.isEmpty ? .isPresent : .isAbsent)
        }
        if text == "body empty" { return (.body, .compares(.equals, "")) }
        guard let match = text.wholeMatch(of: /(\/\S*|body) (\S+) (.+)/),
            let comparison = Comparison(rawValue: String(match.2)),
            match.1 != "body" || !comparison.needsJSON,
            let subject = self.subject(String(match.1))
        else { return nil }
        return (subject, .compares(comparison, String(match.3)))
    }

    /// Returns the part that a text names.
    private static func subject(_ text: String) -> Subject? {
        if text == "body" { return .body }
        if text.hasPrefix("/") { return .pointer(text) }
        if text.hasPrefix("unquoted ") { return .unquoted(String(text.dropFirst(9))) }
        return text.wholeMatch(of: /[A-Za-z0-9-]+/) == nil ? nil : .header(text)
    }
}

/// A part of a response.
enum TranscriptPart {
    case text(String)
    case json(TreeValue)

    /// The part as a text that later requests can use: of a string its text, of other values JSON.
    var text: String {
        switch self {
        case .text(let text): text
        case .json(let value): value.text ?? String(decoding: value.json, as: UTF8.self)
        }
    }

    /// Returns why a comparison fails; `nil` if it holds.
    func failure(
        of comparison: TranscriptExpectation.Comparison, _ expected: String
    ) -> String? {
        let holds: Bool
        switch comparison {
        case .equals, .differs:
            guard let isEqual = equals(expected) else { return "not JSON: \(expected)" }
            holds = isEqual == (comparison == .equals)
        case .contains: holds = text.contains(expected)
        case .lacks: holds = !text.contains(expected)
        case .starts: holds = text.hasPrefix(expected)
        case .count:
            guard let count = value?.elements?.count ?? value?.members?.count else {
                return "no array or object: \(text.prefix(500))"
            }
            holds = String(count) == expected
        case .exceeds:
            guard let number = value?.number, let bound = Double(expected) else {
                return "no number: \(text.prefix(500))"
            }
            holds = number > bound
        }
        return holds
            ? nil : "not \(comparison.rawValue) \(expected.prefix(500)): \(text.prefix(500))"
    }

    private var value: TreeValue? {
        guard case .json(let value) = self else { return nil }
        return value
    }

    /// Returns whether the part is the same as a text, or as its JSON; `nil` if that is not JSON.
    private func equals(_ expected: String) -> Bool? {
        guard let value else { return Array(text.utf8) == Array(expected.utf8) }
        return (try? TreeValue(json: expected.utf8)).map { $0 == value }
    }
}

extension TranscriptResponse {
    /// Returns a part of the response; `nil` if there is none.
    func part(_ subject: TranscriptExpectation.Subject) throws(TreeError) -> TranscriptPart? {
        switch subject {
        case .header(let name): return header(name).map(TranscriptPart.text)
        case .unquoted(let name): return header(name).map { .text($0.filter { $0 != "\"" }) }
        case .body: return .text(text)
        case .pointer(let pointer):
            let names = pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
            let tokens = names.map {
                String($0).replacing("~1", with: "/").replacing("~0", with: "~")
            }
            return Self.value(tokens[...], of: try TreeValue(json: body)).map(TranscriptPart.json)
        }
    }

    /// Returns the value below another; `*` takes each element of an array.
    private static func value(_ names: ArraySlice<String>, of value: TreeValue) -> TreeValue? {
        guard let name = names.first else { return value }
        guard let elements = value.elements else {
            return value[name].flatMap { self.value(names.dropFirst(), of: $0) }
        }
        guard name == "*" else {
            guard let index = Int(name), elements.indices.contains(index) else { return nil }
            return self.value(names.dropFirst(), of: elements[index])
        }
        let values = elements.map { self.value(names.dropFirst(), of: $0) }
        let found = values.compactMap { $0 }
        return found.count == values.count ? .array(found) : nil
    }
}
