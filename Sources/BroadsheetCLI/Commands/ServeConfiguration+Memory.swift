import BroadsheetHTTP
import BroadsheetIO
import BroadsheetService

/// The settings that have to fit into the memory of the daemon.
extension ServeConfiguration {
    /// The part of the memory that both caches may have together, in eighths.
    private static let maxCacheEighths = 6
    /// The part that these and earlier revisions may have together, in eighths.
    private static let maxKeptEighths = 7

    /// Checks that the memory has space for the caches, the earlier revisions, the shaped texts,
    /// and a body.
    ///
    /// - Throws: `CommandError.usage` for caches, earlier revisions, shaped texts or a body that
    ///   are too large.
    func checkMemory() throws(CommandError) {
        let limit = memoryLimit
        let budget = MemoryBudget(limit: limit)
        let caches = [
            service.screenCacheBytes ?? budget.cacheBytes(for: .screens),
            service.layoutCacheBytes ?? budget.cacheBytes(for: .layouts),
        ]
        let maxCaches = limit / 8 * Self.maxCacheEighths
        guard caches.reduce(0, +) <= maxCaches else {
            throw .usage(
                "--screen-cache-bytes and --cache-bytes may be \(maxCaches) bytes together, three "
                    + "quarters of --memory (\(limit) bytes)")
        }
        let history = service.historyBytes ?? budget.cacheBytes(for: .history)
        let maxKept = limit / 8 * Self.maxKeptEighths
        guard caches.reduce(history, +) <= maxKept else {
            throw .usage(
                "--history-bytes, --screen-cache-bytes and --cache-bytes may be \(maxKept) bytes "
                    + "together, seven eighths of --memory (\(limit) bytes)")
        }
        let maxTexts = limit / 16
        guard catalogFile.textCacheBytes <= maxTexts else {
            throw .usage(
                "--text-cache-bytes may be \(maxTexts) bytes, a sixteenth of --memory (\(limit) "
                    + "bytes)")
        }
        let maxBody = MemoryKind.requests.maxBytes(of: limit)
        guard server.limits.maxBody <= maxBody else {
            throw .usage(
                "--max-body may be \(maxBody) bytes, a quarter of --memory (\(limit) bytes)")
        }
    }
}
