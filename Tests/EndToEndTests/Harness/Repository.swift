import Foundation

/// Where things are on this machine.
enum Repository {
    /// The repository's root folder.
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The path of the root folder.
    static let folder = root.path

    /// The `broadsheet` to drive: the one `BROADSHEET_BINARY` names (`make test` names the release
    /// build), else the one that was built beside these tests.
    static let binary: String = {
        if let named = ProcessInfo.processInfo.environment["BROADSHEET_BINARY"], !named.isEmpty {
            return named
        }
        let tests = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        return tests.appending(path: "broadsheet").path
    }()

    /// The path of a file of this repository.
    static func path(_ relative: String) -> String {
        root.appending(path: relative).path
    }

    /// The bytes of a file of this repository.
    static func contents(_ relative: String) throws -> [UInt8] {
        try Array(Data(contentsOf: root.appending(path: relative)))
    }

    /// The files under a folder of this repository whose names end in `suffix`, sorted by path.
    static func files(under folder: String, suffix: String) -> [String] {
        let base = root.appending(path: folder)
        let names = FileManager.default.enumerator(atPath: base.path)?.allObjects ?? []
        return names.compactMap { $0 as? String }.filter { $0.hasSuffix(suffix) }.sorted()
            .map { "\(folder)/\($0)" }
    }
}

/// A folder that lives as long as a test uses it.
struct ScratchFolder: ~Copyable {
    private let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "broadsheet-\(UUID())")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Writes a file into the folder and returns its path.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        let file = url.appending(path: name)
        try Data(text.utf8).write(to: file)
        return file.path
    }

    /// The path of the folder.
    var path: String { url.path }

    /// The path of a file in the folder.
    func path(_ name: String) -> String { url.appending(path: name).path }
}
