import Broadsheet
import BroadsheetHTTP

/// The values that a setting accepts: their form, range and unit, and their conversion from text.
struct SettingValues<Value>: Sendable {
    let form: Option.Form
    let placeholder: String?
    private(set) var unit: String?
    let expectation: String
    private(set) var remedy: @Sendable (String) -> String? = { _ in nil }
    let read: @Sendable (String) -> Value?
    /// Returns a value as it would be typed, or `nil` for a value that is not shown as a default.
    let describe: @Sendable (Value) -> String?

    func map<Other>(
        _ transform: @escaping @Sendable (Value) -> Other?,
        describe: @escaping @Sendable (Other) -> String? = { _ in nil }
    ) -> SettingValues<Other> {
        SettingValues<Other>(
            form: form, placeholder: placeholder, unit: unit, expectation: expectation,
            read: { [read] in read($0).flatMap(transform) }, describe: describe)
    }

    func withRemedy(_ remedy: @escaping @Sendable (String) -> String?) -> SettingValues {
        var copy = self
        copy.remedy = remedy
        return copy
    }

    /// The same values for a property that is `nil` unless it is set.
    var optional: SettingValues<Value?> { map { .some(.some($0)) } }
}

extension SettingValues where Value == Int {
    static func count(
        _ range: ClosedRange<Int>, _ placeholder: String = "N", unit: String? = nil
    ) -> SettingValues {
        SettingValues(
            form: .number, placeholder: placeholder, unit: unit,
            expectation: "a whole number from \(range.lowerBound) to \(range.upperBound)",
            read: { wholeNumber($0).flatMap { range.contains($0) ? $0 : nil } },
            describe: { String($0) })
    }

    /// A number of bytes within `range`, with or without a binary unit.
    static func bytes(_ range: ClosedRange<Int>) -> SettingValues {
        let count = count(range, "BYTES", unit: "bytes")
        return SettingValues(
            form: .amount, placeholder: count.placeholder, unit: count.unit,
            expectation: count.expectation + ", or in KiB, MiB or GiB",
            read: { bytes($0).flatMap { range.contains($0) ? $0 : nil } },
            describe: count.describe)
    }

    /// The binary units of bytes, as powers of 2 (IEC 80000-13).
    private static let units = [("KiB", 10), ("MiB", 20), ("GiB", 30)]

    private static func bytes(_ text: String) -> Int? {
        guard let unit = units.first(where: { text.hasSuffix($0.0) }) else {
            return wholeNumber(text)
        }
        guard let number = wholeNumber(String(text.dropLast(unit.0.count))) else { return nil }
        let (product, overflow) = number.multipliedReportingOverflow(by: 1 << unit.1)
        return overflow ? nil : product
    }

    private static func wholeNumber(_ text: String) -> Int? {
        // `Int` accepts a leading "+", which is usually a mistake.
        text.first == "+" ? nil : Int(text)
    }
}

extension SettingValues where Value == Duration {
    static func seconds(_ range: ClosedRange<Int>) -> SettingValues {
        SettingValues<Int>.count(range, "SECONDS", unit: "seconds")
            .map({ .seconds($0) }, describe: { String($0.components.seconds) })
    }
}

extension SettingValues where Value == UInt16 {
    /// A TCP port, or 0.
    static var port: SettingValues {
        SettingValues<Int>.count(0...65_535, "PORT")
            .map({ UInt16(exactly: $0) }, describe: { String($0) })
    }
}

extension SettingValues where Value == Double {
    /// The finite numbers for which `isAllowed` holds; `expectation` is the same in words.
    static func number(
        _ placeholder: String, unit: String?, _ expectation: String,
        where isAllowed: @escaping @Sendable (Double) -> Bool
    ) -> SettingValues {
        SettingValues(
            form: .number, placeholder: placeholder, unit: unit, expectation: expectation,
            read: { text in
                // `Double` also accepts "0x1p4", "inf" and "nan", which are not JSON numbers.
                guard text.allSatisfy({ "0123456789.eE+-".contains($0) }),
                    let number = Double(text), number.isFinite, isAllowed(number)
                else { return nil }
                return number
            },
            describe: { number in Int(exactly: number).map(String.init) ?? String(number) })
    }
}

extension SettingValues where Value == Bool {
    /// `true` or `false`, `true` without a value.
    static var toggle: SettingValues {
        SettingValues(
            form: .toggle, placeholder: nil, unit: nil, expectation: "true or false",
            read: { ["true": true, "false": false][$0] }, describe: { _ in nil })
    }

    /// `true` or `false`, for a setting whose default may be either.
    static var truth: SettingValues {
        SettingValues(
            form: .truth, placeholder: "BOOL", unit: nil, expectation: toggle.expectation,
            read: toggle.read, describe: { "\($0)" })
    }
}

extension SettingValues where Value == String {
    /// A text that is not empty.
    static func text(
        _ placeholder: String, _ expectation: String = "a text of at least one character"
    ) -> SettingValues {
        SettingValues(
            form: .text, placeholder: placeholder, unit: nil, expectation: expectation,
            read: { $0.isEmpty ? nil : $0 }, describe: { $0.isEmpty ? nil : $0 })
    }
}

extension SettingValues where Value == String? {
    static var file: SettingValues {
        SettingValues<String>.text("FILE", "the path of a file").optional
    }

    /// The path of a file or of a folder of such files.
    static var fileOrFolder: SettingValues {
        SettingValues<String>.text("PATH", "the path of a file or of a folder").optional
    }

    static var folder: SettingValues {
        SettingValues<String>.text("DIR", "the path of a folder").optional
    }
}

extension SettingValues where Value == IdentifierList {
    /// Ids separated by commas, percent-encoded as in a query of the HTTP API.
    static var identifiers: SettingValues {
        SettingValues(
            form: .text, placeholder: "IDS", unit: nil,
            expectation: "a comma-separated list of ids in which %25 stands for %",
            read: { text in
                let ids = try? text.utf8.split(separator: UInt8(ascii: ","))
                    .map { try PercentDecoding.decode($0) }
                return ids.map(IdentifierList.init)
            },
            describe: { _ in nil })
    }
}

extension SettingValues
where Value: CaseIterable & RawRepresentable & SendableMetatype, Value.RawValue == String {
    static func choice(_ placeholder: String) -> SettingValues {
        let names = Value.allCases.map(\.rawValue).joined(separator: ", ")
        return SettingValues(
            form: .text, placeholder: placeholder, unit: nil, expectation: "one of: \(names)",
            read: { text in Value.allCases.first { $0.rawValue == text } },
            describe: { $0.rawValue })
    }
}
