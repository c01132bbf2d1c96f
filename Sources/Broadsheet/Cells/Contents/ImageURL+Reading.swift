extension ImageURL {
    convenience init?(_ value: JSONValue, _ collector: inout ViolationCollector) {
        guard let text = value.expecting("a URL template", value.string, &collector) else {
            return nil
        }
        guard 1...Self.maxTemplateBytes ~= text.utf8.count else {
            collector.report("must have 1 to \(Self.maxTemplateBytes) bytes", at: value)
            return nil
        }
        do throws(TemplateError) {
            try self.init(template: text)
        } catch {
            collector.report(error.detail, at: value)
            return nil
        }
    }

    /// The reason for which a text is not a template.
    private struct TemplateError: Error {
        let detail: String
    }

    private convenience init(template text: String) throws(TemplateError) {
        let template = Array(text.utf8)
        var pieces: [Piece] = []
        var rest = template[...]
        while !rest.isEmpty {
            let literal = rest.prefix { $0 != UInt8(ascii: "{") }
            try Self.check(literal)
            if !literal.isEmpty { pieces.append(.literal(literal.indices)) }
            rest = rest.dropFirst(literal.count)
            guard !rest.isEmpty else { break }
            pieces.append(try Self.expression(&rest))
        }
        let values = pieces.count { if case .value = $0 { true } else { false } }
        guard values == 1 else {
            throw TemplateError(
                detail: "must have exactly one {value} or {+value}, and has "
                    + (values == 0 ? "none" : "\(values)"))
        }
        guard URLScheme(before: pieces, of: template).isUsable else {
            throw TemplateError(detail: "must be relative, or have the scheme http or https")
        }
        self.init(template, pieces)
    }

    private static func check(_ literal: ArraySlice<UInt8>) throws(TemplateError) {
        guard let byte = literal.first(where: { !isAllowed($0) }) else { return }
        let name =
            0x21..<0x7F ~= byte
            ? "'\(Character(UnicodeScalar(byte)))'"
            : byte == UInt8(ascii: " ")
                ? "a space" : byte < 0x80 ? "a control character" : "a character beyond ASCII"
        throw TemplateError(detail: "has \(name), which must be written as %XX")
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        0x21..<0x7F ~= byte && !#""<>\^`{|}"#.utf8.contains(byte)
    }

    private static func expression(
        _ rest: inout ArraySlice<UInt8>
    ) throws(TemplateError) -> Piece {
        let name = rest.dropFirst().prefix { $0 != UInt8(ascii: "}") }
        let expression = String(decoding: rest.prefix(name.count + 2), as: UTF8.self)
        rest = rest.dropFirst(name.count + 2)
        switch expression {
        case "{value}": return .value(keepsReserved: false)
        case "{+value}": return .value(keepsReserved: true)
        case "{width}": return .width
        case "{height}": return .height
        default:
            throw TemplateError(
                detail: "may have {value} or {+value}, {width} and {height}, not \(expression)")
        }
    }

    static func widths(
        _ value: JSONValue, _ collector: inout ViolationCollector
    ) -> [UInt64]? {
        guard value.kind == .array, 1...maxWidths ~= value.count else {
            return value.expecting(
                "an array of 1 to \(maxWidths) widths", nil, &collector)
        }
        var last = 0
        return value.eachOrSelf(&collector) { value, collector in
            guard let width = value.integer(in: 1...maxWidth, &collector) else {
                return []
            }
            if width <= last {
                collector.report("must be above the width before, \(last)", at: value)
            }
            last = width
            return [UInt64(width)]
        }
    }

    func with(widths: [UInt64]) -> ImageURL {
        ImageURL(template, pieces, widths: widths)
    }
}
