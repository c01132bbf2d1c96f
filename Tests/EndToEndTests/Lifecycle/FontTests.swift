import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// Fonts of a catalog in a running daemon (docs/catalog.md, "Fonts").
    @Suite struct Fonts {
        private static let fonts = "/usr/share/fonts/truetype/dejavu"
        private static let layout = "/v1/screens/home/layout?width=200"

        private static func catalog(file: String = "title.ttf", maxLines: Int = 100) -> String {
            """
            {"fonts": {"title": {"files": ["\(file)"], "size": 20, "lineHeight": 25}},
             "sections": {"*": {"kind": "list"}},
             "units": {"A": {"cell": {"type": "Cell"}}},
             "cellTypes": {"Cell": {"size": {"height": {"text": "/title", "font": "title",
               "maxLines": \(maxLines)}}}}}
            """
        }

        /// Returns the height of the first item and its number of lines.
        private func item(
            in daemon: TestDaemon, _ query: String = ""
        ) throws -> (height: Double, lines: Int) {
            struct Lines: Decodable {
                struct Section: Decodable { let items: [Item] }
                struct Item: Decodable { let lines: Int }
                let sections: [Section]
            }
            let response = try daemon.request("GET", Self.layout + query)
            let item = try #require(try response.tree().sections.first?.items.first)
            let lines = try #require(try response.decode(Lines.self).sections.first?.items.first)
            return (item.frame.height, lines.lines)
        }

        private func replace(_ path: String, with font: String) throws {
            try Data(contentsOf: URL(filePath: "\(Self.fonts)/\(font)"))
                .write(to: URL(filePath: path))
        }

        @Test("Texts are measured with the fonts of the catalog, at the reader's text size")
        func measured() throws {
            let folder = try ScratchFolder()
            try replace(folder.path("title.ttf"), with: "DejaVuSans.ttf")
            let daemon = try TestDaemon([
                "--catalog", try folder.write(Self.catalog(), to: "catalog.json"),
            ])
            try put(in: daemon)
            let (plain, large) = (try item(in: daemon), try item(in: daemon, "&textScale=2"))
            #expect(plain.lines > 2 && plain.height == 25 * Double(plain.lines))
            #expect(large.lines > plain.lines && large.height == 50 * Double(large.lines))
        }

        @Test("A daemon has HarfBuzz and ICU in memory only if its catalog names a font")
        func libraries() throws {
            func maps(_ catalog: [String]) throws -> String {
                let daemon = try TestDaemon(catalog + ["--fonts", Self.fonts])
                // Foundation reads only the first 4 KiB of a file without a size.
                return try Shell.run(["cat", "/proc/\(daemon.program.processIdentifier)/maps"])
                    .output
            }
            let folder = try ScratchFolder()
            let catalog = try folder.write(Self.catalog(file: "DejaVuSans.ttf"), to: "catalog.json")
            let (without, with) = (try maps([]), try maps(["--catalog", catalog]))
            for library in ["libharfbuzz", "libicuuc"] {
                #expect(!without.contains(library))
                #expect(with.contains(library))
            }
        }

        @Test("SIGHUP reads changed fonts; those that are broken or outside are refused and named")
        func reload() throws {
            let folder = try ScratchFolder()
            let font = folder.path("title.ttf")
            try replace(font, with: "DejaVuSans.ttf")
            let daemon = try TestDaemon([
                "--catalog", try folder.write(Self.catalog(), to: "catalog.json"),
            ])
            try put(in: daemon)
            let before = try item(in: daemon)
            let tag = try #require(try daemon.request("GET", Self.layout)["ETag"])

            try replace(font, with: "DejaVuSans-Bold.ttf")
            daemon.program.send(SIGHUP)
            _ = try daemon.program.errors.line { $0.contains("catalog replaced") }
            let bold = try item(in: daemon)
            #expect(bold.lines > before.lines)
            let again = try daemon.request(
                "GET", Self.layout, headers: [("If-None-Match", tag)])
            #expect(again.status == 200 && again["ETag"] != tag)

            for file in [
                "title.ttf", "../\(URL(filePath: folder.path).lastPathComponent)/title.ttf",
            ] {
                try folder.write("not a font", to: "title.ttf")
                try folder.write(Self.catalog(file: file), to: "catalog.json")
                daemon.program.send(SIGHUP)
                let error = try daemon.program.errors.line { $0.contains("\"error\"") }
                #expect(error.contains("/fonts/title/files/0 "), "\(error)")
                #expect(try item(in: daemon) == bold)
            }
        }

        @Test("A daemon does not start with a font that is a link out of the folder")
        func outside() throws {
            let folder = try ScratchFolder()
            try FileManager.default.createSymbolicLink(
                atPath: folder.path("title.ttf"),
                withDestinationPath: "\(Self.fonts)/DejaVuSans.ttf")
            let catalog = try folder.write(Self.catalog(), to: "catalog.json")
            let outcome = try Shell.broadsheet("serve", "--port", "0", "--catalog", catalog)
            #expect(outcome.status != 0 && outcome.output == "")
            #expect(outcome.errors.contains(":1:32 /fonts/title/files/0 "), "\(outcome.errors)")

            try folder.write(Self.catalog(file: "DejaVuSans.ttf"), to: "catalog.json")
            let daemon = try TestDaemon(["--catalog", catalog, "--fonts", Self.fonts])
            #expect(try daemon.request("GET", "/livez").status == 200)
        }

        private func put(in daemon: TestDaemon) throws {
            let title = String(repeating: "Northern lights and coffee in the morning. ", count: 10)
            let page = #"{"sections":[[{"unitType":"A","unitData":{"title":"\#(title)"}}]]}"#
            let response = try daemon.request(
                "PUT", "/v1/screens/home/pages/0", body: Array(page.utf8))
            #expect(response.status == 201)
        }
    }
}
