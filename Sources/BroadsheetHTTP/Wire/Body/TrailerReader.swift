/// Reads past a chunked body's trailer section: its lines are checked like a head's, then dropped.
///
/// A trailer never becomes a header: one that could would slip past whoever checked the head (RFC
/// 9110 §6.5.1).
struct TrailerReader: Sendable {
    private let limits: HTTPLimits
    private var lines = LineBuffer()
    private var count = 0

    init(limits: HTTPLimits) { self.limits = limits }

    /// Takes input up to and with the empty line that ends the section; false when it goes on.
    mutating func read(_ input: inout UnsafeRawBufferPointer) throws(HTTPError) -> Bool {
        while true {
            switch try lines.takeLine(from: &input, bound: limits.maxTrailerBytes) {
            case .incomplete: return false
            case .overBound: throw .trailersTooLarge(limit: limits.maxTrailerBytes)
            case .line(let line) where line.isEmpty: return true
            case .line(let line):
                _ = try FieldLine.parse(line, in: lines.bytes.span)
                count += 1
                guard count <= limits.maxTrailers else {
                    throw .tooManyTrailers(limit: limits.maxTrailers)
                }
            }
        }
    }
}
