/// The key of a page's row: which pages it belongs to, and its number, in one integer.
///
/// A screen's pages stand side by side in the table that way, in order, and are found without an
/// index beside it. The upper 32 bits (the sign is never set) are the screen's *folder*, a number
/// that it is given with its first page; the lower 31 are the page's number.
enum PageKey {
    /// The numbers that a folder may have; 0 is that of a screen without pages.
    static let folders: ClosedRange<Int64> = 1...0xFFFF_FFFF
    /// The numbers that a page may have.
    static let numbers: ClosedRange<Int64> = 0...0x7FFF_FFFF

    /// The key of page `number` in `folder`; nil when there is no such number.
    static func key(_ number: Int, in folder: Int64) -> Int64? {
        guard let number = Int64(exactly: number), numbers.contains(number) else { return nil }
        return folder << 31 | number
    }

    /// All keys in `folder`.
    static func keys(in folder: Int64) -> ClosedRange<Int64> {
        (folder << 31 | numbers.lowerBound)...(folder << 31 | numbers.upperBound)
    }

    /// The page's number out of its key.
    static func number(of key: Int64) -> Int { Int(key & numbers.upperBound) }
}
