import BroadsheetHTTP
import BroadsheetIO
package import BroadsheetService
import Glibc

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

    /// Checks that the caches, earlier revisions, shaped texts and a body fit in the memory.
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

extension ServerConfiguration {
    /// The number of descriptors besides those of connections and fetches: for the event loops, the
    /// store and the standard streams.
    private static let otherDescriptors = 64

    /// Raises the limit of descriptors to the number of connections, and logs a warning if the
    /// system does not allow it, or if streams may take all connections that it allows.
    func raiseDescriptorLimit(_ log: Log) {
        let maxConnections = http.maxConnections
        let fetches = origin == nil ? 0 : service.origin.maxFetches
        let needed = maxConnections + fetches + Self.otherDescriptors
        let limit = OpenFileLimit.raise(to: needed)
        if limit < needed {
            log.write(
                LogRecord(
                    .warning, "too few file descriptors for --max-connections",
                    detail: "the process may open \(limit) and needs \(needed); see ulimit -n"))
        }
        let connections = min(maxConnections, limit - fetches - Self.otherDescriptors)
        guard service.maxStreams >= connections else { return }
        log.write(
            LogRecord(
                .warning, "streams may take all connections",
                detail: "--max-streams is \(service.maxStreams), and the process may "
                    + "have \(max(0, connections)) connections"))
    }
}

/// The listening sockets that the process has inherited (docs/operations.md, "Socket activation").
extension ServerConfiguration {
    /// Returns the configuration with the inherited sockets, if there are any and it uses them; the
    /// variables that name them are removed.
    ///
    /// - Throws: `ServerError.failed` for variables or sockets that cannot be used.
    func inheritingSockets(
        in environment: [String: String]
    ) throws(ServerError) -> ServerConfiguration {
        guard usesInheritedSockets else { return self }
        do throws(InheritedSocketsError) {
            var configuration = self
            configuration.http.sockets = try InheritedSockets(in: environment, of: getpid())
            if configuration.http.sockets != nil { InheritedSockets.forgetVariables() }
            return configuration
        } catch {
            throw .failed(["broadsheet: \(error)"])
        }
    }

    /// Returns the record that sockets were not used because they are those of another process, as
    /// of a shell that has started this one.
    func socketRecords(_ environment: [String: String]) -> [LogRecord] {
        guard usesInheritedSockets, http.sockets == nil, let owner = environment["LISTEN_PID"]
        else { return [] }
        return [
            LogRecord(
                .warning, "inherited sockets are not used",
                detail: "LISTEN_PID is \(owner), another process; this one is \(getpid())")
        ]
    }
}
