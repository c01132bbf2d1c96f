import Glibc

/// A reader of a head: the request line, the field lines, and the empty line that ends it.
struct HeadReader: Sendable {
    private let limits: HTTPLimits
    private var lines = LineBuffer()
    private var fields: [HTTPHeaders.Field] = []
    private var fieldsStart = 0
    private var emptyLines = 0

    private(set) var requestLine: RequestLine?

    init(limits: HTTPLimits) { self.limits = limits }

    var byteCount: Int { lines.bytes.count }

    /// A Boolean value that indicates whether nothing but empty lines has arrived.
    var isEmpty: Bool { lines.bytes.isEmpty }

    /// The head as far as it has been read; `nil` before its request line is complete.
    var partialHead: HTTPRequestHead? {
        requestLine.map { line in
            HTTPRequestHead(
                method: line.method, target: line.target, version: line.version,
                headers: HTTPHeaders(parsed: fields, in: lines.bytes), keepAlive: false)
        }
    }

    /// Consumes input up to the head's end; returns `nil` when the head continues after the input.
    mutating func read(
        _ input: inout UnsafeRawBufferPointer
    ) throws(HTTPError) -> (head: HTTPRequestHead, framing: BodyFraming, expectsContinue: Bool)? {
        while true {
            guard let line = requestLine else {
                guard try readRequestLine(&input) else { return nil }
                continue
            }
            switch try lines.takeLine(from: &input, bound: fieldsBound) {
            case .incomplete: return nil
            case .overBound: throw .headersTooLarge(limit: limits.maxHeaderBytes)
            case .line(let range) where range.isEmpty: return try assemble(line)
            case .line(let range): try add(FieldLine.parse(range, in: lines.bytes.span))
            }
        }
    }

    /// Reads one line at the beginning of a head; returns `false` when it continues after the
    /// input.
    private mutating func readRequestLine(
        _ input: inout UnsafeRawBufferPointer
    ) throws(HTTPError) -> Bool {
        if lines.bytes.isEmpty, let first = input.first { try Self.checkFirst(first) }
        switch try lines.takeLine(from: &input, bound: limits.maxRequestLine) {
        case .incomplete: return false
        case .overBound: throw RequestLine.error(forOverlong: lines.bytes.span, limits: limits)
        case .line(let range) where range.isEmpty: try skipEmptyLine()
        case .line(let range):
            requestLine = try RequestLine(lines.bytes.span.extracting(range), limits: limits)
            fieldsStart = lines.bytes.count
        }
        return true
    }

    /// Rejects a byte that cannot start a request at once: a client of another protocol, which may
    /// never send a line end, would otherwise wait for a response.
    private static func checkFirst(_ byte: UInt8) throws(HTTPError) {
        guard !byte.isTokenByte, byte != .carriageReturn, byte != .lineFeed else { return }
        let handshake: UInt8 = 0x16  // TLS record type (RFC 8446 §5.1)
        if byte == handshake { throw .badRequest(.tlsHandshake) }
        throw .badRequest(byte.isBlank ? .malformedRequestLine : .malformedMethod)
    }

    private mutating func skipEmptyLine() throws(HTTPError) {
        emptyLines += 1
        guard emptyLines <= HTTPLimits.maxLeadingEmptyLines else {
            throw .badRequest(.tooManyEmptyLines)
        }
        lines.removeAll()
    }

    private mutating func add(_ field: HTTPHeaders.Field) throws(HTTPError) {
        guard fields.count < limits.maxHeaders else {
            throw .tooManyHeaders(limit: limits.maxHeaders)
        }
        if fields.isEmpty { fields.reserveCapacity(min(limits.maxHeaders, 16)) }
        fields.append(field)
    }

    private var fieldsBound: Int {
        let (bound, overflow) = fieldsStart.addingReportingOverflow(limits.maxHeaderBytes)
        return overflow ? .max : bound
    }

    private func assemble(
        _ line: RequestLine
    ) throws(HTTPError) -> (head: HTTPRequestHead, framing: BodyFraming, expectsContinue: Bool) {
        var control = ControlFields()
        for field in fields { try control.read(field, in: lines.bytes) }
        let framing = try control.framing(for: line, limits: limits)
        let head = HTTPRequestHead(
            method: line.method, target: line.target, version: line.version,
            headers: HTTPHeaders(parsed: fields, in: lines.bytes),
            host: line.target.authority
                ?? control.host.map {
                    String(decoding: lines.bytes[$0], as: UTF8.self)
                },
            keepAlive: control.keepsAlive(line.version))
        return (head, framing, control.expectsContinue && line.version == .http11)
    }
}

/// A buffer of lines that arrive in arbitrary pieces.
struct LineBuffer: Sendable {
    enum Progress: Equatable {
        /// The line is complete, at this range of the buffer without its CRLF.
        case line(Range<Int>)
        case incomplete
        case overBound
    }

    /// All lines so far, with their ends.
    private(set) var bytes: [UInt8] = []
    private(set) var lineStart = 0

    /// Moves input into the buffer, up to the next line's end.
    ///
    /// The result depends on the bytes of the line only, not on the pieces in which they arrive.
    ///
    /// - Parameters:
    ///   - input: The input; consumed bytes are removed from its front.
    ///   - bound: The maximum number of bytes in the buffer.
    /// - Throws: `.bareLineFeed` when the line does not end in CRLF, and `.bareCarriageReturn` as
    ///   soon as a CR is followed by another byte than LF, so that no client waits for the rest of
    ///   a line that is invalid already (RFC 9112 §2.2).
    mutating func takeLine(
        from input: inout UnsafeRawBufferPointer, bound: Int
    ) throws(HTTPError) -> Progress {
        guard let base = input.baseAddress, !input.isEmpty else { return .incomplete }
        let window = min(input.count, max(bound - bytes.count, 0))
        let lineFeed = memchr(base, Int32(UInt8.lineFeed), window)
        let taken = lineFeed.map { UnsafeRawPointer($0) - base + 1 } ?? window
        try checkCarriageReturn(UnsafeRawBufferPointer(start: base, count: taken))
        if bytes.isEmpty { bytes.reserveCapacity(min(input.count, bound, Self.typicalHead)) }
        bytes.append(contentsOf: input.prefix(taken))
        input = UnsafeRawBufferPointer(rebasing: input.dropFirst(taken))
        guard lineFeed != nil else { return bytes.count >= bound ? .overBound : .incomplete }
        return .line(try endLine())
    }

    /// Removes all lines, and keeps the capacity.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        lineStart = 0
    }

    /// Checks the first CR of the next bytes of the line, and the one at the end of those before.
    private func checkCarriageReturn(_ next: UnsafeRawBufferPointer) throws(HTTPError) {
        guard let base = next.baseAddress, let first = next.first else { return }
        if bytes.count > lineStart, bytes.last == .carriageReturn, first != .lineFeed {
            throw .badRequest(.bareCarriageReturn)
        }
        guard let found = memchr(base, Int32(UInt8.carriageReturn), next.count) else { return }
        // A CR that is the last byte is checked with the byte after it.
        let index = UnsafeRawPointer(found) - base + 1
        guard index == next.count || next[index] == .lineFeed else {
            throw .badRequest(.bareCarriageReturn)
        }
    }

    private mutating func endLine() throws(HTTPError) -> Range<Int> {
        let end = bytes.count - 2
        guard end >= lineStart, bytes[end] == .carriageReturn else {
            throw .badRequest(.bareLineFeed)
        }
        defer { lineStart = bytes.count }
        return lineStart..<end
    }

    /// The initial capacity, with which the head of a usual client is copied only once.
    private static let typicalHead = 1024
}

/// The first line of a request (RFC 9112 §3).
struct RequestLine: Sendable {
    let method: HTTPMethod
    let target: RequestTarget
    let version: HTTPVersion

    /// Parses a line without its CRLF.
    init(_ line: borrowing Span<UInt8>, limits: HTTPLimits) throws(HTTPError) {
        try Self.checkControls(line)
        guard let methodEnd = Self.firstSpace(in: line, from: 0),
            let targetEnd = Self.firstSpace(in: line, from: methodEnd + 1),
            targetEnd > methodEnd + 1,
            Self.firstSpace(in: line, from: targetEnd + 1) == nil
        else { throw .badRequest(.malformedRequestLine) }
        method = try Self.method(line.extracting(0..<methodEnd))
        version = try Self.version(line.extracting(targetEnd + 1..<line.count))
        target = try Self.target(
            line.extracting(methodEnd + 1..<targetEnd), method: method, limits: limits)
    }

    static func error(forOverlong line: borrowing Span<UInt8>, limits: HTTPLimits) -> HTTPError {
        let methodEnd = firstSpace(in: line, from: 0) ?? line.count
        return methodEnd > HTTPLimits.maxMethod
            ? .methodNotImplemented : .uriTooLong(limit: limits.maxTarget)
    }

    private static func checkControls(_ line: borrowing Span<UInt8>) throws(HTTPError) {
        for index in 0..<line.count where line[index] < .space || line[index] == 0x7F {
            throw .badRequest(
                line[index] == .carriageReturn ? .bareCarriageReturn : .malformedRequestLine)
        }
    }

    private static func firstSpace(in line: borrowing Span<UInt8>, from start: Int) -> Int? {
        for index in start..<max(start, line.count) where line[index] == .space { return index }
        return nil
    }

    private static func method(_ token: borrowing Span<UInt8>) throws(HTTPError) -> HTTPMethod {
        guard !token.isEmpty else { throw .badRequest(.malformedRequestLine) }
        for index in 0..<token.count where !token[index].isTokenByte {
            throw .badRequest(.malformedMethod)
        }
        guard token.count <= HTTPLimits.maxMethod else { throw .methodNotImplemented }
        let text = token.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
        let method = HTTPMethod(unchecked: text)
        // CONNECT has a separate form of target, and only proxies serve it (RFC 9110 §9.3.6).
        guard method != .connect else { throw .methodNotImplemented }
        return method
    }

    /// Parses `HTTP/` digit `.` digit, in upper case (RFC 9112 §2.3).
    private static func version(_ text: borrowing Span<UInt8>) throws(HTTPError) -> HTTPVersion {
        let pattern: StaticString = "HTTP/d.d"
        guard text.count == pattern.utf8CodeUnitCount, text[5].isDigit, text[7].isDigit,
            text[0] == UInt8(ascii: "H"), text[1] == UInt8(ascii: "T"),
            text[2] == UInt8(ascii: "T"), text[3] == UInt8(ascii: "P"),
            text[4] == UInt8(ascii: "/"), text[6] == UInt8(ascii: ".")
        else { throw .badRequest(.malformedVersion) }
        guard text[5] == UInt8(ascii: "1") else { throw .versionNotSupported }
        return text[7] == UInt8(ascii: "0") ? .http10 : .http11
    }

    private static func target(
        _ bytes: borrowing Span<UInt8>, method: HTTPMethod, limits: HTTPLimits
    ) throws(HTTPError) -> RequestTarget {
        guard bytes.count <= limits.maxTarget else { throw .uriTooLong(limit: limits.maxTarget) }
        guard let target = RequestTarget(bytes, method: method) else {
            throw .badRequest(.malformedTarget)
        }
        return target
    }
}
