internal import BroadsheetIO
internal import Glibc

/// The file of a write-ahead log as a start finds it after a crash
/// (https://sqlite.org/fileformat.html, "The Write-Ahead Log").
///
/// SQLite takes the first frame that does not fit for the end of the log and forgets what stands
/// behind it. After a crash that is right; of a log with a flipped bit it forgets transactions that
/// were acknowledged, and says nothing. The two can be told apart (``firstBrokenByte()``).
struct SQLiteLogFile: ~Copyable {
    private static let headerLength = 32

    private let file: FileDescriptor
    private let length: Int
    /// Nil when it is broken itself.
    private let header: SQLiteLogHeader?

    /// Opens the log of the database at `path`; nil when there is none, or none that can be read.
    static func open(ofDatabase path: String) -> SQLiteLogFile? {
        let descriptor = Glibc.open(path + "-wal", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        return SQLiteLogFile(reading: FileDescriptor(owning: descriptor))
    }

    private init(reading file: consuming FileDescriptor) {
        length = Int(lseek(file.number, 0, SEEK_END))
        header = Self.read(Self.headerLength, at: 0, of: file).flatMap { SQLiteLogHeader($0) }
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
        let end = endOfSoundFrames(header)
        var lastOfTransaction: SQLiteLogChecksum?
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
    private func endOfSoundFrames(_ header: SQLiteLogHeader) -> Int {
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

    private func offset(of number: Int, _ header: SQLiteLogHeader) -> Int {
        Self.headerLength + number * (SQLiteLogFrame.headerLength + header.pageSize)
    }

    private func frame(_ number: Int, _ header: SQLiteLogHeader) -> SQLiteLogFrame? {
        let length = SQLiteLogFrame.headerLength + header.pageSize
        return Self.read(length, at: offset(of: number, header), of: file)
            .map { SQLiteLogFrame(bytes: $0) }
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
