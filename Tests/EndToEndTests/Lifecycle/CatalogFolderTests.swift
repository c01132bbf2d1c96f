import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// Several catalogs in a running daemon (docs/catalog.md, "Several catalogs").
    @Suite struct CatalogFolders {
        private static func catalog(height: Int) -> String {
            """
            {"units": {"A": {"cell": {"type": "Cell"}}}, \
            "cellTypes": {"Cell": {"size": {"height": \(height)}}}}
            """
        }

        private func height(_ query: String, in daemon: TestDaemon) throws -> Double {
            let response = try daemon.request("GET", "/v1/screens/home/layout\(query)")
            return try response.tree().contentSize.height
        }

        @Test("SIGHUP reads all catalogs again; an error in one is logged, and all old ones stay")
        func reload() throws {
            let folder = try ScratchFolder()
            for (name, height) in [("default", 10), ("a", 20), ("b", 30)] {
                try folder.write(Self.catalog(height: height), to: "\(name).json")
            }
            let daemon = try TestDaemon(["--catalog", folder.path])
            let page = Array(#"{"sections":[[{"unitType":"A","unitData":{}}]]}"#.utf8)
            #expect(
                try daemon.request("PUT", "/v1/screens/home/pages/0?catalog=a", body: page).status
                    == 201)
            for (query, height) in [("", 10.0), ("?catalog=a", 20), ("?catalog=b", 30)] {
                #expect(try self.height(query, in: daemon) == height)
            }

            try folder.write(Self.catalog(height: 25), to: "a.json")
            try folder.write(Self.catalog(height: 40), to: "c.json")
            try FileManager.default.removeItem(atPath: folder.path("b.json"))
            daemon.program.send(SIGHUP)
            let line = try daemon.program.errors.line { $0.contains("catalog replaced") }
            #expect(line.contains("2 others by name: a, c"))
            for (query, height) in [("", 10.0), ("?catalog=a", 25), ("?catalog=c", 40)] {
                #expect(try self.height(query, in: daemon) == height)
            }
            let gone = try daemon.request("GET", "/v1/screens/home/layout?catalog=b")
            #expect(gone.status == 400 && gone.text.contains("one of a, c;"))

            try folder.write(Self.catalog(height: 50), to: "a.json")
            try folder.write(#"{"units": []}"#, to: "c.json")
            daemon.program.send(SIGHUP)
            let error = try daemon.program.errors.line { $0.contains("\"error\"") }
            #expect(error.contains("c.json:1:11 /units") && error.contains("refused"))
            try FileManager.default.removeItem(atPath: folder.path("c.json"))
            try FileManager.default.removeItem(atPath: folder.path("default.json"))
            daemon.program.send(SIGHUP)
            let missing = try daemon.program.errors.line { $0.contains("has no default.json") }
            #expect(missing.contains("\"error\""))
            for (query, height) in [("", 10.0), ("?catalog=a", 25), ("?catalog=c", 40)] {
                #expect(try self.height(query, in: daemon) == height)
            }
            #expect(
                try daemon.request("GET", "/v1/catalog?catalog=c").text
                    == Self.catalog(height: 40))
        }

        @Test("A daemon does not start with an error in any catalog of its folder")
        func start() throws {
            let folder = try ScratchFolder()
            try folder.write("{}", to: "default.json")
            try FileManager.default.createSymbolicLink(
                atPath: folder.path("a.json"), withDestinationPath: "/etc/hostname")
            try folder.write("[]", to: "b.json")
            try folder.write(#"{"cellType": {}}"#, to: "c.json")
            let outcome = try Shell.broadsheet("serve", "--port", "0", "--catalog", folder.path)
            #expect(outcome.status == 1 && outcome.output == "")
            #expect(outcome.errors.contains("a.json: is outside of its folder"))
            #expect(outcome.errors.contains("b.json:1:1 "))
            #expect(outcome.errors.contains("c.json:1:14 /cellType is not known"))
        }
    }
}
