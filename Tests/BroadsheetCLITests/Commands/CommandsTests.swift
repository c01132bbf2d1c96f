import Broadsheet
import Testing

@testable import BroadsheetCLI

@Suite("The commands")
struct CommandsTests {
    @Test("Without a command the list of them is on standard error, and the status is 2")
    func none() async {
        let console = TestConsole()
        #expect(await console.run() == .usage)
        #expect(console.output == "")
        #expect(console.errors.first?.hasPrefix("broadsheet: which command? One of: ") == true)
    }

    @Test("A misspelt command is answered with the nearest one")
    func misspelt() async {
        let console = TestConsole()
        #expect(await console.run("versoin") == .usage)
        #expect(
            console.errors == [
                "broadsheet: unknown command 'versoin'; did you mean 'version'?",
                "Try 'broadsheet help'.",
            ])
    }

    @Test("help of a misspelt command is answered likewise")
    func helpOfMisspelt() async {
        let console = TestConsole()
        #expect(await console.run("help", "chekc") == .usage)
        #expect(
            console.errors == [
                "broadsheet: unknown command 'chekc'; did you mean 'check'?",
                "Try 'broadsheet help'.",
            ])
    }

    @Test("A database comes and goes by no standard stream", arguments: ["backup", "restore"])
    func databaseFile(command: String) async {
        let console = TestConsole()
        #expect(await console.run(command, "--store=sqlite:a.db", "-") == .usage)
        #expect(console.errors.first == "broadsheet: a database is a file; '-' is none")
    }

    @Test("The version is one line on standard output", arguments: ["version", "--version"])
    func version(word: String) async {
        let console = TestConsole()
        #expect(await console.run(word) == .success)
        #expect(console.output == "broadsheet \(BroadsheetVersion.current)\n")
        #expect(console.errors.isEmpty)
    }

    @Test("version takes nothing else")
    func versionOfSomething() async {
        let console = TestConsole()
        #expect(await console.run("version", "2") == .usage)
        #expect(console.errors.first == "broadsheet: version takes no '2'")
    }

    @Test("Help lists every command", arguments: ["help", "--help", "-h"])
    func help(word: String) async {
        let console = TestConsole()
        #expect(await console.run(word) == .success)
        for command in Commands.all {
            #expect(console.output.contains("\n  \(command.name) "), "\(command.name)")
        }
    }

    @Test("help COMMAND and COMMAND --help print the same")
    func helpOfCommand() async {
        for command in Commands.all {
            let (asked, flagged) = (TestConsole(), TestConsole())
            #expect(await asked.run("help", command.name) == .success)
            #expect(await flagged.run(command.name, "--help") == .success)
            #expect(asked.output == flagged.output)
            #expect(asked.output.contains("broadsheet \(command.name)"))
        }
    }

    @Test("Help fits a terminal of 100 columns and shows every option of a command")
    func helpOfOptions() async {
        for command in Commands.all {
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

    @Test("A result that cannot be written is a failure, not a silent success")
    func fullDisk() async {
        let console = Console(
            environment: [:], write: { _ in "No space left on device" }, complain: { _ in },
            read: { _ throws(FileError) in throw FileError(reason: "no files here") })
        #expect(await Commands.run(["version"], in: console) == .failure)
    }
}
