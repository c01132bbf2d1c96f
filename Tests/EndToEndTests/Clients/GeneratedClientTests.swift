import Foundation
import TestSupport
import Testing

extension EndToEndClients {
    /// Tests with tools that read the OpenAPI document: a generator of clients, and a fuzzer.
    @Suite(.enabled(if: ClientTools.folder != nil, "`make test-deps` has not installed the tools"))
    struct GeneratedClients {
        @Test("The commands of docs/api.md generate a client that drives the daemon")
        func pythonClient() throws {
            let daemon = try TestDaemon()
            let folder = try ScratchFolder()
            let commands = try ClientTools.example("sh client", daemon)
            #expect(commands.contains("openapi-python-client generate"))
            let generated = try ClientTools.run(commands, in: folder.path)
            let printed = generated.output + generated.errors
            #expect(generated.status == 0 && !printed.uppercased().contains("WARN"), "\(printed)")
            let driver = ClientTools.path("drive_client.py")
            let driven = try ClientTools.run(
                "python3 '\(driver)' http://\(daemon.address) client", in: folder.path)
            #expect(driven.status == 0, "\(driven.output)\(driven.errors)")
            try Storefront.store([0], as: "home", in: daemon)
            let example = try ClientTools.example("python client", daemon)
            try folder.write("\(example)\nprint(len(tree.sections) > 0)\n", to: "example.py")
            let used = try ClientTools.run(
                "PYTHONPATH=client python3 example.py", in: folder.path)
            #expect(used.output == "True\n", "\(used.errors)")
        }

        @Test(
            "Schemathesis finds nothing, with a fixed seed and with a new one",
            arguments: [true, false])
        func fuzz(isFixed: Bool) throws {
            let seed = isFixed ? 1 : SeededGenerator.seed(of: "Schemathesis") % 1_000_000_007
            let daemon = try TestDaemon()
            let folder = try ScratchFolder()
            // The document as it is leaves few requests that get past the checks of conditions.
            let hooks = isFixed ? "" : "SCHEMATHESIS_HOOKS='\(ClientTools.path("reachable.py"))'"
            // A feed has no end.
            let outcome = try ClientTools.run(
                """
                \(hooks) schemathesis --config-file '\(ClientTools.path("schemathesis.toml"))' \
                run http://\(daemon.address)/openapi.json --seed \(seed) \
                --exclude-operation-id getFeed --max-examples 10 --max-time 35
                """, in: folder.path)
            #expect(outcome.status == 0, "seed \(seed): \(outcome.output)\(outcome.errors)")
            #expect(try daemon.stop() == .status(0))
        }
    }
}

/// The tools that `make test-deps` installs.
private enum ClientTools {
    /// The folder of their programs, or `nil` if they are not installed.
    static let folder: String? = {
        let folder = Repository.path(".build/client-tools/bin")
        return FileManager.default.fileExists(atPath: folder + "/schemathesis") ? folder : nil
    }()

    /// Returns the path of one of the tests' files.
    static func path(_ name: String) -> String { Repository.path("Tests/Clients/\(name)") }

    /// Returns the blocks of docs/api.md with an info string, for a daemon.
    static func example(_ info: String, _ daemon: TestDaemon) throws -> String {
        let text = String(decoding: try Repository.contents("docs/api.md"), as: UTF8.self)
        return MarkdownFence.all(in: text).filter { $0.info == info }.flatMap(\.lines)
            .joined(separator: "\n").replacing("127.0.0.1:8080", with: daemon.address)
    }

    /// Runs commands in a shell in which the tools are on PATH.
    static func run(_ commands: String, in directory: String) throws -> Shell.Outcome {
        try Shell.run(
            ["/bin/bash", "-ec", "PATH='\(folder ?? "")':\"$PATH\"\n\(commands)"],
            // The tools would otherwise write caches to the user's home folder.
            environment: [
                "HOME": directory, "PYTHONDONTWRITEBYTECODE": "1", "NO_COLOR": "1",
                "NO_PROXY": "127.0.0.1",
            ],
            directory: directory, within: .seconds(300))
    }
}
