import Foundation
import Testing

extension EndToEnd.Deployment {
    @Test("The steps from a fresh machine to the internet lead there as they stand")
    func internet() throws {
        let steps = try InternetSteps()
        let folder = try ScratchFolder()
        let package =
            try Packages.folder.map { _ in try Packages.Format.deb.file() }
            ?? Packages.makePackage(in: folder.path)
        let machine: FreshMachine
        do {
            machine = try FreshMachine(package: package, name: InternetSteps.name)
        } catch {
            return print("cannot run a machine with systemd, so its steps were not run: \(error)")
        }
        let outcome = try machine.run(script: steps.script, trusting: InternetSteps.certificate)
        let outputs = steps.outputs(in: outcome.output)
        #expect(outputs.count == steps.examples.count, "\(outcome) \(machine.log)")
        for (example, printed) in zip(steps.examples, outputs) {
            #expect(
                OutputPattern.matches(example.output, printed),
                """
                docs/operations.md:\(example.line): $ \(example.command)
                printed: \(printed.joined(separator: "\n"))
                log: \(machine.log)
                """)
        }
    }
}

/// The commands of docs/operations.md, "From a fresh machine to the internet".
struct InternetSteps {
    /// The name of the machine in the document.
    static let name = "layouts.example.com"
    /// The certificate that its steps obtain.
    static let certificate = "/etc/letsencrypt/live/\(name)/fullchain.pem"
    /// A line that separates the outputs of commands.
    private static let separator = "--8<-- next command --8<--"

    /// The commands, in order; those of blocks without outputs have the output `…`.
    let examples: [ConsoleExample]

    /// Reads the document.
    init() throws {
        let text = String(decoding: try Repository.contents("docs/operations.md"), as: UTF8.self)
        examples = try MarkdownFence.all(in: text).flatMap { fence in
            switch fence.info {
            case "console internet": return try ConsoleExample.all(in: fence)
            case "sh internet":
                return [
                    ConsoleExample(
                        command: fence.lines.joined(separator: "\n"), output: ["…"],
                        line: fence.firstLine)
                ]
            default: return []
            }
        }
        guard examples.count > 5 else { throw HarnessError("the document has no steps") }
    }

    /// A script of all commands, which ends with the first one that fails.
    var script: String {
        examples.reduce(into: "set -e\nexec 2>&1 </dev/null\n") { script, example in
            script += "\(example.command)\n"
            if example.command.hasSuffix("systemctl reload nginx") { script += Self.waitForNginx }
            script += "printf '\\n%s\\n' '\(Self.separator)'\n"
        }
    }

    /// A command that ends when nginx serves TLS: it reads its configuration after the command that
    /// asks it to has ended.
    private static let waitForNginx = """
        curl -s -o /dev/null --retry 60 --retry-connrefused --retry-delay 1 "https://$name/"

        """

    /// Returns the lines that each command has printed.
    func outputs(in text: String) -> [[String]] {
        text.components(separatedBy: "\n\(Self.separator)\n").dropLast().map { printed in
            let text = printed.hasSuffix("\n") ? printed.dropLast() : printed[...]
            return text.isEmpty ? [] : text.components(separatedBy: "\n")
        }
    }
}
