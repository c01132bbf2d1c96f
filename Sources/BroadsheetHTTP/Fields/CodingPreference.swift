/// The content coding that a client prefers, of those that the server has: gzip, and none (RFC 9110
/// §12.5.3).
package enum CodingPreference: Sendable, Hashable {
    /// No coding: the client does not accept gzip, or prefers plain content, or has not said.
    case identity
    /// gzip; plain content is acceptable.
    case gzip
    /// gzip; the client refuses plain content (`identity;q=0`).
    case gzipOnly

    /// Reads the Accept-Encoding fields of a request.
    ///
    /// Malformed elements are ignored, as in Accept. A client that accepts neither coding receives
    /// plain content: a response is better than none.
    package init(in headers: HTTPHeaders) {
        var weights = CodingWeights()
        for field in headers.fields where headers.isNamed(field, .acceptEncoding) {
            weights.read(headers.bytes.span.extracting(field.value))
        }
        self = weights.preference
    }
}

/// The weights of codings in Accept-Encoding, in thousandths; the first one of a coding counts.
private struct CodingWeights {
    private var gzip: Int?
    private var identity: Int?
    /// The weight of `*`: every coding that is not listed.
    private var others: Int?

    /// The preference that the weights express; of equal weights gzip, since it is smaller.
    var preference: CodingPreference {
        let gzip = gzip ?? others ?? 0
        guard gzip > 0 else { return .identity }
        switch identity ?? others {
        case 0: return .gzipOnly
        case let plain? where plain > gzip: return .identity
        default: return .gzip
        }
    }

    mutating func read(_ line: borrowing Span<UInt8>) {
        var start = 0
        while start < line.count {
            var end = start
            while end < line.count, line[end] != UInt8(ascii: ",") { end += 1 }
            readElement(line.extracting(line.trimmingBlanks(start..<end)))
            start = end + 1
        }
    }

    private mutating func readElement(_ element: borrowing Span<UInt8>) {
        var end = 0
        while end < element.count, element[end].isTokenByte { end += 1 }
        guard let weight = Self.weight(element, from: end) else { return }
        let coding = element.extracting(0..<end)
        // x-gzip is the same coding (RFC 9110 §8.4.1.3).
        if coding.equalsIgnoringCase("gzip".utf8.span)
            || coding.equalsIgnoringCase("x-gzip".utf8.span)
        {
            gzip = gzip ?? weight
        } else if coding.equalsIgnoringCase("identity".utf8.span) {
            identity = identity ?? weight
        } else if end == 1, element[0] == UInt8(ascii: "*") {
            others = others ?? weight
        }
    }

    /// Parses `[ OWS ";" OWS "q=" qvalue ]` after a coding; `nil` when it is malformed.
    private static func weight(_ element: borrowing Span<UInt8>, from start: Int) -> Int? {
        var index = element.trimmingBlanks(start..<element.count).lowerBound
        guard start < element.count, index < element.count else {
            return QualityValue.unspecified
        }
        guard element[index] == UInt8(ascii: ";") else { return nil }
        index = element.trimmingBlanks(index + 1..<element.count).lowerBound
        guard index + 2 < element.count, element[index].lowercased == UInt8(ascii: "q"),
            element[index + 1] == UInt8(ascii: "=")
        else { return nil }
        return QualityValue.thousandths(element.extracting(index + 2..<element.count))
    }
}

/// The weights of a client's preferences (RFC 9110 §12.4.2).
enum QualityValue {
    /// The weight of an element that has none, in thousandths.
    static let unspecified = 1000

    /// Parses a weight from 0 to 1 with at most three decimal digits, in thousandths; `nil` when it
    /// is malformed.
    static func thousandths(_ text: borrowing Span<UInt8>) -> Int? {
        guard text.count > 0, text.count <= 5 else { return nil }
        guard text[0] == UInt8(ascii: "0") || text[0] == UInt8(ascii: "1"),
            text.count == 1 || text[1] == UInt8(ascii: ".")
        else { return nil }
        var thousandths = text[0] == UInt8(ascii: "1") ? 1 : 0
        for index in 2..<5 {
            let digit = index < text.count ? text[index] : UInt8(ascii: "0")
            guard digit.isDigit else { return nil }
            thousandths = thousandths * 10 + Int(digit &- 0x30)
        }
        return thousandths <= 1000 ? thousandths : nil
    }
}
