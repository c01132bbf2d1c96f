/// What stands at the beginning of a write-ahead log.
struct SQLiteLogHeader {
    /// The lengths of a page in bytes that SQLite knows.
    private static let pageSizes = Set((9...16).map { 1 << $0 })
    /// The magic number; its last bit says in which order checksums take bytes.
    private static let magic: UInt32 = 0x377F_0682

    /// The length of a page in bytes.
    let pageSize: Int
    /// What tells this use of the file from earlier ones.
    let salts: UInt64
    /// What the first frame's checksum goes on from.
    let checksum: SQLiteLogChecksum
    /// Whether checksums take numbers with the highest byte first.
    let isBigEndian: Bool

    /// Reads 32 bytes; nil when they are no header.
    init?(_ bytes: [UInt8]) {
        let magic = bytes.number(at: 0)
        guard magic & ~1 == Self.magic else { return nil }
        isBigEndian = magic & 1 == 1
        pageSize = Int(bytes.number(at: 8))
        salts = UInt64(bytes.number(at: 16)) << 32 | UInt64(bytes.number(at: 20))
        checksum = SQLiteLogChecksum(bytes.number(at: 24), bytes.number(at: 28))
        var expected = SQLiteLogChecksum(0, 0)
        expected.combine(bytes[..<24], isBigEndian)
        guard checksum == expected, Self.pageSizes.contains(pageSize) else { return nil }
    }
}

/// One page in a write-ahead log, with the header in front of it.
struct SQLiteLogFrame {
    /// The length of the header in bytes.
    static let headerLength = 24

    /// The header and the page.
    let bytes: [UInt8]

    /// Which use of the file it belongs to.
    var salts: UInt64 { UInt64(bytes.number(at: 8)) << 32 | UInt64(bytes.number(at: 12)) }
    /// What it says that the checksum of all frames up to it is.
    var checksum: SQLiteLogChecksum {
        SQLiteLogChecksum(bytes.number(at: 16), bytes.number(at: 20))
    }
    /// Whether it is the last of its transaction: it says how long the database is then.
    var endsTransaction: Bool { bytes.number(at: 4) != 0 }

    /// Whether its checksum is right behind a frame whose checksum is `before`.
    func follows(_ before: SQLiteLogChecksum, _ header: SQLiteLogHeader) -> Bool {
        var expected = before
        expected.combine(bytes[..<8], header.isBigEndian)
        expected.combine(bytes[Self.headerLength...], header.isBigEndian)
        return expected == checksum
    }
}

/// The checksum that SQLite writes beside each frame: two sums, each of which goes into the other.
struct SQLiteLogChecksum: Hashable {
    private var first: UInt32
    private var second: UInt32

    /// Goes on from these sums.
    init(_ first: UInt32, _ second: UInt32) { (self.first, self.second) = (first, second) }

    /// Takes in bytes, a multiple of 8 of them.
    mutating func combine(_ bytes: ArraySlice<UInt8>, _ isBigEndian: Bool) {
        bytes.withUnsafeBytes { buffer in
            for offset in stride(from: 0, to: buffer.count & ~7, by: 8) {
                let pair = (
                    buffer.loadUnaligned(fromByteOffset: offset, as: UInt32.self),
                    buffer.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
                )
                first &+= (isBigEndian ? pair.0.bigEndian : pair.0.littleEndian) &+ second
                second &+= (isBigEndian ? pair.1.bigEndian : pair.1.littleEndian) &+ first
            }
        }
    }
}

extension [UInt8] {
    /// The number in the four bytes at `offset`, the highest first.
    fileprivate func number(at offset: Int) -> UInt32 {
        self[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
