/// A row of the table of screens, without the name, which is its key.
struct ScreenRow: Hashable {
    /// The folder of its pages (``PageKey``); 0 if there are none.
    var folder: Int64
    /// The revision of the screen.
    var revision: UInt64
    /// The number of the page that was written last.
    var latestPage: Int64
    /// The wrapping sum of the checksums of its pages.
    var pagesSum: Int64
    /// The expiry, in milliseconds since 1970; `nil` for never.
    var expiry: Int64?

    /// Creates a row for a screen without pages.
    init(revision: UInt64, expiry: Int64?) {
        folder = 0
        latestPage = 0
        pagesSum = 0
        self.revision = revision
        self.expiry = expiry
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
        guard RowChecksum.matches(statement.integer(first + 5), { combine(into: &$0, name: name) })
        else {
            throw .damaged("the row of screen \(name)")
        }
    }

    /// The columns that ``init(_:from:name:)`` reads.
    static let columns = "folder, revision, latest_page, pages_sum, expires_at, checksum"

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
    }
}

extension StoredPage {
    /// Returns the checksum of the page's row with `key`.
    func checksum(key: Int64) -> Int64 { RowChecksum.value { combine(into: &$0, key: key) } }

    /// Returns a Boolean value that indicates whether `checksum` is that of the page's row with
    /// `key`.
    func matches(_ checksum: Int64, key: Int64) -> Bool {
        RowChecksum.matches(checksum) { combine(into: &$0, key: key) }
    }

    private func combine(into sum: inout RowChecksum, key: Int64) {
        sum.combine(key)
        sum.combine(Int64(bitPattern: revision))
        sum.combine(bytes)
    }
}
