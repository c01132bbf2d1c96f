import BroadsheetService
import Testing

@testable import BroadsheetCLI

@Suite("Settings from everywhere")
struct SettingsTests {
    private static let options = ServeSettings.groups.flatMap(\.options)

    private func settings(
        _ words: [String] = [], environment: [String: String] = [:], file: String? = nil
    ) throws(CommandError) -> Settings {
        let console = Console(
            environment: environment, write: { _ in nil }, complain: { _ in },
            read: { path throws(FileError) in
                guard path == "daemon.json", let file else {
                    throw FileError(reason: "No such file or directory")
                }
                return Array(file.utf8)
            })
        return try Settings(
            try Arguments(words, options: Self.options), in: console, options: Self.options,
            config: ServeSettings.config)
    }

    @Test("Nobody says anything: the defaults hold")
    func defaults() throws {
        let settings = try settings()
        #expect(settings[ServeSettings.host] == "127.0.0.1")
        #expect(settings[ServeSettings.port] == 8080)
        #expect(settings[ServeSettings.store] == nil)
        #expect(settings[ServeSettings.loops] == nil)
        #expect(settings[ServeSettings.log] == .json)
        #expect(settings[LimitSettings.body] == 16 * 1_048_576)
        #expect(settings[LimitSettings.headerBytes] == 16_384)
        #expect(settings[LimitSettings.target] == 8_192)
    }

    @Test("A flag wins over the environment, that over the file, that over the default")
    func precedence() throws {
        let file = #"{"port": 1, "drain": 1, "max-body": 1}"#
        let environment = ["BROADSHEET_PORT": "2", "BROADSHEET_DRAIN": "2"]
        let settings = try settings(
            ["--port", "3", "--config", "daemon.json"], environment: environment, file: file)
        #expect(settings[ServeSettings.port] == 3)
        #expect(settings[ServeSettings.drain] == 2)
        #expect(settings[LimitSettings.body] == 1)
        #expect(settings[LimitSettings.depth] == 128)
    }

    @Test("The environment may name the file")
    func fileFromEnvironment() throws {
        let settings = try settings(
            environment: ["BROADSHEET_CONFIG": "daemon.json"],
            file: #"{"host": "::1", "loops": 3, "log": "text", "catalog": "shop.json"}"#)
        #expect(settings[ServeSettings.host] == "::1")
        #expect(settings[ServeSettings.loops] == 3)
        #expect(settings[ServeSettings.log] == .text)
        #expect(settings[ServeSettings.catalog] == "shop.json")
    }

    @Test("A variable set to nothing and a member that is null say nothing")
    func nothings() throws {
        let settings = try settings(
            ["--config=daemon.json"], environment: ["BROADSHEET_PORT": ""],
            file: #"{"port": null, "drain": 1, "drain": 2}"#)
        #expect(settings[ServeSettings.port] == 8080)
        #expect(settings[ServeSettings.drain] == 2)
    }

    @Test("A bad variable is named, even where a flag would win over it")
    func badVariable() {
        #expect(
            throws: CommandError.usage(
                "the environment's BROADSHEET_PORT: 'x' is not a whole number from 0 to 65535")
        ) {
            try settings(["--port", "1"], environment: ["BROADSHEET_PORT": "x"])
        }
    }

    @Test("A file that cannot be read is a fault of the command line")
    func missingFile() {
        #expect(
            throws: CommandError.usage(
                "cannot read the configuration file daemon.json: No such file or directory")
        ) {
            try settings(["--config", "daemon.json"])
        }
    }

    @Test(
        "Every fault of a file is named with its place",
        arguments: [
            ("", "daemon.json:1:1 The text ends before its JSON value does."),
            ("[]", "daemon.json: a configuration file is a JSON object"),
            (#"{"prot": 1}"#, "daemon.json:1:10 unknown member 'prot'; did you mean 'port'?"),
            (#"{"x-y": 1}"#, "daemon.json:1:9 unknown member 'x-y'"),
            (#"{"config": "a.json"}"#, "daemon.json:1:12 unknown member 'config'"),
            (
                #"{"port": "8080"}"#,
                "daemon.json:1:10 'port' is not a whole number from 0 to 65535"
            ),
            ("{\"port\": 80.5}", "daemon.json:1:10 'port' is not a whole number from 0 to 65535"),
            (#"{"host": 1}"#, "daemon.json:1:10 'host' is not a text of at least one character"),
            (
                "{\"port\": -1,\n \"log\": \"xml\"}",
                """
                daemon.json:1:10 'port' is not a whole number from 0 to 65535
                daemon.json:2:9 'log' is not one of: json, text
                """
            ),
        ])
    func faults(file: String, message: String) {
        #expect(throws: CommandError.usage(message)) {
            try settings(["--config", "daemon.json"], file: file)
        }
    }

    @Test(
        "Every option of serve has a variable and a member",
        arguments: Self.options.filter { $0.name != "config" })
    func everyOption(option: Option) throws {
        #expect(option.hasVariable && option.hasMember, "\(option.flag)")
        let text = option.form == .number ? "256" : option.name == "log" ? "text" : "x"
        let member = option.form == .number ? "256" : "\"\(text)\""
        let flagged = try settings([option.flag, text])
        let spoken = try settings(environment: [option.environmentVariable: text])
        let filed = try settings(
            ["--config", "daemon.json"], file: "{\"\(option.name)\": \(member)}")
        let setting = Setting<String>(option: option, fallback: "", read: { $0 })
        for settings in [flagged, spoken, filed] { #expect(settings[setting] == text) }
    }
}
