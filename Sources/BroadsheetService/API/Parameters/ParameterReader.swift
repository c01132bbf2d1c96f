import Broadsheet
import BroadsheetHTTP

/// Reads the parameters of a query, each by its rule.
///
/// Its methods return `nil` for a parameter that the query omits, and throw `INVALID_PARAMETER`
/// with its name for an invalid one.
struct ParameterReader: Sendable {
    private let query: Query

    init(_ query: Query) { self.query = query }

    /// `others` are the other lists of a page token; `maxBytes` is the limit of all together.
    func flags(
        _ name: String, beside others: [IdentifierList], atMost maxBytes: Int
    ) throws(Problem) -> IdentifierList? {
        guard let flags = try read(name, ClientFlags.form, ClientFlags.list) else { return nil }
        let count = others.reduce(flags.byteCount) { $0 + $1.byteCount }
        guard count <= maxBytes else {
            throw .invalidParameter(
                name,
                "must have at most \(maxBytes) bytes together with collapsed and expanded, commas "
                    + "included")
        }
        return flags
    }

    func truth(_ name: String) throws(Problem) -> Bool? {
        try read(name, "true or false") { Bool($0) }
    }

    /// Reads whether a write does everything but store; `false` without the parameter.
    func validateOnly() throws(Problem) -> Bool {
        try truth(OpenAPIParameter.validateOnly.name) ?? false
    }

    /// Reads whether pages are judged strictly; `nil` without the parameter.
    func strict() throws(Problem) -> Bool? {
        try truth(OpenAPIParameter.strict.name)
    }

    /// Reads a list of identifiers, skipping empty elements.
    ///
    /// - Parameters:
    ///   - first: The list `collapsed`, with which the list has no identifier in common.
    ///   - maxBytes: The maximum size of both lists together.
    func identifiers(
        _ name: String, beside first: IdentifierList? = nil, atMost maxBytes: Int
    ) throws(Problem) -> IdentifierList? {
        guard let texts = try Problem.mapping({ () throws(HTTPError) in try query.list(name) })
        else { return nil }
        let list = IdentifierList(texts.filter { !$0.isEmpty })
        guard list.byteCount <= maxBytes - (first?.byteCount ?? 0) else {
            let together = first == nil ? "" : ", together with collapsed"
            throw .invalidParameter(
                name, "must name ids of at most \(maxBytes) bytes, commas included\(together)")
        }
        if let first, let text = list.firstCommon(with: first) {
            throw .invalidParameter(name, "cannot name '\(text)', which collapsed names too")
        }
        return list
    }

    func integer(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        return try read(name, expected) { text in
            WholeNumber(text).map(\.value).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// Reads a rectangle as `x,y,width,height`; any of the four may be negative.
    func rectangle(_ name: String) throws(Problem) -> Frame? {
        let expected = "x,y,width,height: four numbers from -1e9 to 1e9"
        return try read(name, expected) { text in
            let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
                .compactMap { DecimalNumber(String($0))?.value }
                .filter { $0.magnitude <= Self.maxCoordinate }
            // Invalid parts were removed, so four numbers and three commas mean that all parts are
            // valid.
            guard numbers.count == 4, text.utf8.count(where: { $0 == UInt8(ascii: ",") }) == 3
            else { return nil }
            return Frame(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
        }
    }

    /// The maximum magnitude of a rectangle's coordinates and lengths, in points.
    private static let maxCoordinate = 1e9

    func text(_ name: String) throws(Problem) -> String? {
        try Problem.mapping { () throws(HTTPError) in try query.value(name) }
    }

    /// `expected` describes the valid values, for the problem's detail.
    func read<Value>(
        _ name: String, _ expected: String, _ convert: (String) -> Value?
    ) throws(Problem) -> Value? {
        guard let text = try text(name) else { return nil }
        guard let value = convert(text) else {
            throw .invalidParameter(name, "must be \(expected)")
        }
        return value
    }
}

/// The limits of query parameters.
package struct ParameterLimits: Sendable, Hashable {
    /// The maximum size of `collapsed` and `expanded` together: the bytes of their ids and of the
    /// commas between them.
    ///
    /// The ids are part of page tokens, each with its length and in base 64, and a token must fit
    /// into a request target.
    package var maxSectionIdBytes = 4096
    /// The maximum size of `collapsed`, `expanded` and `flags` together, for the same reason.
    package var maxListBytes = 5120
    /// The maximum size of all three lists of a window.
    ///
    /// Its entity tag is in a request target besides its page token.
    package var maxWindowListBytes = 2048
    /// The default number of screens in a response of the list.
    package var defaultPageSize = 100
    /// The maximum number of screens in a response of the list.
    package var maxPageSize = 1000
    /// The maximum number of viewports in the body of a composition.
    static let maxViewports = 16

    package init() {}

    var ofWindows: ParameterLimits {
        var limits = self
        limits.maxSectionIdBytes = min(maxSectionIdBytes, maxWindowListBytes)
        limits.maxListBytes = min(maxListBytes, maxWindowListBytes)
        return limits
    }
}

/// A number in a query, in the syntax of JSON: without plus sign, hexadecimal digits and `nan`.
struct DecimalNumber: Sendable, Hashable {
    /// The value; infinite if it exceeds the range of `Double`.
    let value: Double

    init?(_ text: String) {
        var rest = Substring(text).utf8
        _ = rest.skip { $0 == UInt8(ascii: "-") }
        let whole = rest.skipDigits()
        guard !whole.isEmpty, whole.count == 1 || whole.first != UInt8(ascii: "0") else {
            return nil
        }
        if rest.skip({ $0 == UInt8(ascii: ".") }) {
            guard !rest.skipDigits().isEmpty else { return nil }
        }
        if rest.skip({ $0 | 0x20 == UInt8(ascii: "e") }) {
            _ = rest.skip { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
            guard !rest.skipDigits().isEmpty else { return nil }
        }
        guard rest.isEmpty, let value = Double(text) else { return nil }
        self.value = value
    }
}

/// An integer in a path, a query or a header: decimal digits without sign and leading zeros, so
/// that every number has one spelling.
struct WholeNumber: Sendable, Hashable {
    let value: Int

    init?(_ text: String) {
        var rest = Substring(text).utf8
        let digits = rest.skipDigits()
        guard rest.isEmpty, digits.count == 1 || digits.first != UInt8(ascii: "0"),
            let value = Int(text)
        else { return nil }
        self.value = value
    }
}

extension Substring.UTF8View {
    fileprivate mutating func skip(_ condition: (UInt8) -> Bool) -> Bool {
        guard let byte = first, condition(byte) else { return false }
        removeFirst()
        return true
    }

    fileprivate mutating func skipDigits() -> Substring.UTF8View {
        let digits = prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        self = self[digits.endIndex...]
        return digits
    }
}
