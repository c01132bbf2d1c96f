/// How much a log line matters.
package enum LogLevel: String, Sendable, Hashable, CaseIterable {
    /// All as it should be.
    case info
    /// Someone else's fault: a request that was refused.
    case warning
    /// Ours, or the machine's.
    case error
}

/// One line of the log: an answered request, or something that happened to the daemon.
package struct LogRecord: Sendable {
    /// How much it matters.
    package var level: LogLevel
    /// What happened, in a few words.
    package var message: String
    /// The request that was answered, if it is about one.
    package var request: Request?
    /// Which problem the request was answered with, if any (docs/api.md, "Errors").
    package var code: String?
    /// More about it, in a sentence.
    package var detail: String?

    /// A record of something that happened to the daemon.
    package init(_ level: LogLevel, _ message: String, detail: String? = nil) {
        self.level = level
        self.message = message
        self.detail = detail
    }

    /// What is said of an answered request.
    ///
    /// The query is left out: it may carry a page token.
    package struct Request: Sendable {
        /// Its id.
        var id: String
        /// Its method; empty when the head could not be read.
        var method: String
        /// The path as it was sent; empty when the head could not be read.
        var path: String
        /// The answer's status.
        var status: Int
        /// The answer's content in bytes.
        var bytes: Int
        /// From the handler's call to its answer, in microseconds.
        var microseconds: UInt64
    }
}
