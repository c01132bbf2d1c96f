import BroadsheetHTTP

/// Reads the parameters of a query, each by its rule; throws `INVALID_PARAMETER` naming the one
/// whose value is not allowed.
///
/// Parameters that nobody asks for are never looked at.
struct ParameterReader: Sendable {
    private let query: Query

    /// Reads from `query`.
    init(_ query: Query) { self.query = query }

    /// A viewport's length: above 0, at most 100,000 points.
    func length(_ parameter: LayoutParameter) throws(Problem) -> Double? {
        try read(parameter.rawValue, "a number above 0 and at most 100000") { text in
            DecimalNumber(text).map(\.value).flatMap(Self.asLength)
        }
    }

    /// A device's scale.
    func scale() throws(Problem) -> Double? {
        try read(LayoutParameter.scale.rawValue, "one of 1, 1.5, 2, 3, 4") { text in
            DecimalNumber(text).map(\.value).flatMap(Self.asScale)
        }
    }

    /// One of a few words.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ parameter: LayoutParameter
    ) throws(Problem) -> Choice? {
        let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        return try read(parameter.rawValue, "one of \(words)") { Choice(rawValue: $0) }
    }

    /// `true` or `false`.
    func truth(_ parameter: LayoutParameter) throws(Problem) -> Bool? {
        try read(parameter.rawValue, "true or false") { Bool($0) }
    }

    /// A list parted by commas; empty elements are passed over.
    func identifiers(
        _ parameter: LayoutParameter, atMost maxBytes: Int
    ) throws(Problem) -> IdentifierList? {
        let name = parameter.rawValue
        guard let texts = try Problem.mapping({ () throws(HTTPError) in try query.list(name) })
        else { return nil }
        let list = IdentifierList(texts.filter { !$0.isEmpty })
        guard list.byteCount <= maxBytes else {
            throw .invalidParameter(
                name, "must name ids of at most \(maxBytes) bytes, commas included")
        }
        return list
    }

    /// A whole number within a range.
    func integer(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        return try read(name, expected) { text in
            WholeNumber(text).map(\.value).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// A text as it is; nil when it is not there.
    func text(_ name: String) throws(Problem) -> String? {
        try Problem.mapping { () throws(HTTPError) in try query.value(name) }
    }

    /// A text that `convert` understands; `expected` says what those are.
    func read<Value>(
        _ name: String, _ expected: String, _ convert: (String) -> Value?
    ) throws(Problem) -> Value? {
        guard let text = try text(name) else { return nil }
        guard let value = convert(text) else {
            throw .invalidParameter(name, "must be \(expected)")
        }
        return value
    }

    /// `value` if it can be a viewport's length.
    static func asLength(_ value: Double) -> Double? {
        value > 0 && value <= LayoutParameter.maxLength ? value : nil
    }

    /// `value` if it is a device's scale.
    static func asScale(_ value: Double) -> Double? {
        LayoutParameter.scales.contains(value) ? value : nil
    }
}
