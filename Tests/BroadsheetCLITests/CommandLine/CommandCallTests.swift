import Broadsheet
import BroadsheetHTTP
import BroadsheetServer
import BroadsheetService
import Testing

@testable import BroadsheetCLI

@Suite("Sources of settings")
struct CommandCallTests {
    private func configuration(
        _ words: [String] = [], environment: [String: String] = [:], file: String? = nil
    ) throws(CommandError) -> ServeConfiguration {
        var console = Console.empty
        console.environment = environment
        console.read = { path throws(FileError) in
            guard path == "daemon.json", let file else {
                throw FileError(reason: "No such file or directory")
            }
            return Array(file.utf8)
        }
        return try .reading(words, in: console)
    }

    @Test("Without any source the defaults apply")
    func defaults() throws {
        let configuration = try configuration()
        #expect(configuration.server.host == "127.0.0.1")
        #expect(configuration.server.port == 8080)
        #expect(configuration.store == nil)
        #expect(configuration.server.loops == nil)
        #expect(configuration.server.logFormat == .json)
        #expect(configuration.server.limits.maxBody == 16 * 1_048_576)
        #expect(configuration.server.limits.maxHeaderBytes == 16_384)
        #expect(configuration.server.limits.maxTarget == 8_192)
    }

    @Test("A flag precedes the environment, that the file, and that the default")
    func precedence() throws {
        let file = #"{"port": 1, "drain": 1, "max-body": 1}"#
        let environment = ["BROADSHEET_PORT": "2", "BROADSHEET_DRAIN": "2"]
        let configuration = try configuration(
            ["--port", "3", "--config", "daemon.json"], environment: environment, file: file)
        #expect(configuration.server.port == 3)
        #expect(configuration.server.drain == .seconds(2))
        #expect(configuration.server.limits.maxBody == 1)
        #expect(configuration.service.limits.maxDepth == 128)
    }

    @Test("A variable that differs from a known one by two letters has a warning with that name")
    func misspeltVariables() throws {
        var console = Console.empty
        console.environment = [
            "BROADSHEET_PROT": "1", "BROADSHET_MAX_BODY": "2", "broadsheet_host": "::1",
            "BROADSHEET_LOGG": "", "BROADSHEET_STORE": "memory", "BROADSHEET_SEED": "7",
            "PATH": "/bin", "BROADSHEET_MAXIMUM_BODY": "1",
        ]
        let call = CommandCall(
            try Arguments([], options: []), in: console, settings: [Setting<NoConfiguration>]())
        #expect(
            call.variableWarnings == [
                "the environment's BROADSHEET_LOGG is not a setting; did you mean BROADSHEET_LOG?",
                "the environment's BROADSHEET_PROT is not a setting; did you mean BROADSHEET_PORT?",
                "the environment's BROADSHET_MAX_BODY is not a setting; did you mean "
                    + "BROADSHEET_MAX_BODY?",
                "the environment's broadsheet_host is not a setting; did you mean BROADSHEET_HOST?",
            ])
    }

    @Test("The environment can name the configuration file")
    func fileFromEnvironment() throws {
        let configuration = try configuration(
            environment: ["BROADSHEET_CONFIG": "daemon.json"],
            file: #"{"host": "::1", "loops": 3, "log": "text", "catalog": "shop.json"}"#)
        #expect(configuration.server.host == "::1")
        #expect(configuration.server.loops == 3)
        #expect(configuration.server.logFormat == .text)
        #expect(configuration.catalog == "shop.json")
    }

    @Test(
        "An empty variable is an error, as an empty flag is",
        arguments: [
            ("KEYS", "the path of a file"), ("PORT", "a whole number from 0 to 65535"),
            ("STRICT", "true or false"), ("STORE", "a text of at least one character"),
        ])
    func emptyVariable(name: String, expectation: String) {
        let message = "the environment's BROADSHEET_\(name): '' is not \(expectation)"
        #expect(throws: CommandError.usage(message)) {
            try configuration(environment: ["BROADSHEET_\(name)": ""])
        }
    }

    @Test(
        "Bytes are whole numbers, also with KiB, MiB or GiB",
        arguments: [
            ("134217728", 134_217_728), ("128MiB", 134_217_728), ("262144KiB", 268_435_456),
            ("2GiB", 2_147_483_648),
        ])
    func bytes(text: String, bytes: Int) throws {
        let flag = try configuration(["--memory", text])
        let member = try configuration(
            ["--config=daemon.json"], file: #"{"memory": "\#(text)"}"#)
        #expect(flag.server.memory == bytes && member.server.memory == bytes)
        #expect(try configuration(environment: ["BROADSHEET_MEMORY": text]).server.memory == bytes)
    }

    private static let optionsOfBytes = ServeConfiguration.settings.flatMap(\.settings)
        .map(\.option).filter { $0.unit == "bytes" || $0.name.contains("bytes") }
        .map(\.name)

    @Test("Each option of bytes takes units, wherever it comes from", arguments: optionsOfBytes)
    func unitsOfBytes(name: String) throws {
        let (text, plain) = name == "memory" ? ("256MiB", "268435456") : ("2KiB", "2048")
        let expected = try configuration(["--\(name)=\(plain)"])
        #expect(try expected != configuration())
        #expect(try configuration(["--\(name)", text]) == expected)
        let variable = "BROADSHEET_" + name.uppercased().replacing("-", with: "_")
        #expect(try configuration(environment: [variable: text]) == expected)
        for value in [plain, "\"\(text)\""] {
            var found = try configuration(
                ["--config=daemon.json"], file: "{\"\(name)\": \(value)}")
            found.configurationFile = nil
            #expect(found == expected, "\(value)")
        }
        #expect(Self.optionsOfBytes.count >= 12)
    }

    @Test(
        "Bytes with other units, fractions, signs or too many digits are errors",
        arguments: [
            "128MB", "128 MiB", "0.5GiB", "+1GiB", "MiB", "-1GiB", "1mib", "9223372036854775807GiB",
            "127MiB",
        ])
    func invalidBytes(text: String) {
        #expect(throws: CommandError.self) { try configuration(["--memory", text]) }
    }

    @Test("A member that is null is ignored")
    func nullMember() throws {
        let configuration = try configuration(
            ["--config=daemon.json"], file: #"{"port": null, "drain": 1, "drain": 2}"#)
        #expect(configuration.server.port == 8080)
        #expect(configuration.server.drain == .seconds(2))
    }

    @Test("An invalid variable is reported even if a flag takes precedence over it")
    func invalidVariable() {
        #expect(
            throws: CommandError.usage(
                "the environment's BROADSHEET_PORT: 'x' is not a whole number from 0 to 65535")
        ) {
            try configuration(["--port", "1"], environment: ["BROADSHEET_PORT": "x"])
        }
    }

    @Test("A configuration file that cannot be read is a usage error")
    func missingFile() {
        #expect(
            throws: CommandError.usage(
                "cannot read the configuration file daemon.json: No such file or directory")
        ) {
            try configuration(["--config", "daemon.json"])
        }
    }

    @Test(
        "Every violation of a configuration file is reported with its position",
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
    func violations(file: String, message: String) {
        #expect(throws: CommandError.usage(message)) {
            try configuration(["--config", "daemon.json"], file: file)
        }
    }

    @Test(
        "Every option of serve can be set by a flag, a variable and a member, with equal effect",
        arguments: Command.serve.options.filter { $0.name != "config" })
    func everyOption(option: Option) throws {
        let texts = [
            "log": "text", "trusted-proxies": "::1", "cors-origin": "https://x",
            "origin": "https://x",
        ]
        // The least memory is more than the maximum of some other options.
        let numbers = ["memory": "268435456", "store-connections": "16", "store-timeout": "16"]
        let text =
            switch option.form {
            case .number, .amount: numbers[option.name] ?? "256"
            case .toggle, .truth: "true"
            case .text: texts[option.name] ?? "x"
            }
        let member = option.form == .text ? "\"\(text)\"" : text
        let flag = try configuration(["\(option.flag)=\(text)"])
        var file = try configuration(
            ["--config", "daemon.json"], file: "{\"\(option.name)\": \(member)}")
        file.configurationFile = nil
        #expect(flag != .defaults || option.defaultText?.hasPrefix("256 ") == true)
        #expect(try configuration(environment: [option.environmentVariable: text]) == flag)
        #expect(file == flag)
    }
}
