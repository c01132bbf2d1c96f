/// The revision that wrote each of a screen's pages.
///
/// A value whose copies share all but what they change: with 10,000 pages a change copies some two
/// hundred entries, not ten thousand.
struct PageRevisions: Sendable, Hashable {
    private struct Entry: Sendable, Hashable {
        let page: Int
        var revision: UInt64
    }

    /// Pages mostly have neighbouring numbers, so their lowest bits spread them evenly.
    private static let bucketCount = 128
    private var buckets: [[Entry]] = Array(repeating: [], count: bucketCount)

    /// The revision that wrote `page`; nil, or set to nil, when it is not stored.
    ///
    /// O(pages / 128) for pages of neighbouring numbers.
    subscript(page: Int) -> UInt64? {
        get { buckets[Self.bucket(of: page)].first { $0.page == page }?.revision }
        set {
            let bucket = Self.bucket(of: page)
            let place = buckets[bucket].firstIndex { $0.page == page }
            switch (place, newValue) {
            case (let place?, let revision?): buckets[bucket][place].revision = revision
            case (let place?, nil): buckets[bucket].remove(at: place)
            case (nil, let revision?):
                buckets[bucket].append(Entry(page: page, revision: revision))
            case (nil, nil): break
            }
        }
    }

    private static func bucket(of page: Int) -> Int { page & (bucketCount - 1) }
}
