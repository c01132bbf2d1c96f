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

    /// Returns the error for a request line that is longer than the limits allow.
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
