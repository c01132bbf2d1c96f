import BroadsheetHTTP
import BroadsheetIO
import BroadsheetService

/// The settings that have to fit into the memory of the daemon.
extension ServeConfiguration {
    /// The part of the memory that both caches may have together, in eighths.
    private static let maxCacheEighths = 6

    /// Checks that the memory has space for the caches, and for a body and what is made of it.
    ///
    /// - Throws: `CommandError.usage` for caches or a body that are too large.
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
        let maxBody = MemoryKind.requests.maxBytes(of: limit)
        guard server.limits.maxBody <= maxBody else {
            throw .usage(
                "--max-body may be \(maxBody) bytes, a quarter of --memory (\(limit) bytes)")
        }
    }
}
