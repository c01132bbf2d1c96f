import BroadsheetIO
import BroadsheetService
import BroadsheetText
import Synchronization

/// The cache of shaped texts of the catalog in service: its metrics, and its part of the memory
/// budget.
final class TextCache: Sendable {
    private let measurer: Mutex<FontMeasurer?>
    private let byteCount: Int
    private let memory: MemoryReservation

    /// Creates the cache of a catalog; that of one without fonts takes no memory.
    init(of catalog: MeasuredCatalog, _ file: CatalogFile, in budget: MemoryBudget) {
        measurer = Mutex(nil)
        byteCount = file.textCacheBytes
        memory = MemoryReservation(in: budget, for: .texts)
        replace(with: catalog)
    }

    /// Replaces the cache by that of a catalog that was read again.
    ///
    /// The whole cache is reserved, if the memory is free; otherwise it is beside the budget until
    /// the catalog is read again.
    func replace(with catalog: MeasuredCatalog) {
        measurer.withLock { $0 = catalog.measurer }
        if catalog.measurer == nil || !memory.resize(to: byteCount) { memory.shrink(to: 0) }
    }

    /// The metrics.
    var sources: [MetricSource] {
        [
            MetricSource(
                name: "broadsheet_text_cache_bytes",
                help: "The memory of shaped texts in the text cache, in bytes.",
                read: { [self] in measurer.withLock { Double($0?.cachedBytes ?? 0) } })
        ]
    }
}
