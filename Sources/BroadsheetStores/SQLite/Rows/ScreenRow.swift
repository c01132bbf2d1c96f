/// A row of the table of screens, without the name, which is its key.
struct ScreenRow: Hashable {
    /// The folder of its pages (``PageKey``); 0 if there are none.
    var folder: Int64
    /// The revision of the screen.
    var revision: UInt64
    /// The number of the page that was written last.
    var latestPage: Int64
    /// The wrapping sum of the checksums of its pages and of their changes.
    var pagesSum: Int64
    /// The lower bound of the revisions of its trees (``TreeHistory/floor``); `nil` in a row that a
    /// version without histories wrote.
    var treeFloor: UInt64?
    /// The expiry, in milliseconds since 1970; `nil` for never.
    var expiry: Int64?
    /// The size of all pages; `nil` in a row that a version without sizes wrote.
    var size: ScreenSize?
    /// The creation of the screen, a number that no other screen has; `nil` in a row without a
    /// history.
    var creation: Int64?
    /// The oldest revision that is kept, if there is a history.
    var firstRevision: UInt64 = 0
    /// The bytes of the earlier pages, if there is a history.
    var historyBytes = 0

    /// Creates a row for a screen without pages.
    init(revision: UInt64, expiry: Int64?) {
        folder = 0
        latestPage = 0
        pagesSum = 0
        treeFloor = 0
        size = ScreenSize()
        self.revision = revision
        self.expiry = expiry
    }

    /// Removes all pages at the revision of the row, and keeps the screen and its history.
    mutating func removeAllPages() {
        (folder, latestPage, pagesSum) = (0, 0, 0)
        treeFloor = revision
        size = ScreenSize()
    }

    /// Reads a row whose columns, beginning at `first`, are ``columns``; throws if its checksum
    /// does not match.
    init(
        _ statement: SQLiteStatement, from first: Int32 = 0, name: ScreenName
    ) throws(SQLiteFailure) {
        folder = statement.integer(first)
        revision = UInt64(bitPattern: statement.integer(first + 1))
        latestPage = statement.integer(first + 2)
        pagesSum = statement.integer(first + 3)
        expiry = statement.isNull(first + 4) ? nil : statement.integer(first + 4)
        treeFloor =
            statement.isNull(first + 6)
            ? nil : UInt64(bitPattern: statement.integer(first + 6))
        if !statement.isNull(first + 7) {
            size = ScreenSize(
                pageCount: Int(statement.integer(first + 7)),
                byteCount: Int(statement.integer(first + 8)),
                counts: ContentCounts(statement, from: first + 9))
        }
        if !statement.isNull(first + 11) {
            creation = statement.integer(first + 11)
            firstRevision = UInt64(bitPattern: statement.integer(first + 12))
            historyBytes = Int(statement.integer(first + 13))
        }
        guard RowChecksum.matches(statement.integer(first + 5), { combine(into: &$0, name: name) })
        else {
            throw .damaged("the row of screen \(name)")
        }
    }

    /// The columns that ``init(_:from:name:)`` reads.
    static let columns =
        "folder, revision, latest_page, pages_sum, expires_at, checksum, tree_floor, "
        + "page_count, byte_count, section_count, item_count, "
        + "creation, first_revision, history_bytes"

    /// The lower bound of the revisions of the screen's trees; the revision of the screen in a row
    /// without one, so that its trees keep the revision that they had.
    var knownTreeFloor: UInt64 { treeFloor ?? revision }

    /// Returns a Boolean value that indicates whether the screen has expired at `now`.
    func isExpired(at now: Int64) -> Bool { expiry.map { $0 <= now } ?? false }

    /// Returns the checksum of the row, for the screen with the given name.
    func checksum(name: ScreenName) -> Int64 {
        RowChecksum.value { combine(into: &$0, name: name) }
    }

    private func combine(into sum: inout RowChecksum, name: ScreenName) {
        sum.combine(name.text)
        for number in [folder, Int64(bitPattern: revision), latestPage, pagesSum] {
            sum.combine(number)
        }
        // "Never" must differ from every time.
        sum.combine(expiry == nil ? 0 : 1)
        sum.combine(expiry ?? 0)
        if let treeFloor { sum.combine(Int64(bitPattern: treeFloor)) }
        if let size {
            sum.combine(Int64(size.pageCount))
            sum.combine(Int64(size.byteCount))
            sum.combine(size.counts)
        }
        if let creation {
            sum.combine(creation)
            sum.combine(Int64(bitPattern: firstRevision))
            sum.combine(Int64(historyBytes))
        }
    }
}

extension RowChecksum {
    /// Adds counts, which differ from none.
    fileprivate mutating func combine(_ counts: ContentCounts?) {
        combine(counts == nil ? 0 : 1)
        combine(Int64(counts?.sections ?? 0))
        combine(Int64(counts?.items ?? 0))
    }
}

extension StoredPage {
    /// Returns the checksum of the page's row with `key`.
    ///
    /// - Parameter lanes: The sums of its bytes, if they are known.
    func checksum(key: Int64, _ lanes: RowChecksum.Lanes? = nil) -> Int64 {
        RowChecksum.value { combine(into: &$0, key: key, lanes) }
    }

    /// Returns a Boolean value that indicates whether `checksum` is that of the page's row with
    /// `key`.
    func matches(_ checksum: Int64, key: Int64) -> Bool {
        RowChecksum.matches(checksum) { combine(into: &$0, key: key) }
    }

    private func combine(
        into sum: inout RowChecksum, key: Int64, _ lanes: RowChecksum.Lanes? = nil
    ) {
        sum.combine(key)
        sum.combine(Int64(bitPattern: revision))
        sum.combine(bytes, lanes)
        // Versions without counts added nothing.
        if counts != nil { sum.combine(counts) }
    }
}

/// A 64-bit checksum of the values of a row, which detects accidental damage: a flipped bit, a torn
/// page, or the contents of another row.
///
/// It does not protect against intentional changes. Each step adds eight bytes and mixes them with
/// an odd factor and a shift, both of which are invertible, so two messages of one length that
/// differ in a single word never have the same checksum. Long values are distributed over four
/// sums, because each step depends on the previous step of the same sum; the four sums are then
/// combined. Does not allocate.
///
/// - Complexity: O(bytes).
struct RowChecksum {
    /// The algorithm for long values.
    ///
    /// Files that were created with version 1 of the schema contain checksums of both forms: the
    /// form of a row changes when the row is next written.
    enum Form: CaseIterable {
        /// Four sums, since version 2.
        case fourLanes
        /// One sum, in version 1.
        case oneLane
    }

    private let form: Form
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    private init(_ form: Form) { self.form = form }

    /// Returns the checksum of the values that `combine` adds, as SQLite's signed integer.
    static func value(
        as form: Form = .fourLanes, of combine: (inout RowChecksum) -> Void
    ) -> Int64 {
        var sum = RowChecksum(form)
        combine(&sum)
        return Int64(bitPattern: sum.state)
    }

    /// Returns a Boolean value that indicates whether `stored` is the checksum, in any form, of the
    /// values that `combine` adds.
    static func matches(_ stored: Int64, _ combine: (inout RowChecksum) -> Void) -> Bool {
        Form.allCases.contains { value(as: $0, of: combine) == stored }
    }

    /// Returns the checksum of one number, which is the same in every form.
    static func value(of number: Int64) -> Int64 { value { $0.combine(number) } }

    /// Adds a number.
    mutating func combine(_ number: Int64) { mix(UInt64(bitPattern: number)) }

    /// Adds a text and its length.
    mutating func combine(_ text: String) {
        var text = text
        text.withUTF8 { combine(UnsafeRawBufferPointer($0)) }
    }

    /// Adds bytes and their number.
    ///
    /// - Parameter lanes: The sums of the bytes, if they are known.
    mutating func combine(_ bytes: [UInt8], _ lanes: Lanes? = nil) {
        bytes.withUnsafeBytes { combine($0, lanes) }
    }

    mutating func combine(_ bytes: UnsafeRawBufferPointer, _ lanes: Lanes? = nil) {
        mix(UInt64(bytes.count))
        var offset = 0
        if form == .fourLanes, bytes.count >= 32 {
            let sums = (lanes ?? Lanes(of: bytes)).sums
            mix(sums.0)
            mix(sums.1)
            mix(sums.2)
            mix(sums.3)
            offset = bytes.count & ~31
        }
        while offset &+ 8 <= bytes.count {
            mix(Self.word(at: offset, of: bytes))
            offset &+= 8
        }
        var tail: UInt64 = 0
        while offset < bytes.count {
            tail = tail << 8 | UInt64(bytes[offset])
            offset &+= 1
        }
        mix(tail)
    }

    /// The four sums of bytes, without those after the last complete group of four words.
    ///
    /// They do not depend on the values before, so a thread that is not in demand can compute them.
    struct Lanes: Sendable {
        fileprivate let sums: (UInt64, UInt64, UInt64, UInt64)

        /// Computes the sums of `bytes`.
        init(of bytes: [UInt8]) { self = bytes.withUnsafeBytes { Lanes(of: $0) } }

        fileprivate init(of bytes: UnsafeRawBufferPointer) {
            let empty = RowChecksum(.fourLanes)
            var (first, second, third, fourth) = (empty, empty, empty, empty)
            var offset = 0
            while offset &+ 32 <= bytes.count {
                first.mix(RowChecksum.word(at: offset, of: bytes))
                second.mix(RowChecksum.word(at: offset &+ 8, of: bytes))
                third.mix(RowChecksum.word(at: offset &+ 16, of: bytes))
                fourth.mix(RowChecksum.word(at: offset &+ 24, of: bytes))
                offset &+= 32
            }
            sums = (first.state, second.state, third.state, fourth.state)
        }
    }

    private static func word(at offset: Int, of bytes: UnsafeRawBufferPointer) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    private mutating func mix(_ word: UInt64) {
        state = (state ^ word) &* 0xFF51_AFD7_ED55_8CCD
        state ^= state >> 32
    }
}
