/// A number that a cell type's size rules, or its content, read from a cell's data when the page is
/// resolved.
enum SizeInput: Sendable, Hashable {
    /// A number at a pointer, or the default.
    case number(JSONPointer, default: Double)
    /// The quotient of a height and a width, or the default if either is missing or the width is 0.
    case ratio(height: JSONPointer, width: JSONPointer, default: Double)
    /// The index of the case that the value at a pointer selects, or the number of cases.
    case choice(JSONPointer, CaseKeys)
    /// The index of a shaped text among those of the page, or -1 without a text.
    case text(TextSource)
    /// 1 if the value at a pointer is there: not missing, null, false or an empty string; else 0.
    case presence(JSONPointer)
    /// The same for an image, whose value is an address that clients load.
    case image(JSONPointer)
    /// The place of the value that an image's URL has: 1 and the offset of its first byte in the
    /// data, if it is there; else 0.
    case url(JSONPointer, ImageURL)
    /// 1 if the label of a box is there, else 0.
    case label(ContentLabel)
    /// 1 if a string that is not empty is at a pointer, the URL of a link; else 0.
    case link(JSONPointer)

    /// The pointers from the cell's data to the values, in the order in which they are read.
    var pointers: [JSONPointer] {
        switch self {
        case .number(let pointer, _), .choice(let pointer, _), .presence(let pointer),
            .image(let pointer), .url(let pointer, _), .link(let pointer):
            [pointer]
        case .ratio(let height, let width, _): [height, width]
        case .text(let source): source.parts
        case .label(let label): label.pointers
        }
    }

    var text: TextSource? {
        if case .text(let source) = self { source } else { nil }
    }

    /// The kind of reader of the values; `nil` if it can use values of any type.
    var reader: ValueReader? {
        switch self {
        case .number, .ratio: .sizeNumber
        case .choice: .sizeChoice
        case .text: .sizeText
        case .image: .image
        case .url(_, let url): .url(url)
        case .presence, .label, .link: nil
        }
    }

    /// Returns the number for a cell of `data`, always finite (rule G2); -1 for a text, which the
    /// page shapes.
    ///
    /// - Parameters:
    ///   - data: The cell's data.
    ///   - isUsable: Becomes `false` if a value exists and is of an unusable type.
    func value(in data: JSONValue, _ isUsable: inout Bool) -> Double {
        switch self {
        case .number(let pointer, let fallback):
            return Self.number(at: pointer, in: data, &isUsable) ?? fallback
        case .ratio(let height, let width, let fallback):
            let height = Self.number(at: height, in: data, &isUsable)
            let width = Self.number(at: width, in: data, &isUsable)
            guard let height, let width, width != 0 else { return fallback }
            return Length.sanitised(height / width)
        case .choice(let pointer, let cases):
            guard let found = pointer.evaluate(on: data) else { return Double(cases.count) }
            isUsable = isUsable && CaseKeys.canSelect(by: found)
            return Double(cases.index(of: found) ?? cases.count)
        case .text: return -1
        case .presence(let pointer):
            return pointer.evaluate(on: data)?.isThere == true ? 1 : 0
        case .image(let pointer):
            guard let found = pointer.evaluate(on: data), found.isThere else { return 0 }
            isUsable = isUsable && found.isImageAddress
            return 1
        case .url(let pointer, let url):
            guard let found = pointer.evaluate(on: data), found.isThere else { return 0 }
            isUsable = isUsable && url.canHave(found)
            return Double(1 + found.byteRange.lowerBound - data.byteRange.lowerBound)
        case .label(let label): return label.isThere(in: data) ? 1 : 0
        case .link(let pointer):
            let found = pointer.evaluate(on: data)
            return found?.kind == .string && found?.isThere == true ? 1 : 0
        }
    }

    private static func number(
        at pointer: JSONPointer, in data: JSONValue, _ isUsable: inout Bool
    ) -> Double? {
        guard let found = pointer.evaluate(on: data) else { return nil }
        if let number = found.double {
            isUsable = isUsable && number.isFinite
            return Length.sanitised(number)
        }
        isUsable = isUsable && found.isNull
        return nil
    }

    /// Returns the pointers to the values in `data` that exist and are of an unusable type.
    func unusablePointers(in data: JSONValue) -> [JSONPointer] {
        guard let reader else { return [] }
        return pointers.filter { pointer in
            guard let found = pointer.evaluate(on: data), !found.isNull else { return false }
            return switch reader {
            case .sizeChoice, .typeChoice: !CaseKeys.canSelect(by: found)
            case .sizeText: found.kind != .string && found.kind != .number
            case .sizeNumber, .hugeNumber: found.double?.isFinite != true
            case .image: found.isThere && !found.isImageAddress
            case .url(let url): found.isThere && !url.canHave(found)
            case .span: ItemSpan(found) == nil
            }
        }
    }
}

extension JSONValue {
    /// A Boolean value that indicates whether the value counts as one: it is not null, false or an
    /// empty string.
    var isThere: Bool {
        switch kind {
        case .null: false
        case .bool: bool == true
        case .string: byteRange.count > 2
        case .number, .array, .object: true
        }
    }
}

extension JSONValue {
    /// A Boolean value that indicates whether the value is an address that clients load images
    /// from: a relative one, or one with the scheme `http` or `https` and a host.
    var isImageAddress: Bool {
        guard kind == .string else { return false }
        var text = document.bytes[byteRange].dropFirst().dropLast()
        if text.contains(UInt8(ascii: "\\")) { text = ArraySlice((string ?? "").utf8) }
        guard !text.contains(where: { $0 < UInt8(ascii: " ") }) else { return false }
        let stops = text.firstIndex { ":/?#".utf8.contains($0) }
        guard let stops, text[stops] == UInt8(ascii: ":") else { return true }
        let scheme = String(decoding: text[..<stops], as: UTF8.self).lowercased()
        let rest = text[stops...].dropFirst()
        let host = rest.dropFirst(2).prefix { !"/?#".utf8.contains($0) }
        return ["http", "https"].contains(scheme) && rest.starts(with: "//".utf8) && !host.isEmpty
    }
}

/// The kinds of readers of values in a cell's data.
enum ValueReader: Sendable, Hashable {
    /// A size rule that needs a number.
    case sizeNumber
    /// A size rule or a content that chooses by the value.
    case sizeChoice
    /// A size rule or a content that measures a text.
    case sizeText
    /// A placement's type, which chooses by the value.
    case typeChoice
    case span
    case image
    case url(ImageURL)
    /// The reader of a number that is beyond all that a computer has.
    case hugeNumber

    var expectation: String {
        let choices = "a string, a number, true or false"
        return switch self {
        case .sizeNumber: "a size rule needs a number here; its default is used"
        case .sizeChoice:
            "a size rule or a content needs \(choices) here; its default is used"
        case .sizeText:
            "a size rule or a content needs a string or a number here; the text has no lines"
        case .typeChoice: "a placement's type needs \(choices) here; its default is used"
        case .image:
            "an image needs an address here that clients load: http, https or a relative one; use "
                + "\"box\" for other values"
        case .url:
            "the URL of an image needs a string or a number here that has at most "
                + "\(ImageURL.maxValueBytes) bytes once it is written, and gives a URL that is "
                + "relative or begins with http or https; the part has none"
        case .hugeNumber: Length.detailOfHugeNumber
        case .span: "a span needs a whole number from 1 or \"all\" here; its default is used"
        }
    }
}
