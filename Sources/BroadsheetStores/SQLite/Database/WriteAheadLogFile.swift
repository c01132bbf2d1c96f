import BroadsheetIO
import Glibc

/// The file of a write-ahead log as a start finds it after a crash
/// (https://sqlite.org/fileformat.html, "The Write-Ahead Log").
///
/// SQLite takes the first frame that does not fit for the end of the log and forgets what stands
/// behind it. After a crash that is right; of a log with a flipped bit it forgets transactions that
/// were acknowledged, and says nothing. The two can be told apart (``firstBrokenByte()``).
struct WriteAheadLogFile: ~Copyable {
    private static let headerLength = 32

    private let file: FileDescriptor
    private let length: Int
    /// Nil when it is broken itself.
    private let header: WriteAheadLogHeader?

    /// Opens the log of the database at `path`; nil when there is none, or none that can be read.
    static func open(ofDatabase path: String) -> WriteAheadLogFile? {
        let descriptor = Glibc.open(path + "-wal", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        return WriteAheadLogFile(reading: FileDescriptor(owning: descriptor))
    }

    private init(reading file: consuming FileDescriptor) {
        length = Int(lseek(file.number, 0, SEEK_END))
        header = Self.read(Self.headerLength, at: 0, of: file).flatMap { WriteAheadLogHeader($0) }
        self.file = file
    }

    /// The first byte that cannot be what was written, when transactions stand behind it that were
    /// on the disk; nil when the log ends as a crash may have ended it.
    ///
    /// A transaction is begun when the one before it is on the disk. So whoever finds the last frame
    /// of one and the first of the next knows that every frame before them was written whole. What is
    /// broken in the very last transaction cannot be told from a crash. Reads the log once.
    func firstBrokenByte() -> Int? {
        // The header is on the disk before the first frame is written.
        guard let header else { return length > Self.headerLength ? 0 : nil }
        let end = endOfValidFrames(header)
        var lastOfTransaction: WriteAheadLogChecksum?
        for number in end... {
            guard let frame = frame(number, header) else { break }
            // Frames of an earlier use of the file have other salts.
            guard frame.salts == header.salts else {
                lastOfTransaction = nil
                continue
            }
            if let before = lastOfTransaction, frame.follows(before, header) {
                return offset(of: end, header)
            }
            lastOfTransaction = frame.endsTransaction ? frame.checksum : nil
        }
        return nil
    }

    /// The number of the first frame that does not follow the one before it.
    private func endOfValidFrames(_ header: WriteAheadLogHeader) -> Int {
        var checksum = header.checksum
        var number = 0
        while let frame = frame(number, header), frame.salts == header.salts,
            frame.follows(checksum, header)
        {
            checksum = frame.checksum
            number += 1
        }
        return number
    }

    private func offset(of number: Int, _ header: WriteAheadLogHeader) -> Int {
        Self.headerLength + number * (WriteAheadLogFrame.headerLength + header.pageSize)
    }

    private func frame(_ number: Int, _ header: WriteAheadLogHeader) -> WriteAheadLogFrame? {
        let length = WriteAheadLogFrame.headerLength + header.pageSize
        return Self.read(length, at: offset(of: number, header), of: file)
            .map { WriteAheadLogFrame(bytes: $0) }
    }

    private static func read(
        _ count: Int, at offset: Int, of file: borrowing FileDescriptor
    ) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            initialized = max(0, pread(file.number, buffer.baseAddress, count, off_t(offset)))
        }
        return bytes.count == count ? bytes : nil
    }
}

/// What stands at the beginning of a write-ahead log.
struct WriteAheadLogHeader {
    /// The lengths of a page in bytes that SQLite knows.
    private static let pageSizes = Set((9...16).map { 1 << $0 })
    /// The magic number; its last bit says in which order checksums take bytes.
    private static let magic: UInt32 = 0x377F_0682

    /// The length of a page in bytes.
    let pageSize: Int
    /// What tells this use of the file from earlier ones.
    let salts: UInt64
    /// What the first frame's checksum goes on from.
    let checksum: WriteAheadLogChecksum
    /// Whether checksums take numbers with the highest byte first.
    let isBigEndian: Bool

    /// Reads 32 bytes; nil when they are no header.
    init?(_ bytes: [UInt8]) {
        let magic = bytes.number(at: 0)
        guard magic & ~1 == Self.magic else { return nil }
        isBigEndian = magic & 1 == 1
        pageSize = Int(bytes.number(at: 8))
        salts = UInt64(bytes.number(at: 16)) << 32 | UInt64(bytes.number(at: 20))
        checksum = WriteAheadLogChecksum(bytes.number(at: 24), bytes.number(at: 28))
        var expected = WriteAheadLogChecksum(0, 0)
        expected.combine(bytes[..<24], isBigEndian)
        guard checksum == expected, Self.pageSizes.contains(pageSize) else { return nil }
    }
}

/// One page in a write-ahead log, with the header in front of it.
struct WriteAheadLogFrame {
    /// The length of the header in bytes.
    static let headerLength = 24

    /// The header and the page.
    let bytes: [UInt8]

    /// Which use of the file it belongs to.
    var salts: UInt64 { UInt64(bytes.number(at: 8)) << 32 | UInt64(bytes.number(at: 12)) }
    /// What it says that the checksum of all frames up to it is.
    var checksum: WriteAheadLogChecksum {
        WriteAheadLogChecksum(bytes.number(at: 16), bytes.number(at: 20))
    }
    /// Whether it is the last of its transaction: it says how long the database is then.
    var endsTransaction: Bool { bytes.number(at: 4) != 0 }

    /// Whether its checksum is right behind a frame whose checksum is `before`.
    func follows(_ before: WriteAheadLogChecksum, _ header: WriteAheadLogHeader) -> Bool {
        var expected = before
        expected.combine(bytes[..<8], header.isBigEndian)
        expected.combine(bytes[Self.headerLength...], header.isBigEndian)
        return expected == checksum
    }
}

/// The checksum that SQLite writes beside each frame: two sums, each of which goes into the other.
struct WriteAheadLogChecksum: Hashable {
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
