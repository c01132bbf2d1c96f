import Foundation
import TestSupport
import Testing

extension EndToEnd {
    @Suite struct Starting {
        private func fails(
            _ words: [String], environment: [String: String] = [:], status: Int32
        ) throws -> String {
            let outcome = try Shell.run(
                [Repository.binary, "serve", "--port", "0"] + words, environment: environment)
            #expect(outcome.status == status, "\(outcome.errors)")
            #expect(outcome.output == "")
            return outcome.errors
        }

        @Test("A port in use is reported, with status 1")
        func portTaken() throws {
            let daemon = try TestDaemon()
            let outcome = try Shell.broadsheet("serve", "--port", "\(daemon.port)")
            #expect(outcome.status == 1)
            #expect(outcome.output == "")
            #expect(outcome.errors.contains("\(daemon.port)"))
            #expect(outcome.errors.contains("in use"))
        }

        @Test("A host address that is not local is reported, with status 1")
        func foreignHost() throws {
            #expect(try fails(["--host", "192.0.2.1", "--open"], status: 1).contains("192.0.2.1"))
        }

        @Test(
            "Without keys the daemon starts on an address of other machines only with --open",
            arguments: ["0.0.0.0", "::", "192.0.2.1"])
        func exposed(host: String) throws {
            let errors = try fails(["--host", host], status: 2)
            #expect(errors.contains("--keys FILE") && errors.contains("--open"), "\(errors)")
            let folder = try ScratchFolder()
            let keys = try folder.write(TestKey("a").line, to: "keys")
            for words in [["--open"], ["--keys", keys]] {
                // This machine does not have the address, which is the next thing that can fail.
                let outcome = try fails(words + ["--host", "192.0.2.1"], status: 1)
                #expect(outcome.contains("cannot listen"), "\(outcome)")
            }
        }

        @Test("Messages before a failed start are logged")
        func logBeforeFailure() throws {
            let folder = try ScratchFolder()
            let words = [
                "--host", "192.0.2.1", "--open", "--store", "sqlite:\(folder.path("screens.db"))",
            ]
            #expect(try fails(words, status: 1).contains("the store is closed"))
        }

        @Test("A host that is not an address is an invalid command line")
        func badHost() throws {
            #expect(try fails(["--host", "no such host"], status: 2).contains("no such host"))
        }

        @Test("Every violation in a catalog is reported on its own line, with its location")
        func invalidCatalog() throws {
            let folder = try ScratchFolder()
            let path = try folder.write(
                """
                {"units": {"A": {"cell": {"type": "Missing"}}},
                 "cellTypes": {"B": {"size": {"width": "wide"}}}}
                """, to: "catalog.json")
            let errors = try fails(["--catalog", path], status: 1)
            let lines = errors.split(separator: "\n").filter { $0.hasPrefix("\(path):") }
            #expect(lines.count >= 2, "\(errors)")
            #expect(lines.contains { $0.contains(" /units/A/cell/type ") })
            #expect(lines.contains { $0.hasPrefix("\(path):2:") })
        }

        @Test("The error of a server that is not there names it, and what to start")
        func noServer() throws {
            for (password, port) in [("d", try FreePort.any()), ("secret", try FreePort.any())] {
                let errors = try fails(
                    ["--store", "redis://:\(password)@127.0.0.1:\(port)"], status: 1)
                let expected =
                    "broadsheet: the store cannot be opened: connect: Connection refused "
                    + "(127.0.0.1:\(port)); start the Redis server there, or correct the address in "
                    + "--store"
                #expect(errors.split(separator: "\n").last == Substring(expected), "\(errors)")
            }
        }

        @Test("A missing catalog is reported")
        func missingCatalog() throws {
            let errors = try fails(["--catalog", "/nowhere/catalog.json"], status: 1)
            #expect(errors.contains("--catalog /nowhere/catalog.json: No such file or directory; "))
        }

        @Test(
            "An invalid command line is reported with its cause, with status 2",
            arguments: [
                (["--prot", "1"], "did you mean '--port'?"),
                (["--max-body", "16MB"], "--max-body"),
                (["--store", "tape:"], "--store"),
                (["page.json"], "page.json"),
                (["--config", "/nowhere.json"], "/nowhere.json"),
            ])
        func commandLine(words: [String], mention: String) throws {
            #expect(try fails(words, status: 2).contains(mention))
        }

        @Test("An invalid environment variable is reported, with status 2")
        func variable() throws {
            let errors = try fails([], environment: ["BROADSHEET_LOOPS": "many"], status: 2)
            #expect(errors.contains("BROADSHEET_LOOPS"))
        }

        @Test("Environment variables and the configuration file set what no flag sets")
        func configuration() throws {
            let folder = try ScratchFolder()
            let path = try folder.write(#"{"max-body": 5, "max-target": 20}"#, to: "daemon.json")
            let daemon = try TestDaemon(
                ["--config", path], environment: ["BROADSHEET_MAX_TARGET": "30"])
            let body = Array("{     }".utf8)
            #expect(try daemon.request("POST", "/v1/layout", body: body).status == 413)
            #expect(try daemon.request("GET", "/livez?123456789012345").status == 200)
            #expect(try daemon.request("GET", "/livez?12345678901234567890123456789").status == 414)
        }
    }
}
