import BroadsheetHTTP

/// The results of a parser: its requests and its end, independent of the pieces of the input.
///
/// `next()` is called after each request. `.wait` and `.expectContinue` are left out: they depend
/// on the cuts, not on the bytes.
struct Transcript: Equatable, CustomStringConvertible {
    var requests: [HTTPRequest] = []
    var failure: HTTPError?
    /// The method of the failed request.
    var failedMethod: HTTPMethod?
    var ended = false

    /// Feeds `pieces` one after the other, then, if `closing`, the peer's end.
    init(of pieces: [[UInt8]], limits: HTTPLimits = HTTPLimits(), closing: Bool = true) {
        var parser = HTTPRequestParser(limits: limits)
        for piece in pieces {
            record(parser.feed(piece), &parser)
            if failure != nil { return }
        }
        if closing { record(parser.finish(), &parser) }
    }

    /// Feeds a text in one piece.
    init(of text: String, limits: HTTPLimits = HTTPLimits(), closing: Bool = true) {
        self.init(of: [Array(text.utf8)], limits: limits, closing: closing)
    }

    private mutating func record(_ action: HTTPParserAction, _ parser: inout HTTPRequestParser) {
        var action = action
        while true {
            switch action {
            case .wait, .expectContinue, .refusal: return
            case .request(let request):
                requests.append(request)
                action = parser.next()
            case .failure(let error):
                failure = error
                failedMethod = parser.method
                return
            case .end:
                ended = true
                return
            }
        }
    }

    var description: String {
        let lines = requests.map { "\($0.method) \($0.target.path) body \($0.body.count)" }
        let outcome = failure.map { "failure \($0)" } ?? (ended ? "end" : "open")
        return (lines + [outcome]).joined(separator: ", ")
    }
}

extension HTTPRequestParser {
    /// Feeds bytes that an array holds.
    mutating func feed(_ bytes: [UInt8]) -> HTTPParserAction {
        bytes.withUnsafeBytes { self.feed($0) }
    }

    /// Feeds a text's bytes.
    mutating func feed(_ text: String) -> HTTPParserAction { feed(Array(text.utf8)) }
}

extension [UInt8] {
    /// The bytes in two pieces.
    func cut(at offset: Int) -> [[UInt8]] { [Array(self[..<offset]), Array(self[offset...])] }

    /// The bytes one by one.
    var singly: [[UInt8]] { map { [$0] } }

    /// The bytes as text, for comparisons that a person can read.
    var text: String { String(decoding: self, as: UTF8.self) }
}
