/// A row of the table of screens.
struct ScreenRow: Hashable {
    /// What its pages refer to it by.
    var id: Int64
    /// The screen's revision.
    var revision: UInt64
    /// The number of the page that was written last.
    var latestPage: Int64
    /// The wrapping sum of its pages' checksums.
    var pagesSum: Int64

    /// The row's own checksum, for the screen called `name`.
    ///
    /// The id is left out, for it is not known before the row is there; pages' checksums cover it.
    func checksum(name: ScreenName) -> Int64 {
        var sum = RowChecksum()
        sum.combine(name.text)
        sum.combine(Int64(bitPattern: revision))
        sum.combine(latestPage)
        sum.combine(pagesSum)
        return sum.value
    }
}

extension StoredPage {
    /// The checksum of the page's row, for the screen whose row is `screen`.
    func checksum(screen: Int64) -> Int64 {
        var sum = RowChecksum()
        sum.combine(screen)
        sum.combine(Int64(number))
        sum.combine(Int64(bitPattern: revision))
        sum.combine(bytes)
        return sum.value
    }
}
