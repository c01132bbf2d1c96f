import BroadsheetHTTP
import BroadsheetIO
import BroadsheetService

/// The open files of the process.
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
