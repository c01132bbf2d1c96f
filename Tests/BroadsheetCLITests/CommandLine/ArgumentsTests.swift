import Testing

@testable import BroadsheetCLI

@Suite("Command lines")
struct ArgumentsTests {
    private struct Configuration: Configurable, Equatable {
        static let defaults = Configuration()
        var port: UInt16 = 8080
        var file: String?
        var isPretty = false
    }

    private static let settings: [Setting<Configuration>] = [
        Setting("max-port", .port, \.port, "the port"),
        Setting("catalog", .file, \.file, "the catalog"),
        Setting("pretty", .toggle, \.isPretty, "indent"),
    ]
    private static let options = settings.map(\.option)

    private func parse(_ words: String...) throws(CommandError) -> Arguments {
        try Arguments(words, options: Self.options)
    }

    private func configuration(_ arguments: Arguments) throws(CommandError) -> Configuration {
        let call = CommandCall(arguments, in: .empty, settings: Self.settings)
        return try call.configuration()
    }

    @Test(
        "A value follows its flag as the next word or after an equals sign",
        arguments: [["--max-port", "81"], ["--max-port=81"]])
    func values(words: [String]) throws {
        let arguments = try Arguments(words, options: Self.options)
        #expect(arguments.values == ["max-port": "81"])
        #expect(try configuration(arguments).port == 81)
    }

    @Test("A value may contain an equals sign, and be anything after one")
    func valueWithEqualsSign() throws {
        #expect(try parse("--catalog=a=b").values == ["catalog": "a=b"])
        #expect(try parse("--catalog=--pretty").values == ["catalog": "--pretty"])
    }

    @Test("The last value of a repeated flag is used")
    func repeated() throws {
        #expect(try parse("--max-port=1", "--max-port=2").values == ["max-port": "2"])
    }

    @Test("A toggle has no value as the next word, but may have one after an equals sign")
    func toggles() throws {
        let arguments = try parse("--pretty", "page.json")
        #expect(arguments.values == ["pretty": "true"])
        #expect(arguments.operands == ["page.json"])
        #expect(try !configuration(try parse("--pretty=false")).isPretty)
    }

    @Test("A lone hyphen is an operand, and a double hyphen ends the options")
    func hyphens() throws {
        let arguments = try parse("-", "--catalog", "-", "--", "--pretty", "-h")
        #expect(arguments.operands == ["-", "--pretty", "-h"])
        #expect(arguments.values == ["catalog": "-"])
        #expect(!arguments.requestsHelp)
    }

    @Test("A request for help takes precedence over an error", arguments: ["-h", "--help"])
    func help(flag: String) throws {
        #expect(try parse("--no-such-flag", flag).requestsHelp)
    }

    @Test("An empty command line changes no default")
    func nothing() throws {
        #expect(try configuration(try parse()) == Configuration())
    }

    @Test(
        "An invalid option is rejected with a message that contains the correction",
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
    func rejections(words: [String], message: String) {
        #expect(throws: CommandError.usage(message)) {
            try Arguments(words, options: Self.options)
        }
    }
}
