import Foundation
import Glibc
import TestSupport

/// The contents of a database and its write-ahead log, to create damaged copies from.
struct DamagedFiles {
    /// The length of a database page, in bytes.
    static let pageLength = 4_096

    /// A kind of damage.
    enum Damage: CaseIterable {
        case flippedBit
        case swappedPages
        case zeroedPage
        case cutAtPage
        case cutAnywhere
    }

    private let database: [UInt8]
    private let log: [UInt8]

    /// Reads the files that a stopped daemon has left at a path.
    init(of path: String) throws {
        database = try Array(Data(contentsOf: URL(filePath: path)))
        log = (try? Array(Data(contentsOf: URL(filePath: path + "-wal")))) ?? []
    }

    /// Writes a copy with one of the two files damaged, and returns a description of the damage.
    func write(
        to path: String, _ damage: Damage, toLog isLog: Bool, using generator: inout SeededGenerator
    ) throws -> String {
        var bytes = isLog ? log : database
        let words = Self.inflict(damage, on: &bytes, using: &generator)
        try Data(isLog ? database : bytes).write(to: URL(filePath: path))
        // The lock file that a daemon leaves marks the database as initialised.
        try Data("1".utf8).write(to: URL(filePath: path + ".lock"))
        if isLog { try Data(bytes).write(to: URL(filePath: path + "-wal")) }
        return "\(isLog ? "log" : "database"): \(words)"
    }

    private static func inflict(
        _ damage: Damage, on bytes: inout [UInt8], using generator: inout SeededGenerator
    ) -> String {
        let offset = Int.random(in: bytes.indices, using: &generator)
        let pages = 0..<bytes.count / pageLength
        let page = Int.random(in: pages, using: &generator)
        let range = page * pageLength..<(page + 1) * pageLength
        switch damage {
        case .flippedBit:
            bytes[offset] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            return "a bit of byte \(offset) flipped"
        case .swappedPages:
            let other = Int.random(in: pages, using: &generator)
            let otherRange = other * pageLength..<(other + 1) * pageLength
            let (one, two) = (Array(bytes[range]), Array(bytes[otherRange]))
            bytes.replaceSubrange(range, with: two)
            bytes.replaceSubrange(otherRange, with: one)
            return "blocks \(page) and \(other) swapped"
        case .zeroedPage:
            bytes.replaceSubrange(range, with: repeatElement(0, count: pageLength))
            return "block \(page) zeroed"
        case .cutAtPage:
            bytes.removeLast(bytes.count - range.lowerBound)
            return "cut at \(range.lowerBound)"
        case .cutAnywhere:
            bytes.removeLast(bytes.count - offset)
            return "cut at \(offset)"
        }
    }
}

/// The pages that one client wrote in order, and the files that contain them.
struct WrittenScreens {
    /// A page and all its versions.
    struct Page {
        let path: String
        let versions: [[UInt8]]
    }

    /// The number of screens, and of versions of each screen.
    static let counts = (screens: 30, versions: 3)

    /// The pages, in the order of the writes of each version.
    let pages: [Page]
    /// The files of the daemon after its end.
    let files: DamagedFiles

    /// Writes the pages to the database at a path.
    ///
    /// - Parameters:
    ///   - path: The path of the database.
    ///   - killing: A Boolean value that indicates whether the daemon is killed, so that the pages
    ///     are in the log. Otherwise it
    ///     stops in order, so that they are in the database.
    init(in path: String, killing: Bool) throws {
        pages = (0..<Self.counts.screens).map { screen in
            Page(
                path: "/v1/screens/screen-\(screen)/pages/0",
                versions: (0..<Self.counts.versions).map { Self.version($0, of: screen) })
        }
        let daemon = try TestDaemon(["--store", "sqlite:" + path])
        for version in 0..<Self.counts.versions {
            for page in pages {
                let response = try daemon.request("PUT", page.path, body: page.versions[version])
                guard response.status < 300 else { throw HarnessError(response.text) }
            }
        }
        if killing { daemon.program.end() } else { _ = try daemon.stop() }
        files = try DamagedFiles(of: path)
    }

    private static func version(_ version: Int, of screen: Int) -> [UInt8] {
        let filler = String(
            repeating: "\(screen)/\(version) ", count: [20, 300, 2_000][screen % 3])
        return Array(#"{"sections":[],"filler":"\#(filler)"}"#.utf8)
    }
}
