import Testing

@testable import BroadsheetCLI

@Suite("Command lines")
struct ArgumentsTests {
    private static let port = Setting.integer(
        "max-port", "PORT", 8080, in: 0...65_535, "where to listen")
    private static let file = Setting<String?>.file("catalog", absent: nil, "what to read")
    private static let pretty = Setting.toggle("pretty", "indent")
    private static let options = [port.option, file.option, pretty.option]

    private func parse(_ words: String...) throws(CommandError) -> Arguments {
        try Arguments(words, options: Self.options)
    }

    @Test(
        "A value stands behind its flag or behind an equals sign",
        arguments: [["--max-port", "81"], ["--max-port=81"]])
    func values(words: [String]) throws {
        let arguments = try Arguments(words, options: Self.options)
        #expect(arguments.values == ["max-port": "81"])
        #expect(Settings(arguments)[Self.port] == 81)
    }

    @Test("A value may hold an equals sign, and be anything behind one")
    func valueWithEqualsSign() throws {
        #expect(try parse("--catalog=a=b").values == ["catalog": "a=b"])
        #expect(try parse("--catalog=--pretty").values == ["catalog": "--pretty"])
    }

    @Test("Of a flag given twice the last one counts")
    func lastCounts() throws {
        #expect(try parse("--max-port=1", "--max-port=2").values == ["max-port": "2"])
    }

    @Test("A toggle takes no word behind it, but a value behind an equals sign")
    func toggles() throws {
        let arguments = try parse("--pretty", "page.json")
        #expect(arguments.values == ["pretty": "true"])
        #expect(arguments.operands == ["page.json"])
        #expect(Settings(try parse("--pretty=false"))[Self.pretty] == false)
    }

    @Test("A lone hyphen is an operand, and two of them end the options")
    func hyphens() throws {
        let arguments = try parse("-", "--catalog", "-", "--", "--pretty", "-h")
        #expect(arguments.operands == ["-", "--pretty", "-h"])
        #expect(arguments.values == ["catalog": "-"])
        #expect(!arguments.wantsHelp)
    }

    @Test("Help is help even behind a mistake", arguments: ["-h", "--help"])
    func help(flag: String) throws {
        #expect(try parse("--no-such-flag", flag).wantsHelp)
    }

    @Test("An empty command line says nothing")
    func nothing() throws {
        let settings = Settings(try parse())
        #expect(settings[Self.port] == 8080)
        #expect(settings[Self.file] == nil)
        #expect(settings[Self.pretty] == false)
    }

    @Test(
        "What cannot be taken is refused with what would do",
        arguments: [
            (["--max-prot", "1"], "unknown option '--max-prot'; did you mean '--max-port'?"),
            (["--catalgo=x"], "unknown option '--catalgo'; did you mean '--catalog'?"),
            (["--hlep"], "unknown option '--hlep'; did you mean '--help'?"),
            (["--frobnicate"], "unknown option '--frobnicate'"),
            (["-x"], "unknown option '-x'"),
            (["--max-port"], "--max-port needs a value: a whole number from 0 to 65535"),
            (["--catalog", "--pretty"], "--catalog needs a value: the path of a file"),
            (["--max-port", "x"], "--max-port: 'x' is not a whole number from 0 to 65535"),
            (["--max-port=65536"], "--max-port: '65536' is not a whole number from 0 to 65535"),
            (["--max-port=-1"], "--max-port: '-1' is not a whole number from 0 to 65535"),
            (["--max-port=+1"], "--max-port: '+1' is not a whole number from 0 to 65535"),
            (["--max-port="], "--max-port: '' is not a whole number from 0 to 65535"),
            (["--catalog="], "--catalog: '' is not the path of a file"),
            (["--pretty=yes"], "--pretty: 'yes' is not true or false"),
        ])
    func refusals(words: [String], message: String) {
        #expect(throws: CommandError.usage(message)) {
            try Arguments(words, options: Self.options)
        }
    }
}
