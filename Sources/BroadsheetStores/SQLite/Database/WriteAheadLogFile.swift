import BroadsheetIO
import Glibc

/// The file of a write-ahead log, as a start finds it after a crash
/// (https://sqlite.org/fileformat.html, "The Write-Ahead Log").
///
/// SQLite treats the first invalid frame as the end of the log and ignores the frames after it.
/// That is correct after a crash, but if a bit of the log is damaged, acknowledged transactions are
/// lost without an error. ``firstBrokenByte()`` distinguishes the two cases.
struct WriteAheadLogFile: ~Copyable {
    private static let headerLength = 32

    private let file: FileDescriptor
    private let length: Int
    /// The header; `nil` if it is damaged.
    private let header: WriteAheadLogHeader?

    /// Opens the log of the database at `path`; `nil` if there is none or if it is not readable.
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

    /// Returns the offset of the first damaged byte before a transaction that was on the disk, or
    /// `nil` if the log ends as a crash may have ended it.
    ///
    /// A transaction is begun after the previous one is on the disk. The last frame of one
    /// transaction and the first frame of the next therefore prove that all frames before them were
    /// written completely. Damage in the last transaction cannot be distinguished from a crash.
    /// Reads the log once.
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

    /// Returns the number of the first frame that does not continue the one before it.
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

/// The header of a write-ahead log.
struct WriteAheadLogHeader {
    private static let pageSizes = Set((9...16).map { 1 << $0 })
    /// The magic number; its lowest bit is the byte order of the checksums.
    private static let magic: UInt32 = 0x377F_0682

    let pageSize: Int
    /// The salts, which identify the current use of the file.
    let salts: UInt64
    /// The checksum that the first frame continues.
    let checksum: WriteAheadLogChecksum
    /// A Boolean value that indicates whether checksums are computed in big-endian byte order.
    let isBigEndian: Bool

    /// Decodes 32 bytes; `nil` if they are not a valid header.
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

/// A page in a write-ahead log, with its header.
struct WriteAheadLogFrame {
    static let headerLength = 24

    /// The header and the page.
    let bytes: [UInt8]

    var salts: UInt64 { UInt64(bytes.number(at: 8)) << 32 | UInt64(bytes.number(at: 12)) }
    /// The stored checksum of all frames up to this one.
    var checksum: WriteAheadLogChecksum {
        WriteAheadLogChecksum(bytes.number(at: 16), bytes.number(at: 20))
    }
    /// A Boolean value that indicates whether the frame is the last of a transaction; it then
    /// contains the size of the database.
    var endsTransaction: Bool { bytes.number(at: 4) != 0 }

    /// Returns a Boolean value that indicates whether the checksum continues that of the previous
    /// frame.
    func follows(_ before: WriteAheadLogChecksum, _ header: WriteAheadLogHeader) -> Bool {
        var expected = before
        expected.combine(bytes[..<8], header.isBigEndian)
        expected.combine(bytes[Self.headerLength...], header.isBigEndian)
        return expected == checksum
    }
}

/// SQLite's checksum of frames: two sums, each of which is added to the other.
struct WriteAheadLogChecksum: Hashable {
    private var first: UInt32
    private var second: UInt32

    init(_ first: UInt32, _ second: UInt32) { (self.first, self.second) = (first, second) }

    /// Adds bytes, whose number is a multiple of 8.
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
    /// Returns the big-endian number in the four bytes at `offset`.
    fileprivate func number(at offset: Int) -> UInt32 {
        self[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
