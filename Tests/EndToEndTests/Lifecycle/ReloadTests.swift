import Glibc
import Testing

extension EndToEnd {
    @Suite struct Reloading {
        private static func catalog(height: Int) -> String {
            """
            {"units": {"A": {"cell": {"type": "Cell"}}}, \
            "cellTypes": {"Cell": {"size": {"height": \(height)}}}}
            """
        }

        private func height(in daemon: TestDaemon) throws -> Double {
            let response = try daemon.request("GET", "/v1/screens/home/layout")
            return try response.tree().contentSize.height
        }

        @Test("SIGHUP reloads the catalog; an invalid catalog is logged and not used")
        func reload() throws {
            let folder = try ScratchFolder()
            let path = try folder.write(Self.catalog(height: 10), to: "catalog.json")
            let daemon = try TestDaemon(["--catalog", path])
            let page = Array(#"{"sections":[[{"unitType":"A","unitData":{}}]]}"#.utf8)
            #expect(
                try daemon.request("PUT", "/v1/screens/home/pages/0", body: page).status == 201)
            #expect(try height(in: daemon) == 10)

            try folder.write(Self.catalog(height: 25), to: "catalog.json")
            daemon.program.send(SIGHUP)
            _ = try daemon.program.errors.line { $0.contains("catalog replaced") }
            #expect(try height(in: daemon) == 25)

            try folder.write(#"{"units": []}"#, to: "catalog.json")
            daemon.program.send(SIGHUP)
            let error = try daemon.program.errors.line { $0.contains("\"error\"") }
            #expect(error.contains("catalog.json:1:11 /units"))
            #expect(try height(in: daemon) == 25)
            #expect(
                try daemon.request("GET", "/v1/catalog").text == Self.catalog(height: 25))
        }

        @Test("A catalog with a misspelt member is not used, at the start and on SIGHUP")
        func misspelt() throws {
            let folder = try ScratchFolder()
            let good = Self.catalog(height: 10)
            let path = try folder.write(good, to: "catalog.json")
            let daemon = try TestDaemon(["--catalog", path])
            let page = Array(#"{"sections":[[{"unitType":"A","unitData":{}}]]}"#.utf8)
            #expect(
                try daemon.request("PUT", "/v1/screens/home/pages/0", body: page).status == 201)

            let misspelt = good.replacing(#""units""#, with: #""unitz""#)
            try folder.write(misspelt, to: "catalog.json")
            daemon.program.send(SIGHUP)
            let error = try daemon.program.errors.line { $0.contains("\"error\"") }
            #expect(error.contains(#"catalog.json:1:11 /unitz is not known; did you mean"#))
            #expect(try height(in: daemon) == 10)
            #expect(try daemon.request("GET", "/v1/catalog").text == good)

            let outcome = try Shell.broadsheet("serve", "--port", "0", "--catalog", path)
            #expect(outcome.status == 1 && outcome.output == "")
            #expect(outcome.errors.contains(#"/unitz is not known; did you mean "units"?"#))

            // A name that is far from all others is a warning, as before.
            try folder.write(
                good.replacing(#"{"units""#, with: #"{"theme": {}, "units""#), to: "catalog.json")
            daemon.program.send(SIGHUP)
            _ = try daemon.program.errors.line { $0.contains("UNKNOWN_MEMBER /theme") }
            #expect(try daemon.request("GET", "/v1/catalog").text.contains("theme"))
        }

        @Test("SIGHUP without a catalog file has no effect")
        func builtIn() throws {
            let daemon = try TestDaemon()
            daemon.program.send(SIGHUP)
            _ = try daemon.program.errors.line { $0.contains("built-in") }
            #expect(try daemon.request("GET", "/livez").status == 200)
        }
    }
}
