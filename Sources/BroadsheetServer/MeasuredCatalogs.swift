import BroadsheetIO
package import BroadsheetService
package import BroadsheetText
import Synchronization

/// The catalogs of a server, and the measurer that has opened their fonts.
package struct MeasuredCatalogs: Sendable {
    package let catalogs: CatalogSet
    /// The measurer of all their fonts; `nil` if they have none.
    package var measurer: FontMeasurer?

    package init(catalogs: CatalogSet, measurer: FontMeasurer? = nil) {
        self.catalogs = catalogs
        self.measurer = measurer
    }
}

/// The cache of shaped texts of the catalogs in service: its metrics, and its part of the memory
/// budget.
final class MeasurerCache: Sendable {
    private let measurer: Mutex<FontMeasurer?>
    private let byteCount: Int
    private let memory: MemoryReservation

    /// Creates the cache of catalogs; that of catalogs without fonts takes no memory.
    init(of catalogs: MeasuredCatalogs, byteCount: Int, in budget: MemoryBudget) {
        measurer = Mutex(nil)
        self.byteCount = byteCount
        memory = MemoryReservation(in: budget, for: .texts, isPermanent: true)
        replace(with: catalogs)
    }

    /// Replaces the cache by that of catalogs that were read again.
    ///
    /// The whole cache is reserved, if the memory is free; otherwise it is beside the budget until
    /// the catalogs are read again.
    func replace(with catalogs: MeasuredCatalogs) {
        measurer.withLock { $0 = catalogs.measurer }
        if catalogs.measurer == nil || !memory.resize(to: byteCount) { memory.shrink(to: 0) }
    }

    var sources: [MetricSource] {
        [
            MetricSource(
                name: "broadsheet_text_cache_bytes",
                help: "The memory of shaped texts in the text cache, in bytes.",
                read: { [self] in measurer.withLock { Double($0?.cachedBytes ?? 0) } }),
            .limit(
                "broadsheet_text_cache_limit_bytes",
                "The maximum memory of the text cache (--text-cache-bytes), in bytes.", byteCount),
        ]
    }
}
