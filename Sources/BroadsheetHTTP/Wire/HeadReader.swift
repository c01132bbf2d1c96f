/// A reader of a head: the request line, the field lines, and the empty line that ends it.
struct HeadReader: Sendable {
    private let limits: HTTPLimits
    private var lines = LineBuffer()
    private var fields: [HTTPHeaders.Field] = []
    private var fieldsStart = 0
    private var emptyLines = 0

    /// The request line, once it is complete.
    private(set) var requestLine: RequestLine?

    init(limits: HTTPLimits) { self.limits = limits }

    /// A Boolean value that indicates whether nothing but empty lines has arrived.
    var isEmpty: Bool { lines.bytes.isEmpty }

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
