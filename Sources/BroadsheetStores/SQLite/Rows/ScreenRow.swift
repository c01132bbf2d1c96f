/// A row of the table of screens, without the name that is its key.
struct ScreenRow: Hashable {
    /// Where its pages are (``PageKey``); 0 while it has none.
    var folder: Int64
    /// The screen's revision.
    var revision: UInt64
    /// The number of the page that was written last.
    var latestPage: Int64
    /// The wrapping sum of its pages' checksums.
    var pagesSum: Int64
    /// When the screen is over, in milliseconds since 1970; nil for never.
    var expiry: Int64?

    /// A screen without pages.
    init(revision: UInt64, expiry: Int64?) {
        folder = 0
        latestPage = 0
        pagesSum = 0
        self.revision = revision
        self.expiry = expiry
    }

    /// Reads a row whose columns, from the one at `first` on, are those of ``columns``, and throws
    /// when it is not as it was written.
    init(
        _ statement: SQLiteStatement, from first: Int32 = 0, name: ScreenName
    ) throws(SQLiteFailure) {
        folder = statement.integer(first)
        revision = UInt64(bitPattern: statement.integer(first + 1))
        latestPage = statement.integer(first + 2)
        pagesSum = statement.integer(first + 3)
        expiry = statement.isNull(first + 4) ? nil : statement.integer(first + 4)
        guard RowChecksum.matches(statement.integer(first + 5), { combine(into: &$0, name: name) })
        else {
            throw .damaged("the row of screen \(name)")
        }
    }

    /// The columns that ``init(_:from:name:)`` reads.
    static let columns = "folder, revision, latest_page, pages_sum, expires_at, checksum"

    /// Whether the screen's time has come.
    func isExpired(at now: Int64) -> Bool { expiry.map { $0 <= now } ?? false }

    /// The row's own checksum, for the screen called `name`.
    func checksum(name: ScreenName) -> Int64 {
        RowChecksum.value { combine(into: &$0, name: name) }
    }

    private func combine(into sum: inout RowChecksum, name: ScreenName) {
        sum.combine(name.text)
        for number in [folder, Int64(bitPattern: revision), latestPage, pagesSum] {
            sum.combine(number)
        }
        // "Never" must differ from every moment.
        sum.combine(expiry == nil ? 0 : 1)
        sum.combine(expiry ?? 0)
    }
}

extension StoredPage {
    /// The checksum of the page's row under `key`.
    func checksum(key: Int64) -> Int64 { RowChecksum.value { combine(into: &$0, key: key) } }

    /// Whether `checksum` is that of the page's row under `key`.
    func matches(_ checksum: Int64, key: Int64) -> Bool {
        RowChecksum.matches(checksum) { combine(into: &$0, key: key) }
    }

    private func combine(into sum: inout RowChecksum, key: Int64) {
        sum.combine(key)
        sum.combine(Int64(bitPattern: revision))
        sum.combine(bytes)
    }
}
