import Broadsheet
import BroadsheetServer
import BroadsheetService
import Foundation
import Glibc
import Testing

@testable import BroadsheetCLI

@Suite("A folder of catalogs (docs/catalog.md, \"Several catalogs\")")
struct CatalogFolderTests {
    private static let catalog =
        #"{"units": {"U": {"cell": {"type": "C"}}}, "cellTypes": {"C": {}}}"#

    /// A new folder with a folder `catalogs`, and one `other` beside it.
    private struct Files {
        let folder: String
        var catalogs: String { folder + "/catalogs" }

        init(_ names: String...) throws {
            folder = NSTemporaryDirectory() + "catalogs-\(UUID().uuidString)"
            for name in ["catalogs", "other"] {
                try FileManager.default.createDirectory(
                    atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
            }
            for name in names { try write(CatalogFolderTests.catalog, to: "catalogs/\(name)") }
        }

        func write(_ text: String, to path: String) throws {
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(path)"))
        }

        func link(_ path: String, to target: String) throws {
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/\(path)", withDestinationPath: target)
        }

        func remove() { try? FileManager.default.removeItem(atPath: folder) }

        /// Reads the catalogs.
        func read(
            at path: String? = nil, fonts: String? = nil
        ) throws(CommandError) -> MeasuredCatalogs {
            try CatalogFile(path: path ?? catalogs, fonts: fonts)
                .catalogs(in: .process, limits: ScreenLimits())
        }

        /// Reads the catalogs, and returns the lines of their errors, without the folder's path.
        func errors() -> [String] {
            do throws(CommandError) {
                _ = try read()
                return []
            } catch {
                return error.lines.map { $0.replacing(catalogs, with: "*") }
            }
        }
    }

    @Test("Each file NAME.json is the catalog of that name, and other files are none")
    func names() throws {
        let files = try Files(
            "default.json", "checkout.json", "a.b~c_D-1.json", ".json.json", "notes.txt", "json")
        defer { files.remove() }
        for path in [files.catalogs, files.catalogs + "/", files.catalogs + "//"] {
            let read = try files.read(at: path)
            #expect(
                read.catalogs.named.keys.sorted().map(\.text)
                    == [".json", "a.b~c_D-1", "checkout"])
            #expect(read.measurer == nil)
        }
    }

    @Test("A file is the only catalog, as ever, and standard input is not a folder")
    func file() throws {
        let files = try Files("default.json", "checkout.json")
        defer { files.remove() }
        let read = try files.read(at: files.catalogs + "/checkout.json")
        #expect(read.catalogs.named.isEmpty)
        #expect(try Console.empty.catalogNames(in: "-") == nil)
        do throws(CommandError) {
            _ = try files.read(at: files.folder + "/none")
            Issue.record("there is no such file")
        } catch {
            let start = "--catalog \(files.folder)/none: No such file or directory; name a file"
            #expect(error.lines.count == 1 && error.lines[0].hasPrefix(start))
        }
    }

    @Test("Without default.json the folder is refused")
    func withoutDefault() throws {
        let files = try Files("checkout.json")
        defer { files.remove() }
        let error = "*: has no default.json, the catalog of requests that name none"
        #expect(files.errors() == [error])
        try FileManager.default.removeItem(atPath: files.catalogs + "/checkout.json")
        #expect(files.errors() == [error])
    }

    @Test("The errors of all files are found, in the order of their names")
    func errors() throws {
        let files = try Files("default.json", "a b.json", "c..json")
        defer { files.remove() }
        try files.write("{\n", to: "catalogs/bad.json")
        try files.write(#"{"units": []}"#, to: "catalogs/units.json")
        try FileManager.default.createDirectory(
            atPath: files.catalogs + "/folder.json", withIntermediateDirectories: false)
        mkfifo(files.catalogs + "/pipe.json", 0o600)
        let long = String(repeating: "n", count: 129)
        try files.write("{}", to: "catalogs/\(long).json")
        let rule = "the name of a catalog has 1 to 128 of A-Z a-z 0-9 . _ ~ -"
        #expect(
            files.errors() == [
                "*/a b.json: \(rule)", "*/bad.json:2:1 The text ends before its JSON value does.",
                "*/folder.json: is not a file",
                "*/\(long).json: \(rule)", "*/pipe.json: is not a file",
                "*/units.json:1:11 /units must be an object, not an array",
            ], "\(files.errors())")
    }

    @Test("A link may lead to a file in the folder, and not out of it, like those of fonts")
    func links() throws {
        let files = try Files("default.json", ".data")
        defer { files.remove() }
        try files.link("catalogs/checkout.json", to: ".data")
        #expect(try files.read().catalogs.named.count == 1)
        try files.write(Self.catalog, to: "other/a.json")
        for target in ["../other/a.json", "\(files.folder)/other/a.json", "missing", "loop.json"] {
            try files.link("catalogs/loop.json", to: target)
            let errors = files.errors()
            #expect(errors.count == 1 && errors[0].hasPrefix("*/loop.json: "), "\(errors)")
            #expect(errors[0].hasSuffix("is outside of its folder") == target.contains("other"))
            try FileManager.default.removeItem(atPath: files.catalogs + "/loop.json")
        }
        // The folder itself may be a link.
        try files.link("link", to: "catalogs")
        #expect(try files.read(at: files.folder + "/link").catalogs.named.count == 1)
    }

    @Test("A folder has at most 100 catalogs")
    func count() throws {
        let files = try Files("default.json")
        defer { files.remove() }
        for number in 1..<CatalogSet.maxCount {
            try files.write("{}", to: "catalogs/c\(number).json")
        }
        #expect(try files.read().catalogs.named.count == 99)
        try files.write("{}", to: "catalogs/c100.json")
        #expect(files.errors() == ["*: has more than 100 catalogs"])
    }

    @Test("The catalogs have at most 64 MiB together; what is beyond that is not read")
    func size() throws {
        let reads = Reads()
        func errors(_ sizes: [Int]) -> [String] {
            var console = Console.empty
            console.list = { _, _, _ in ["default.json", "a.json", "b.json"] }
            console.readInFolder = { name, _, limit in
                let index = ["a.json", "b.json", "default.json"].firstIndex(of: name) ?? 0
                reads.limits.append(limit)
                // Blanks after a catalog.
                return sizes[index] > limit
                    ? nil : Array("{}".utf8) + [UInt8](repeating: 32, count: sizes[index] - 2)
            }
            let file = CatalogFile(path: "folder", maxFolderBytes: 1000)
            do throws(CommandError) {
                _ = try file.catalogs(in: console, limits: ScreenLimits())
                return []
            } catch {
                return error.lines
            }
        }
        #expect(CatalogFile().maxFolderBytes == 64 << 20)
        #expect(errors([500, 498, 2]) == [])
        #expect(reads.limits == [1000, 500, 2])
        let error = "folder: the catalogs have more than 1000 bytes together"
        #expect(errors([500, 499, 2]) == [error])
        reads.limits = []
        #expect(errors([500, 501, 2]) == [error])
        #expect(reads.limits.count == 2)
    }

    /// The limits of the files that were read.
    private final class Reads: @unchecked Sendable {
        // Unchecked: one thread reads catalogs.
        var limits: [Int] = []
    }

    @Test("Fonts are relative to the folder, and each catalog has its own of a name")
    func fonts() throws {
        let files = try Files("default.json")
        defer { files.remove() }
        let font = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
        try FileManager.default.copyItem(atPath: font, toPath: files.catalogs + "/a.ttf")
        for (name, size) in [("big", 20), ("small", 10)] {
            let json = """
                {"fonts": {"f": {"files": ["a.ttf"], "size": \(size), "lineHeight": \(size)}},
                 "units": {"U": {"cells": {"type": "C"}}},
                 "cellTypes": {"C": {"size": {"height": {"text": "/t", "font": "f"}}}}}
                """
            try files.write(json, to: "catalogs/\(name).json")
        }
        let read = try files.read()
        #expect(read.measurer != nil)
        let page = Array(#"{"sections":[[{"unitType":"U","unitData":[{"t":"one"}]}]]}"#.utf8)
        for (name, height) in [("big", 20), ("small", 10)] {
            let catalog = try #require(CatalogName(name).flatMap { read.catalogs.named[$0] })
            let composer = Composer(registry: catalog.registry)
            let tree = String(decoding: try composer.compose([page]), as: UTF8.self)
            #expect(tree.contains(#""height":\#(height)"#), "\(tree)")
        }
        try files.write("no font", to: "catalogs/a.ttf")
        #expect(files.errors().map { String($0.prefix(12)) } == ["*/big.json:1", "*/small.json"])
    }

    @Test("The other commands take a file, and say so", arguments: ["compose", "render"])
    func otherCommands(command: String) async throws {
        let files = try Files("default.json")
        defer { files.remove() }
        var console = Console.empty
        console.list = Console.process.list
        console.read = { _ in Array(#"{"sections":[]}"#.utf8) }
        let lines = Lines()
        console.printError = { lines.texts.append($0) }
        let status = await Command.run(
            [command, "--catalog", files.catalogs, "page.json"], in: console)
        #expect(status == .failure)
        #expect(lines.texts == ["\(files.catalogs): is a folder; name one of the files in it"])
    }

    /// The lines on standard error.
    private final class Lines: @unchecked Sendable {
        // Unchecked: one task prints.
        var texts: [String] = []
    }
}
