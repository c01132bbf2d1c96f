import Foundation
import TestSupport
import Testing

@testable import BroadsheetCLI

@Suite("broadsheet init")
struct InitTests {
    /// Runs the command in a folder of its own, which is removed afterwards.
    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "broadsheet-init-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }

    private func names(in folder: URL) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
    }

    private static let names: Set<String> = [
        "README.md", "catalog.json", "ci.yml", "index.html", "page-0.json", "page-1.json",
        "shop.ts",
    ]

    @Test("It creates a folder, or fills an empty one, and says what comes next")
    func creates() async throws {
        try await withFolder { parent in
            for folder in [parent.appending(path: "shop"), parent.appending(path: "empty")] {
                if folder.lastPathComponent == "empty" {
                    try FileManager.default.createDirectory(
                        at: folder, withIntermediateDirectories: false)
                }
                #expect(await Command.run(["init", folder.path], in: .files) == .success)
                #expect(try names(in: folder) == Self.names)
            }
        }
        let console = TestConsole()
        #expect(await console.run("init", "shop") == .success)
        #expect(console.output == "created shop; next: cd shop, and follow README.md\n")
        #expect(Set(console.saved.keys) == Set(Self.names.map { "shop/\($0)" }))
    }

    @Test("A folder that is not empty, a file, and a folder without a parent are not changed")
    func refuses() async throws {
        try await withFolder { parent in
            let file = parent.appending(path: "file")
            try Data().write(to: file)
            let missing = parent.appending(path: "missing/shop")
            for path in [parent.path, file.path, missing.path] {
                #expect(await Command.run(["init", path], in: .files) == .failure)
            }
            #expect(try names(in: parent) == ["file"])
        }
    }

    @Test("A wrong command line has status 2", arguments: [[], ["a", "b"], ["--strict", "a"]])
    func usage(words: [String]) async {
        #expect(await TestConsole().run(["init"] + words) == .usage)
    }

    @Test("The files are valid in strict mode, and the types are those of the catalog")
    func valid() async throws {
        let created = TestConsole()
        #expect(await created.run("init", "shop") == .success)
        let files = created.saved.mapValues { String(decoding: $0, as: UTF8.self) }
        let console = TestConsole(files: files)
        let pages = ["shop/page-0.json", "shop/page-1.json"]
        #expect(await console.run(["check", "--strict", "shop/catalog.json"] + pages) == .success)
        #expect(console.output.isEmpty)
        let words = ["generate", "typescript", "--name", "Shop", "--output", "shop/shop.ts"]
        #expect(await console.run(words + ["--check", "shop/catalog.json"]) == .success)
        let readme = files["shop/README.md"] ?? ""
        #expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 31)
    }
}

extension Console {
    /// A console that writes files and folders of the system, and discards what is printed.
    fileprivate static let files = Console(
        environment: [:], write: { _ in nil }, printError: { _ in },
        read: { _ throws(FileError) in throw FileError(reason: "no files here") },
        save: { OutputFile.save($0, at: $1) }, createFolder: { OutputFolder.create(at: $0) })
}
