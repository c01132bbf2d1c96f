import Foundation
import TestSupport

/// A database and its write-ahead log as a daemon left them, of which damaged copies are made.
struct DamagedFiles {
    /// The length of a page of the database in bytes.
    static let pageLength = 4_096

    /// What one of the two files is turned into.
    enum Damage: CaseIterable {
        case flippedBit
        case swappedPages
        case zeroedPage
        case cutAtPage
        case cutAnywhere
    }

    private let database: [UInt8]
    private let log: [UInt8]

    /// Takes what a daemon that is no more has left at `path`.
    init(of path: String) throws {
        database = try Array(Data(contentsOf: URL(filePath: path)))
        log = (try? Array(Data(contentsOf: URL(filePath: path + "-wal")))) ?? []
    }

    /// Writes a copy to `path` with one of the two files damaged; says what was done, in words.
    func write(
        to path: String, _ damage: Damage, toLog isLog: Bool, using generator: inout SeededGenerator
    ) throws -> String {
        var bytes = isLog ? log : database
        let words = Self.inflict(damage, on: &bytes, using: &generator)
        try Data(isLog ? database : bytes).write(to: URL(filePath: path))
        // A daemon has been here: its lock stays behind, and bears witness.
        try Data("1".utf8).write(to: URL(filePath: path + ".lock"))
        if isLog { try Data(bytes).write(to: URL(filePath: path + "-wal")) }
        return "\(isLog ? "log" : "database"): \(words)"
    }

    private static func inflict(
        _ damage: Damage, on bytes: inout [UInt8], using generator: inout SeededGenerator
    ) -> String {
        let place = Int.random(in: bytes.indices, using: &generator)
        let pages = 0..<bytes.count / pageLength
        let page = Int.random(in: pages, using: &generator)
        let range = page * pageLength..<(page + 1) * pageLength
        switch damage {
        case .flippedBit:
            bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            return "a bit of byte \(place) flipped"
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
            bytes.removeLast(bytes.count - place)
            return "cut at \(place)"
        }
    }
}
