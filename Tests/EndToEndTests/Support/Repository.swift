import Foundation

/// The files of this repository and the binary under test.
enum Repository {
    /// The root folder.
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The path of the root folder.
    static let folder = root.path

    /// The path of the `broadsheet` binary under test: the value of `BROADSHEET_BINARY` (`make
    /// test` sets it to the release build), or else the binary that was built with these tests.
    static let binary: String = {
        if let named = ProcessInfo.processInfo.environment["BROADSHEET_BINARY"], !named.isEmpty {
            return named
        }
        let tests = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        return tests.appending(path: "broadsheet").path
    }()

    /// Returns the absolute path of a file of this repository.
    static func path(_ relative: String) -> String {
        root.appending(path: relative).path
    }

    /// Returns the contents of a file of this repository.
    static func contents(_ relative: String) throws -> [UInt8] {
        try Array(Data(contentsOf: root.appending(path: relative)))
    }

    /// Returns the files below a folder of this repository whose names end in `suffix`, sorted by
    /// path.
    static func files(under folder: String, suffix: String) -> [String] {
        let base = root.appending(path: folder)
        let names = FileManager.default.enumerator(atPath: base.path)?.allObjects ?? []
        return names.compactMap { $0 as? String }.filter { $0.hasSuffix(suffix) }.sorted()
            .map { "\(folder)/\($0)" }
    }
}

/// A temporary folder that is deleted when its value goes out of scope.
struct ScratchFolder: ~Copyable {
    private let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "broadsheet-\(UUID())")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Writes a file to the folder and returns its path.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        let file = url.appending(path: name)
        try Data(text.utf8).write(to: file)
        return file.path
    }

    /// The path of the folder.
    var path: String { url.path }

    /// Returns the path of a file in the folder.
    func path(_ name: String) -> String { url.appending(path: name).path }
}

/// The storefront fixture.
enum Storefront {
    /// The page numbers.
    static let pages = 0..<3

    /// Returns the bytes of a page.
    static func page(_ number: Int) throws -> [UInt8] {
        try Repository.contents("Fixtures/storefront/page-\(number).json")
    }

    /// Stores pages as a screen, in the given order.
    static func store(
        _ numbers: some Sequence<Int>, as screen: String, in daemon: TestDaemon
    ) throws {
        for number in numbers {
            let response = try daemon.request(
                "PUT", "/v1/screens/\(screen)/pages/\(number)",
                headers: [("Prefer", "return=minimal")], body: try page(number))
            guard response.status == 201 || response.status == 200 else {
                throw HarnessError(
                    "page \(number) was not stored: \(response.status) \(response.text)")
            }
        }
    }
}
