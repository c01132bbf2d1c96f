internal import BroadsheetHTTP

/// An option together with the type of its value: what a command reads its settings by.
struct Setting<Value: Sendable>: Sendable {
    /// The option that says the value.
    let option: Option
    /// The value that holds when nobody says anything.
    let fallback: Value
    /// A value as typed, read; nil if it is none of the values that the option accepts.
    let read: @Sendable (String) -> Value?
}

extension Setting where Value == Int {
    /// A whole number within `range`.
    static func integer(
        _ name: String, _ placeholder: String, _ fallback: Int, in range: ClosedRange<Int>,
        unit: String? = nil, _ summary: String
    ) -> Setting {
        let read: @Sendable (String) -> Int? = { text in
            // `Int` takes a leading "+"; people who type one mean something else.
            guard text.first != "+", let number = Int(text), range.contains(number) else {
                return nil
            }
            return number
        }
        let bounds =
            range.upperBound == .max
            ? "a whole number from \(range.lowerBound) up"
            : "a whole number from \(range.lowerBound) to \(range.upperBound)"
        let option = Option(
            name: name, letter: nil, placeholder: placeholder, form: .number,
            fallback: String(fallback), unit: unit, expectation: bounds, summary: summary,
            accepts: { read($0) != nil })
        return Setting(option: option, fallback: fallback, read: read)
    }
}

extension Setting where Value == Int? {
    /// A whole number within `range`; nil, which `absent` puts in words, when nobody says one.
    static func integer(
        _ name: String, _ placeholder: String, absent: String, in range: ClosedRange<Int>,
        _ summary: String
    ) -> Setting {
        let plain = Setting<Int>.integer(name, placeholder, range.lowerBound, in: range, summary)
        var option = plain.option
        option.fallback = absent
        return Setting(option: option, fallback: nil, read: { plain.read($0).map(Optional.some) })
    }
}

extension Setting where Value == Double {
    /// A finite number for which `isAllowed` holds; `expectation` says the same in words.
    static func number(
        _ name: String, _ placeholder: String, _ fallback: Double, as typed: String,
        unit: String? = nil, expectation: String, _ summary: String,
        where isAllowed: @escaping @Sendable (Double) -> Bool
    ) -> Setting {
        let read: @Sendable (String) -> Double? = { text in
            // `Double` also reads "0x1p4", "inf" and "nan"; none of them is what JSON calls a number.
            guard text.allSatisfy({ "0123456789.eE+-".contains($0) }), let number = Double(text),
                number.isFinite, isAllowed(number)
            else { return nil }
            return number
        }
        let option = Option(
            name: name, letter: nil, placeholder: placeholder, form: .number, fallback: typed,
            unit: unit, expectation: expectation, summary: summary, accepts: { read($0) != nil })
        return Setting(option: option, fallback: fallback, read: read)
    }
}

extension Setting where Value == Bool {
    /// Off unless said; `--name` turns it on.
    static func toggle(_ name: String, _ summary: String) -> Setting {
        let read: @Sendable (String) -> Bool? = { ["true": true, "false": false][$0] }
        let option = Option(
            name: name, letter: nil, placeholder: nil, form: .toggle, fallback: nil, unit: nil,
            expectation: "true or false", summary: summary, accepts: { read($0) != nil })
        return Setting(option: option, fallback: false, read: read)
    }
}

extension Setting where Value == String {
    /// Any text but an empty one.
    static func text(
        _ name: String, letter: Character? = nil, _ placeholder: String, _ fallback: String,
        _ summary: String
    ) -> Setting {
        let option = Option(
            name: name, letter: letter, placeholder: placeholder, form: .text,
            fallback: fallback.isEmpty ? nil : fallback,
            unit: nil, expectation: "a text of at least one character", summary: summary,
            accepts: { !$0.isEmpty })
        return Setting(option: option, fallback: fallback, read: { $0.isEmpty ? nil : $0 })
    }
}

extension Setting where Value == String? {
    /// Any text but an empty one; nil, which `absent` puts in words, when nobody says one.
    static func text(
        _ name: String, _ placeholder: String, absent: String, _ summary: String
    ) -> Setting {
        let plain = Setting<String>.text(name, placeholder, absent, summary)
        return Setting(
            option: plain.option, fallback: nil, read: { plain.read($0).map(Optional.some) })
    }

    /// The path of a file; nil, which `absent` puts in words, when nobody names one.
    static func file(_ name: String, absent: String?, _ summary: String) -> Setting {
        let option = Option(
            name: name, letter: nil, placeholder: "FILE", form: .text, fallback: absent, unit: nil,
            expectation: "the path of a file", summary: summary, accepts: { !$0.isEmpty })
        return Setting(option: option, fallback: nil, read: { $0.isEmpty ? nil : .some($0) })
    }
}

extension Setting where Value == [String] {
    /// Ids separated by commas, percent-encoded as in the API's query; none unless said.
    static func identifiers(_ name: String, _ summary: String) -> Setting {
        let read: @Sendable (String) -> [String]? = { text in
            try? text.utf8.split(separator: UInt8(ascii: ",")).map(PercentDecoding.decode)
        }
        let option = Option(
            name: name, letter: nil, placeholder: "IDS", form: .text, fallback: nil, unit: nil,
            expectation: "a comma list of ids in which %25 stands for %", summary: summary,
            accepts: { read($0) != nil })
        return Setting(option: option, fallback: [], read: read)
    }
}

extension Setting where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
    /// One of the raw values of an enumeration.
    static func choice(
        _ name: String, _ placeholder: String, _ fallback: Value, _ summary: String
    ) -> Setting {
        let names = Value.allCases.map(\.rawValue).joined(separator: ", ")
        let option = Option(
            name: name, letter: nil, placeholder: placeholder, form: .text,
            fallback: fallback.rawValue, unit: nil, expectation: "one of: \(names)",
            summary: summary, accepts: { Value(rawValue: $0) != nil })
        return Setting(option: option, fallback: fallback, read: { Value(rawValue: $0) })
    }
}
