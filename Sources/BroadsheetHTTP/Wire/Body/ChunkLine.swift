/// Reads the line that starts a chunk, `size [;name[=value]]… CRLF`, byte by byte (RFC 9112 §7.1).
///
/// Extensions are checked against the grammar and dropped. Every CR must be followed by LF and no
/// LF stands alone, in quotes neither: a proxy that ends the line elsewhere would see other chunks.
struct ChunkLine: Sendable {
    private enum State: Sendable {
        case sizeStart, size, blankAfterSize
        case nameStart, name, blankAfterName
        case valueStart, token, quoted, escaped, quotedEnd, blankAfterValue
        case lineFeed
    }

    private var state: State = .sizeStart
    private var size = 0
    private var digits = 0

    /// Whether the bytes that come are an extension's.
    var isInExtension: Bool {
        switch state {
        case .sizeStart, .size, .lineFeed: false
        default: true
        }
    }

    /// Takes the line's next byte; answers the chunk's size when that ends it.
    mutating func take(_ byte: UInt8) throws(HTTPError) -> Int? {
        if state == .lineFeed {
            guard byte == .lineFeed else { throw .badRequest(.bareCarriageReturn) }
            return size
        }
        guard byte != .lineFeed else { throw .badRequest(.bareLineFeed) }
        state = isInExtension ? try afterSize(byte) : try inSize(byte)
        return nil
    }

    private mutating func inSize(_ byte: UInt8) throws(HTTPError) -> State {
        if let digit = byte.hexValue {
            digits += 1
            // 15 digits count to 2^60: far beyond any limit, and never an overflow.
            guard digits <= 15 else { throw .badRequest(.malformedChunkSize) }
            size = size << 4 | digit
            return .size
        }
        guard state == .size else { throw .badRequest(.malformedChunkSize) }
        switch byte {
        case .carriageReturn: return .lineFeed
        case UInt8(ascii: ";"): return .nameStart
        case .space, .tab: return .blankAfterSize
        default: throw .badRequest(.malformedChunkSize)
        }
    }

    private func afterSize(_ byte: UInt8) throws(HTTPError) -> State {
        guard let next = state == .quoted || state == .escaped ? inQuotes(byte) : outside(byte)
        else {
            throw .badRequest(
                state == .blankAfterSize ? .malformedChunkSize : .malformedChunkExtension)
        }
        return next
    }

    /// `qdtext`, `quoted-pair` or the closing quote (RFC 9110 §5.6.4).
    private func inQuotes(_ byte: UInt8) -> State? {
        guard byte.isFieldValueByte else { return nil }
        if state == .escaped { return .quoted }
        switch byte {
        case UInt8(ascii: "\""): return .quotedEnd
        case UInt8(ascii: "\\"): return .escaped
        default: return .quoted
        }
    }

    /// What may follow outside quotes; blanks are legal before `;` and around `=` alone.
    private func outside(_ byte: UInt8) -> State? {
        switch (state, byte) {
        case (.name, .carriageReturn), (.token, .carriageReturn), (.quotedEnd, .carriageReturn):
            .lineFeed
        case (.nameStart, .space), (.nameStart, .tab): .nameStart
        case (.valueStart, .space), (.valueStart, .tab): .valueStart
        case (.name, .space), (.name, .tab): .blankAfterName
        case (.token, .space), (.token, .tab): .blankAfterValue
        case (.quotedEnd, .space), (.quotedEnd, .tab): .blankAfterValue
        case (_, .space), (_, .tab): state
        case (.nameStart, UInt8(ascii: ";")), (.valueStart, UInt8(ascii: ";")): nil
        case (_, UInt8(ascii: ";")): .nameStart
        case (.name, UInt8(ascii: "=")), (.blankAfterName, UInt8(ascii: "=")): .valueStart
        case (.valueStart, UInt8(ascii: "\"")): .quoted
        case (.nameStart, _), (.name, _): byte.isTokenByte ? .name : nil
        case (.valueStart, _), (.token, _): byte.isTokenByte ? .token : nil
        default: nil
        }
    }
}
