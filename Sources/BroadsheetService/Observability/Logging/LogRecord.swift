import BroadsheetHTTP

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
    /// The id of the request that it is about, if any.
    package var requestID: String?
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
        /// Its method; empty when the head could not be read.
        var method: String
        /// The path as it was sent; empty when the head could not be read.
        var path: String
        /// The answer's status.
        var status: Int
        /// The answer's bytes that were sent, its head included.
        var bytes: Int
        /// From when the request was whole until the last byte was sent, in microseconds.
        var microseconds: Int64
    }
}

extension LogRecord {
    /// The access log's record of an answer.
    init(_ exchange: HTTPExchange) {
        self.init(exchange.isComplete ? .info : .warning, "request")
        if !exchange.isComplete { detail = "the connection was lost before the answer was sent" }
        requestID = exchange.headers[.requestID]
        let (seconds, attoseconds) = exchange.duration.components
        request = Request(
            method: exchange.request?.method.token ?? "",
            path: exchange.request?.target.path ?? "", status: exchange.status.code,
            bytes: exchange.bytesSent,
            microseconds: seconds &* 1_000_000 &+ attoseconds / 1_000_000_000_000)
    }

    /// The record of a problem that a request was answered with.
    init(_ problem: Problem, of id: RequestID) {
        let isOurs = problem.code.status.code >= 500
        self.init(
            isOurs ? .error : .warning, "refused",
            detail: problem.cause.map { "\(problem.detail) (\($0))" } ?? problem.detail)
        requestID = id.text
        code = problem.code.rawValue
    }
}
