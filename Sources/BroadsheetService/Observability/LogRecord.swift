import Broadsheet
import BroadsheetHTTP

/// The severity of a log record.
package enum LogLevel: String, Sendable, Hashable, CaseIterable {
    /// Normal operation.
    case info
    /// A refused request, a lost connection, or a condition that may need attention.
    case warning
    /// A failure of the daemon or the system.
    case error
}

/// One line of the log: a completed request, a problem, or an event of the daemon.
package struct LogRecord: Sendable {
    /// The severity.
    package var level: LogLevel
    /// The event, in a few words.
    package var message: String
    /// The completed request, if the record is about one.
    package var request: Request?
    /// The id of the request that the record is about, if any.
    package var requestID: String?
    /// The code of the problem that was sent, if any (docs/api.md, "Errors").
    package var code: String?
    /// Further information, in a sentence.
    package var detail: String?

    /// Creates the record of an event.
    package init(_ level: LogLevel, _ message: String, detail: String? = nil) {
        self.level = level
        self.message = message
        self.detail = detail
    }

    /// The facts of a completed request.
    ///
    /// The query is left out, because it may contain a page token.
    package struct Request: Sendable {
        /// The method; empty if the request's head could not be read.
        var method: String
        /// The path as it was sent; empty if the request's head could not be read.
        var path: String
        /// The status of the response.
        var status: Int
        /// The number of bytes sent, including the response's head.
        var bytes: Int
        /// The number of diagnostics in the response's `Broadsheet-Diagnostics`, if it has one.
        var diagnostics: Int?
        /// The time from the complete request to the last byte of the response, in microseconds.
        var microseconds: Int64
    }
}

extension LogRecord {
    /// Creates the record of a completed exchange for the access log.
    init(_ exchange: HTTPExchange) {
        self.init(exchange.isComplete ? .info : .warning, "request")
        if !exchange.isComplete { detail = "the connection was lost before the response was sent" }
        requestID = exchange.headers[.requestID]
        let (seconds, attoseconds) = exchange.duration.components
        request = Request(
            method: exchange.request?.method.token ?? "",
            path: exchange.request?.target.path ?? "", status: exchange.status.code,
            bytes: exchange.bytesSent,
            diagnostics: exchange.headers[.diagnostics].flatMap { Int($0) },
            microseconds: seconds &* 1_000_000 &+ attoseconds / 1_000_000_000_000)
    }

    /// Creates the record of a problem that is sent as the response to a request.
    init(_ problem: Problem, of id: RequestID) {
        let isServerError = problem.code.status.code >= 500
        self.init(
            isServerError ? .error : .warning, "refused",
            detail: problem.cause.map { "\(problem.detail) (\($0))" } ?? problem.detail)
        requestID = id.text
        code = problem.code.rawValue
    }
}

// MARK: Formats

extension LogRecord {
    /// Writes the record as a JSON object (docs/cli.md, "serve"); absent members are left out.
    func writeJSON(at time: Timestamp, into line: inout JSONWriter) {
        line.structured { output in
            output.object { output in
                output.member("time")
                output.writer.raw("\"")
                time.write(into: &output.writer)
                output.writer.raw("\"")
                output.member("level", level.rawValue)
                output.member("message", message)
                if let requestID { output.member("requestId", requestID) }
                if let request { request.writeJSON(into: &output) }
                if let code { output.member("code", code) }
                if let detail { output.member("detail", detail) }
            }
        }
    }

    /// Writes the record as words separated by spaces.
    func writeText(at time: Timestamp, into line: inout JSONWriter) {
        time.write(into: &line)
        line.raw(" ")
        line.plain(level.rawValue)
        line.raw(" ")
        line.plain(message)
        if let requestID {
            line.raw(" ")
            line.plain(requestID)
        }
        if let request { request.writeText(into: &line) }
        if let code {
            line.raw(" ")
            line.plain(code)
        }
        if let detail {
            line.raw(": ")
            line.plain(detail)
        }
    }
}

extension LogRecord.Request {
    fileprivate func writeJSON(into output: inout StructuredJSONWriter) {
        output.member("method", method)
        output.member("path", path)
        output.member("status", status)
        output.member("bytes", bytes)
        output.member("microseconds", Int(microseconds))
        if let diagnostics { output.member("diagnostics", diagnostics) }
    }

    fileprivate func writeText(into line: inout JSONWriter) {
        line.raw(" ")
        line.plain(method.isEmpty ? "-" : method)
        line.raw(" ")
        line.plain(path.isEmpty ? "-" : path)
        line.raw(" ")
        line.integer(status)
        line.raw(" ")
        line.integer(bytes)
        line.raw(" B ")
        line.integer(Int(microseconds))
        line.raw(" us")
        if let diagnostics {
            line.raw(" ")
            line.integer(diagnostics)
            line.raw(diagnostics == 1 ? " diagnostic" : " diagnostics")
        }
    }
}

extension JSONWriter {
    /// Writes text without quotes and with `?` in place of control characters, so that the bytes of
    /// a client cannot begin a new line of the log.
    fileprivate mutating func plain(_ text: String) {
        for byte in text.utf8 {
            raw(byte: byte < 0x20 || byte == 0x7f ? UInt8(ascii: "?") : byte)
        }
    }
}
