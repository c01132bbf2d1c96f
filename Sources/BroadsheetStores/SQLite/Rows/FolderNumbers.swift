/// Hands out folders for the pages of new screens.
///
/// One after another from a random start, so that new pages stand near each other; a folder that
/// still holds pages, of a screen or given up, is passed over. There are 2³², more than
/// any disk has room for, so one is soon found however old the file is.
struct FolderNumbers {
    private var next: Int64

    /// How many folders may be tried: more that are taken in a row means that something is wrong.
    private static let maxTries = 1_000_000

    /// Starts at `next`, by default anywhere.
    init(next: Int64 = Int64.random(in: PageKey.folders)) { self.next = next }

    /// A folder without pages.
    mutating func take(from pages: SQLitePages) throws(SQLiteFailure) -> Int64 {
        for _ in 0..<Self.maxTries {
            let folder = next
            next = folder == PageKey.folders.upperBound ? PageKey.folders.lowerBound : folder + 1
            if try pages.isEmpty(folder) { return folder }
        }
        throw .outOfRange("no number is free for the pages of another screen")
    }
}
