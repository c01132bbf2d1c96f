import BroadsheetHTTP
import BroadsheetIO
package import BroadsheetService

/// The settings that have to fit into the memory of the daemon.
extension ServerConfiguration {
    /// The part of the memory that both caches may have together, in eighths.
    private static let maxCacheEighths = 6
    /// The part that these and earlier revisions may have together, in eighths.
    private static let maxKeptEighths = 7

    /// The record of a memory that is larger than the machine's, or its control group's; `nil` for
    /// one that is there.
    package func memoryRecord(available: Int = SystemMemory.limit()) -> LogRecord? {
        guard memoryLimit > available else { return nil }
        return LogRecord(
            .warning, "--memory exceeds the memory of the machine",
            detail:
                "--memory is \(memoryLimit) bytes, and the machine, or the control group of the "
                + "process, has \(available): the kernel may end the daemon; lower --memory")
    }

    /// Checks that the memory has space for the caches, the earlier revisions, the shaped texts,
    /// and a body.
    ///
    /// - Throws: `ServerError.configuration` for caches, earlier revisions, shaped texts or a body
    ///   that are too large.
    package func checkMemory() throws(ServerError) {
        let limit = memoryLimit
        let budget = MemoryBudget(limit: limit)
        let caches = [
            service.screenCacheBytes ?? budget.cacheBytes(for: .screens),
            service.layoutCacheBytes ?? budget.cacheBytes(for: .layouts),
        ]
        let maxCaches = limit / 8 * Self.maxCacheEighths
        guard caches.reduce(0, +) <= maxCaches else {
            throw .configuration(
                "--screen-cache-bytes and --cache-bytes may be \(maxCaches) bytes together, three "
                    + "quarters of --memory (\(limit) bytes)")
        }
        let history = service.historyBytes ?? budget.cacheBytes(for: .history)
        let maxKept = limit / 8 * Self.maxKeptEighths
        guard caches.reduce(history, +) <= maxKept else {
            throw .configuration(
                "--history-bytes, --screen-cache-bytes and --cache-bytes may be \(maxKept) bytes "
                    + "together, seven eighths of --memory (\(limit) bytes)")
        }
        let maxTexts = limit / 16
        guard textCacheLimit <= maxTexts else {
            throw .configuration(
                "--text-cache-bytes may be \(maxTexts) bytes, a sixteenth of --memory (\(limit) "
                    + "bytes)")
        }
        let maxBody = MemoryKind.requests.maxBytes(of: limit)
        guard http.limits.maxBody <= maxBody else {
            throw .configuration(
                "--max-body may be \(maxBody) bytes, a quarter of --memory (\(limit) bytes)")
        }
    }
}
