import BroadsheetService
import Testing

@testable import BroadsheetCLI

@Suite("Settings by type")
struct SettingTests {
    private static let length = Setting.number(
        "width", "POINTS", 390, as: "390", expectation: "above 0", "how wide",
        where: { $0 > 0 })

    @Test(
        "A number is what JSON calls one, as Double reads it",
        arguments: [("1", 1), ("1.5", 1.5), ("1e2", 100), ("0.0001", 0.0001), (".5", 0.5)])
    func numbers(typed: String, value: Double) {
        #expect(Self.length.read(typed) == value)
    }

    @Test(
        "Nothing else is a number",
        arguments: ["", "0", "-1", "nan", "inf", "infinity", "0x10", "1e999", "1,5", "1 ", "１"])
    func notNumbers(typed: String) {
        #expect(Self.length.read(typed) == nil)
        #expect(!Self.length.option.accepts(typed))
    }

    @Test("A choice is one of its names to the letter")
    func choices() {
        let setting = Setting<LogFormat>.choice("log", "FORMAT", .json, "how")
        #expect(setting.read("text") == .text)
        #expect(setting.read("Text") == nil)
        #expect(setting.option.expectation == "one of: json, text")
    }

    @Test(
        "Ids are separated by commas and percent-encoded, as in the API's query",
        arguments: [
            ("a,b", ["a", "b"]), ("a%2Cb", ["a,b"]), ("", []), ("%C3%A9,+", ["é", "+"]),
            ("a,,b", ["a", "b"]),
        ])
    func identifiers(typed: String, ids: [String]) {
        #expect(TreeSettings.collapsed.read(typed) == ids)
    }

    @Test("A half escape, or one of no UTF-8, is no id", arguments: ["50%", "%4", "%zz", "a,%FF"])
    func notIdentifiers(typed: String) {
        #expect(TreeSettings.collapsed.read(typed) == nil)
    }

    @Test("One name gives the flag and the variable")
    func spellings() {
        let option = LimitSettings.headerBytes.option
        #expect(option.flag == "--max-header-bytes")
        #expect(option.environmentVariable == "BROADSHEET_MAX_HEADER_BYTES")
    }

    @Test(
        "Every default is one that its own option accepts",
        arguments: ServeSettings.groups.flatMap(\.options).filter { $0.form == .number })
    func defaults(option: Option) throws {
        guard let fallback = option.fallback, Int(fallback) != nil else { return }
        #expect(option.accepts(fallback), "\(option.flag)")
    }
}
