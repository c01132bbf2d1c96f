import Broadsheet
import BroadsheetService
import Testing

@testable import BroadsheetCLI

@Suite("Values of settings")
struct SettingValuesTests {
    private static let length = SettingValues.number(
        "POINTS", unit: "points", "a number above 0", where: { $0 > 0 })

    @Test(
        "A number has the characters of a JSON number and the value that Double reads",
        arguments: [("1", 1), ("1.5", 1.5), ("1e2", 100), ("0.0001", 0.0001), (".5", 0.5)])
    func numbers(typed: String, value: Double) {
        #expect(Self.length.read(typed) == value)
    }

    @Test(
        "Other texts are not accepted as numbers",
        arguments: ["", "0", "-1", "nan", "inf", "infinity", "0x10", "1e999", "1,5", "1 ", "１"])
    func notNumbers(typed: String) {
        #expect(Self.length.read(typed) == nil)
        let setting = Setting("width", Self.length, \TestWidth.width, "the width")
        #expect(!setting.option.accepts(typed))
    }

    @Test("A choice is exactly one of its names")
    func choices() {
        let values = SettingValues<LogFormat>.choice("FORMAT")
        #expect(values.read("text") == .text)
        #expect(values.read("Text") == nil)
        #expect(values.expectation == "one of: json, text")
    }

    @Test(
        "Ids are separated by commas and percent-encoded, as in the API's query",
        arguments: [
            ("a,b", ["a", "b"]), ("a%2Cb", ["a,b"]), ("", []), ("%C3%A9,+", ["é", "+"]),
            ("a,,b", ["a", "b"]),
        ])
    func identifiers(typed: String, ids: [String]) {
        #expect(SettingValues.identifiers.read(typed) == IdentifierList(ids))
    }

    @Test(
        "An incomplete escape, or one that is not UTF-8, is not accepted",
        arguments: ["50%", "%4", "%zz", "a,%FF"])
    func notIdentifiers(typed: String) {
        #expect(SettingValues.identifiers.read(typed) == nil)
    }

    @Test("A duration is a whole number of seconds")
    func seconds() {
        let values = SettingValues.seconds(1...60)
        #expect(values.read("60") == .seconds(60))
        #expect(values.read("61") == nil && values.read("1.5") == nil)
        #expect(values.describe(.seconds(10)) == "10")
    }

    @Test("A name gives the flag and the variable")
    func spellings() throws {
        let option = try #require(Command.serve.options.first { $0.name == "max-header-bytes" })
        #expect(option.flag == "--max-header-bytes")
        #expect(option.environmentVariable == "BROADSHEET_MAX_HEADER_BYTES")
    }

    @Test("Each numeric default is accepted by its own option", arguments: Command.all)
    func defaults(command: Command) throws {
        for option in command.options where option.form == .number {
            let number = option.defaultText?.split(separator: " ").first.map(String.init)
            guard let number, Double(number) != nil else { continue }
            #expect(option.accepts(number), "\(option.flag)")
        }
    }
}

/// A configuration with one property.
private struct TestWidth: Configurable {
    static let defaults = TestWidth()
    var width = 390.0
}
