import Broadsheet
import BroadsheetText
import Foundation
import Testing

@testable import BroadsheetCLI

@Suite("Fonts of a catalog file (docs/catalog.md, \"Fonts\")")
struct CatalogFontTests {
    /// A font of a system package that the tests install.
    private static let font = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"

    /// A new folder with a catalog of one font, and a folder `other` beside it.
    private struct Files {
        let folder: String
        var catalog: String { folder + "/catalog/catalog.json" }

        init(file: String) throws {
            folder = NSTemporaryDirectory() + "fonts-\(UUID().uuidString)"
            for name in ["catalog/fonts", "other"] {
                try FileManager.default.createDirectory(
                    atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
            }
            let json = """
                {"fonts": {"f": {"files": ["\(file)"], "size": 10, "lineHeight": 12}},
                 "units": {"U": {"cells": {"type": "C"}}},
                 "cellTypes": {"C": {"size": {"height": {"text": "/t", "font": "f"}}}}}
                """
            try Data(json.utf8).write(to: URL(fileURLWithPath: catalog))
        }

        func link(_ path: String, to target: String) throws {
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/\(path)", withDestinationPath: target)
        }

        func copy(_ path: String) throws {
            try FileManager.default.copyItem(
                atPath: CatalogFontTests.font, toPath: "\(folder)/\(path)")
        }

        func remove() { try? FileManager.default.removeItem(atPath: folder) }

        /// Reads the catalog, and returns the lines of its violations.
        func violations(fonts: String? = nil) throws -> [String] {
            let file = CatalogFile(path: catalog, fonts: fonts)
            let bytes = try Data(contentsOf: URL(fileURLWithPath: catalog))
            do throws(CommandError) {
                let read = try file.catalog(
                    in: SourceText(path: catalog, bytes: Array(bytes)), limits: ScreenLimits())
                #expect(read.measurer != nil)
                return []
            } catch {
                return error.lines
            }
        }
    }

    @Test("Files are relative to the folder of the catalog, or to --fonts")
    func folders() throws {
        let files = try Files(file: "fonts/a.ttf")
        defer { files.remove() }
        #expect(try files.violations().count == 1)
        try files.copy("catalog/fonts/a.ttf")
        #expect(try files.violations().isEmpty)
        #expect(try files.violations(fonts: "\(files.folder)/catalog").isEmpty)
        #expect(try files.violations(fonts: "\(files.folder)/other").count == 1)
    }

    @Test("A link may lead to a file in the folder, and not out of it")
    func links() throws {
        let files = try Files(file: "fonts/link.ttf")
        defer { files.remove() }
        try files.copy("other/a.ttf")
        try files.link("catalog/fonts/link.ttf", to: "../../other/a.ttf")
        let lines = try files.violations()
        #expect(lines.count == 1)
        #expect(lines.first?.contains(" /fonts/f/files/0 ") == true, "\(lines)")
        try FileManager.default.removeItem(atPath: "\(files.folder)/catalog/fonts/link.ttf")
        try files.copy("catalog/fonts/a.ttf")
        try files.link("catalog/fonts/link.ttf", to: "a.ttf")
        #expect(try files.violations().isEmpty)
    }

    @Test("A path out of the folder, a missing file and a broken font are violations of the file")
    func broken() throws {
        for path in ["../other/a.ttf", "fonts/missing.ttf", "catalog.json", "fonts"] {
            let files = try Files(file: path)
            defer { files.remove() }
            try files.copy("other/a.ttf")
            let lines = try files.violations()
            #expect(lines.count == 1)
            #expect(lines.first?.contains(":1:28 /fonts/f/files/0 ") == true, "\(lines)")
        }
    }
}
