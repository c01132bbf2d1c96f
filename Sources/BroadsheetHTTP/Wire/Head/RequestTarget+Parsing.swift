extension RequestTarget {
    /// Splits a target's bytes; `nil` when they are in no form that `method` may use.
    init?(_ bytes: borrowing Span<UInt8>, method: HTTPMethod) {
        guard !bytes.isEmpty else { return nil }
        if bytes.count == 1, bytes[0] == UInt8(ascii: "*") {
            guard method == .options else { return nil }
            self.init(form: .asterisk, path: "*", query: nil, authority: nil)
        } else if bytes[0] == UInt8(ascii: "/") {
            self.init(bytes, pathStart: 0, form: .origin, authority: nil)
        } else {
            self.init(absolute: bytes, method: method)
        }
    }

    /// An absolute-form target, `scheme://host[:port]path?query` (RFC 9112 §3.2.2).
    ///
    /// User information is refused: it has no
    /// meaning to a server and misleads people (RFC 9110 §4.2.4).
    private init?(absolute bytes: borrowing Span<UInt8>, method: HTTPMethod) {
        guard let start = Self.authorityStart(bytes) else { return nil }
        var end = start
        while end < bytes.count, bytes[end] != UInt8(ascii: "/"), bytes[end] != UInt8(ascii: "?") {
            end += 1
        }
        guard Authority.isValid(bytes.extracting(start..<end)) else { return nil }
        let authority = text(bytes, start..<end)
        if end == bytes.count, method == .options {
            // OPTIONS of a bare authority asks about the server (RFC 9112 §3.2.4).
            self.init(form: .asterisk, path: "*", query: nil, authority: authority)
        } else {
            self.init(bytes, pathStart: end, form: .absolute, authority: authority)
        }
    }

    private init?(
        _ bytes: borrowing Span<UInt8>, pathStart: Int, form: Form, authority: String?
    ) {
        var pathEnd = pathStart
        while pathEnd < bytes.count, bytes[pathEnd] != UInt8(ascii: "?") {
            guard bytes[pathEnd].isPathByte else { return nil }
            pathEnd += 1
        }
        for index in min(pathEnd + 1, bytes.count)..<bytes.count
        where !bytes[index].isQueryByte {
            return nil
        }
        self.init(
            form: form,
            path: pathStart == pathEnd ? "/" : text(bytes, pathStart..<pathEnd),
            query: pathEnd == bytes.count ? nil : text(bytes, pathEnd + 1..<bytes.count),
            authority: authority)
    }

    /// Where the authority starts after `http://` or `https://`, in any case.
    private static func authorityStart(_ bytes: borrowing Span<UInt8>) -> Int? {
        for scheme in ["http://", "https://"] {
            let length = scheme.utf8.count
            if bytes.count > length,
                bytes.extracting(0..<length).equalsIgnoringCase(scheme.utf8.span)
            {
                return length
            }
        }
        return nil
    }
}

private func text(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> String {
    bytes.extracting(range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
}
