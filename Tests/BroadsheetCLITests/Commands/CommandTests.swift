import Broadsheet
import BroadsheetOrigin
import BroadsheetText
import Testing

@testable import BroadsheetCLI

@Suite("Commands")
struct CommandTests {
    @Test("Without a command the names are printed on standard error, and the status is 2")
    func none() async {
        let console = TestConsole()
        #expect(await console.run() == .usage)
        #expect(console.output == "")
        #expect(console.errors.first?.hasPrefix("broadsheet: which command? One of: ") == true)
    }

    @Test("A misspelt command is reported with the nearest name")
    func misspelt() async {
        let console = TestConsole()
        #expect(await console.run("versoin") == .usage)
        #expect(
            console.errors == [
                "broadsheet: unknown command 'versoin'; did you mean 'version'?",
                "Try 'broadsheet help'.",
            ])
    }

    @Test("The help of a misspelt command reports the nearest name")
    func helpOfMisspelt() async {
        let console = TestConsole()
        #expect(await console.run("help", "chekc") == .usage)
        #expect(
            console.errors == [
                "broadsheet: unknown command 'chekc'; did you mean 'check'?",
                "Try 'broadsheet help'.",
            ])
    }

    @Test(
        "A database is not read from or written to a standard stream",
        arguments: ["backup", "restore"])
    func databaseFile(command: String) async {
        let console = TestConsole()
        #expect(await console.run(command, "--store=sqlite:a.db", "-") == .usage)
        #expect(
            console.errors.first
                == "broadsheet: a database must be a file, not a standard stream ('-')")
    }

    @Test("The version is one line on standard output", arguments: ["version", "--version"])
    func version(word: String) async throws {
        let console = TestConsole()
        #expect(await console.run(word) == .success)
        let texts = try #require(FontMeasurer.libraryVersions)
        let libraries = "\(texts), \(try #require(CurlOrigin.libraryVersion))"
        #expect(
            libraries.contains(
                /^HarfBuzz \d+\.\d+\.\d+, ICU \d+\.\d+, libcurl \d+\.\d+\.\d+[^ ,]*$/))
        #expect(console.output == "broadsheet \(BroadsheetVersion.current) (\(libraries))\n")
        #expect(console.errors.isEmpty)
    }

    @Test("`version` takes no operand")
    func versionOfSomething() async {
        let console = TestConsole()
        #expect(await console.run("version", "2") == .usage)
        #expect(console.errors.first == "broadsheet: version takes no '2'")
    }

    @Test("Help lists every command", arguments: ["help", "--help", "-h"])
    func help(word: String) async {
        let console = TestConsole()
        #expect(await console.run(word) == .success)
        for command in Command.all {
            #expect(console.output.contains("\n  \(command.name) "), "\(command.name)")
        }
    }

    @Test("`help COMMAND` and `COMMAND --help` print the same")
    func helpOfCommand() async {
        for command in Command.all {
            let (help, flag) = (TestConsole(), TestConsole())
            #expect(await help.run("help", command.name) == .success)
            #expect(await flag.run(command.name, "--help") == .success)
            #expect(help.output == flag.output)
            #expect(help.output.contains("broadsheet \(command.name)"))
        }
    }

    @Test("Help fits a terminal of 100 columns and shows every option of a command")
    func helpOfOptions() async {
        for command in Command.all {
            let console = TestConsole()
            #expect(await console.run("help", command.name) == .success)
            for line in console.output.split(separator: "\n") {
                #expect(line.count <= 100, "\(line)")
            }
            for option in command.options {
                #expect(console.output.contains(option.flag), "\(option.flag)")
                if let unit = option.unit { #expect(console.output.contains(unit)) }
            }
        }
    }

    @Test("A result that cannot be written is a failure")
    func fullDisk() async {
        var console = Console.empty
        console.write = { _ in "No space left on device" }
        #expect(await Command.run(["version"], in: console) == .failure)
    }
}
