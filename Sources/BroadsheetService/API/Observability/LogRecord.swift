import Broadsheet
import BroadsheetHTTP
import BroadsheetIO

/// The severity of a log record.
package enum LogLevel: String, Sendable, Hashable, CaseIterable {
    case info
    /// A refused request, a lost connection, or a condition that may need attention.
    case warning
    /// A failure of the daemon or the system.
    case error
}

/// One line of the log: a completed request, a problem, or an event of the daemon.
package struct LogRecord: Sendable {
    package var level: LogLevel
    /// The event, in a few words.
    package var message: String
    package var request: Request?
    var requestID: RequestID?
    /// The address of the client, if the record is about a request.
    var address: IPAddress?
    var client: HTTPClient?
    /// The code of the problem that was sent, if any (docs/api.md, "Errors").
    package var code: String?
    /// Further information, in a sentence.
    package var detail: String?

    package init(_ level: LogLevel, _ message: String, detail: String? = nil) {
        self.level = level
        self.message = message
        self.detail = detail
    }

    /// The facts of a completed request.
    package struct Request: Sendable {
        /// The method; empty if the request's head could not be read.
        var method: String
        /// The path as it was sent; empty if the request's head could not be read.
        var path: String
        /// The query as the log has it (``LoggedQuery``), if there is one.
        var query: String?
        var status: Int
        /// The number of bytes sent, including the response's head.
        var bytes: Int
        /// The number of diagnostics in the response's `Broadsheet-Diagnostics`, if it has one.
        var diagnostics: Int?
        /// The time from the complete request to the last byte of the response, in microseconds;
        /// of a stream and of a request that waits, the part of it in which there was work.
        var microseconds: Int64
        /// The time from the complete request to the end of a stream, or of a request that waits,
        /// in microseconds; `nil` for others.
        var openMicroseconds: Int64?
        var revision: UInt64?
    }
}

extension LogRecord {
    init(_ exchange: HTTPExchange, with address: IPAddress) {
        let duration = exchange.duration.wholeNanoseconds / 1000
        // A request that was cut off has no response with its id.
        let id = exchange.headers[.requestID] ?? exchange.request?.headers[.requestID]
        self.init(
            id: id.flatMap(RequestID.init),
            Request(
                method: exchange.request?.method.token ?? "",
                path: exchange.request?.target.path ?? "",
                query: LoggedQuery.text(of: exchange.request?.target.query),
                status: exchange.status.code, bytes: exchange.bytesSent,
                diagnostics: exchange.headers[.diagnostics].flatMap { Int($0) },
                microseconds: exchange.work.map { $0.wholeNanoseconds / 1000 } ?? duration,
                openMicroseconds: exchange.work.map { _ in duration },
                revision: exchange.revision),
            address: address, client: exchange.client, isComplete: exchange.isComplete)
        if exchange.isCutOff { detail = "the time to drain was over before the response was sent" }
    }

    /// Creates the record of a request whose response was sent, or lost with its connection.
    init(
        id: RequestID?, _ request: Request, address: IPAddress, client: HTTPClient?,
        isComplete: Bool
    ) {
        self.init(isComplete ? .info : .warning, "request")
        if !isComplete { detail = "the connection was lost before the response was sent" }
        requestID = id
        self.request = request
        self.address = address
        self.client = client
    }

    mutating func add(_ call: Call, from address: IPAddress) {
        requestID = call.requestID
        self.address = address
        client = call.caller.client
    }

    init(_ problem: Problem, of id: RequestID, address: IPAddress?, client: HTTPClient?) {
        let isServerError = problem.code.status.code >= 500
        self.init(
            isServerError ? .error : .warning, "refused",
            detail: problem.cause.map { "\(problem.detail) (\($0))" } ?? problem.detail)
        requestID = id
        self.address = address
        self.client = client
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
                if let requestID {
                    output.member("requestId")
                    requestID.write(into: &output.writer)
                }
                if let request { request.writeJSON(into: &output) }
                if let address { output.member("address", address.literal) }
                if let client {
                    output.member(client.hasToken ? "issuer" : "key", client.name)
                    if let reader = client.reader { output.member("reader", reader.cutForLine) }
                }
                if let code { output.member("code", code) }
                if let detail { output.member("detail", detail.cutForLine) }
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
            line.plain(requestID.text)
        }
        if let request { request.writeText(into: &line) }
        if let address {
            line.raw(" from ")
            line.plain(address.literal)
        }
        if let client {
            line.raw(client.hasToken ? " issuer=" : " key=")
            line.plain(client.name)
            if let reader = client.reader {
                line.raw(" reader=")
                line.plain(reader)
            }
        }
        if let code {
            line.raw(" ")
            line.plain(code)
        }
        if let detail {
            line.raw(": ")
            line.plain(detail.cutForLine)
        }
    }
}

extension LogRecord.Request {
    fileprivate func writeJSON(into output: inout StructuredJSONWriter) {
        output.member("method", method)
        let (path, query) = cutTarget
        output.member("path", path)
        if let query { output.member("query", query) }
        output.member("status", status)
        output.member("bytes", bytes)
        output.member("microseconds", Int(microseconds))
        if let openMicroseconds { output.member("openMicroseconds", Int(openMicroseconds)) }
        if let diagnostics { output.member("diagnostics", diagnostics) }
        if let revision { output.member("revision", Int(clamping: revision)) }
    }

    /// The path and the query, together as long as a line permits.
    private var cutTarget: (path: String, query: String?) {
        guard let query else { return (path.cutForLine, nil) }
        var limit = LogRecord.maxTextBytes
        return (path.cut(within: &limit), query.cut(within: &limit))
    }

    fileprivate func writeText(into line: inout JSONWriter) {
        line.raw(" ")
        line.plain(method.isEmpty ? "-" : method)
        line.raw(" ")
        let (path, query) = cutTarget
        line.plain(path.isEmpty ? "-" : path)
        if let query {
            line.raw("?")
            line.plain(query)
        }
        line.raw(" ")
        line.integer(status)
        line.raw(" ")
        line.integer(bytes)
        line.raw(" B ")
        line.integer(Int(microseconds))
        line.raw(" us")
        if let openMicroseconds {
            line.raw(" of ")
            line.integer(Int(openMicroseconds))
            line.raw(" us open")
        }
        if let diagnostics {
            line.raw(" ")
            line.integer(diagnostics)
            line.raw(diagnostics == 1 ? " diagnostic" : " diagnostics")
        }
        if let revision {
            line.raw(" revision ")
            line.integer(Int(clamping: revision))
        }
    }
}

extension LogRecord {
    /// The maximum size of a line, in bytes; longer paths and details are cut.
    static let maxLineBytes = 4096
    /// The maximum size of a path with its query, and of a detail, as JSON in a line, in bytes.
    ///
    /// The rest of the line is for the other members, whose sizes are bounded.
    fileprivate static let maxTextBytes = 1700
}

extension String {
    /// The text, or its beginning and an ellipsis if it is too long for a line of the log.
    fileprivate var cutForLine: String {
        guard utf8.count > LogRecord.maxTextBytes / Self.longestEscape else { return self }
        var limit = LogRecord.maxTextBytes
        return cut(within: &limit)
    }

    private static let longestEscape = 6

    /// Returns the text, or its beginning and an ellipsis if it is longer as JSON than a limit,
    /// from which its size is subtracted.
    fileprivate func cut(within limit: inout Int) -> String {
        var size = 0
        defer { limit -= min(size, limit) }
        for index in unicodeScalars.indices {
            let scalar = unicodeScalars[index]
            switch scalar {
            case _ where scalar.isEscapedInText: size += Self.longestEscape
            case "\"", "\\": size += 2
            default: size += UTF8.width(scalar)
            }
            if size > limit {
                return String(unicodeScalars[..<index]) + "…"
            }
        }
        return self
    }
}

extension JSONWriter {
    /// Writes text without quotes and with escapes (`\u000a`) in place of control characters, so
    /// that the bytes of a client can neither begin a new line of the log nor change how the rest
    /// of a line looks on a terminal.
    fileprivate mutating func plain(_ text: String) {
        for scalar in text.unicodeScalars {
            guard scalar.isEscapedInText else {
                for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
                    raw(byte: byte)
                }
                continue
            }
            raw("\\u")
            for shift in [12, 8, 4, 0] as [UInt32] {
                let digit = UInt8(truncatingIfNeeded: scalar.value >> shift & 15)
                raw(byte: digit < 10 ? 0x30 + digit : 0x61 - 10 + digit)
            }
        }
    }
}

extension Unicode.Scalar {
    /// A Boolean value that indicates whether a line of text has an escape for the
    /// character: controls, the ends of lines of Unicode, and the controls of the direction of text
    /// (Unicode UAX #9, 2), with which a text can appear in another order than it has.
    fileprivate var isEscapedInText: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: true
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

extension LogRecord {
    /// Creates the record of a page's unknown unit types, which says what to do about them; `nil`
    /// if there are none.
    ///
    /// - Parameters:
    ///   - origin: The page's screen and number, or the request that contained it.
    ///   - catalog: The catalog in service, by which the page was resolved.
    init?(unknownUnitTypesOf page: ResolvedPage, in origin: String, _ catalog: ActiveCatalog) {
        guard !page.unknownUnitTypes.isEmpty else { return nil }
        let names = page.unknownUnitTypes.map { "\"\($0)\"" }.joined(separator: ", ")
        let count = page.diagnosticCounts.byCode[.unknownUnitType] ?? 0
        let remedy =
            catalog.catalog.isBuiltIn
            ? "the daemon serves the built-in catalog of a shop: write one with these units "
                + "(docs/guide.md), and start with --catalog FILE, or make run CATALOG=FILE"
            : "add them to \"units\" in \(catalog.title), and reload it with SIGHUP"
        self.init(
            .warning, "unknown unit types",
            detail: "\(origin) has units without an entry in \(catalog.title) (\(count)), of the "
                + "types \(names): \(remedy)")
    }
}

extension LogRecord {
    /// The largest number of a catalog's diagnostics in the log; `broadsheet check` lists all.
    static let maxCatalogDiagnostics = 10

    /// Creates the record of the unknown members of a catalog, and of its members without effect;
    /// `nil` if there are none.
    init?(diagnosticsOf catalog: ActiveCatalog) {
        let diagnostics = catalog.catalog.diagnostics
        guard !diagnostics.isEmpty else { return nil }
        let listed = diagnostics.prefix(Self.maxCatalogDiagnostics)
        let others = diagnostics.count - listed.count
        let rest = others > 0 ? "; and \(others) more, which broadsheet check lists" : ""
        let lines = listed.map { "\($0.code.rawValue) \($0.pointer.cut(to: 200)) \($0.detail)" }
        self.init(
            .warning, "\(catalog.title) has members without effect",
            detail: lines.joined(separator: "; ") + rest)
    }
}

extension LogRecord {
    init(replacedBy catalogs: ActiveCatalogs) {
        let names = catalogs.named.compactMap(\.name?.text)
        self.init(
            .info, "catalog replaced",
            detail: names.isEmpty
                ? nil : "\(names.count) others by name: \(names.joined(separator: ", "))")
    }
}

extension ActiveCatalog {
    fileprivate var title: String { name.map { "the catalog \($0.text)" } ?? "the catalog" }
}

extension String {
    /// Returns the first characters, and an ellipsis if there are more.
    fileprivate func cut(to count: Int) -> String {
        let start = prefix(count)
        return start.endIndex == endIndex ? self : start + "…"
    }
}
