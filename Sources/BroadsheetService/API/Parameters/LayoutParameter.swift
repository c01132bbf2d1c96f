import Broadsheet
import BroadsheetHTTP

/// A parameter of every layout (docs/api.md, "Parameters of every layout").
///
/// The query, the viewports in bodies, contradictions to page tokens and the OpenAPI document
/// derive from ``all``.
struct LayoutParameter: Sendable {
    /// A function that reads a parameter of a query; `nil` for one that the query omits.
    typealias Reader<Value> = @Sendable (ParameterReader, String) throws(Problem) -> Value?

    /// The parameter as a member of a viewport in a body.
    struct ViewportMember: Sendable {
        /// A description of the valid values.
        let expected: String
        /// The schema, of values that may be null.
        let schema: OpenAPINode
        /// Takes the value; returns `false` if it is invalid.
        let take: @Sendable (JSONValue, inout LayoutParameters) -> Bool
    }

    /// The name in a query, and in a viewport.
    let name: String
    let viewportMember: ViewportMember?
    /// A Boolean value that indicates whether page tokens are bound to the value.
    let isBound: Bool
    private let summary: String
    private let schema: OpenAPINode
    /// The value of a request without the parameter; `nil` for lists and Boolean values.
    private let fallback: String?
    private let read:
        @Sendable (ParameterReader, String, ParameterLimits, inout LayoutParameters)
            throws(Problem) -> Bool
    private let copy: @Sendable (LayoutParameters, inout LayoutParameters) -> Void
    private let areEqual: @Sendable (LayoutParameters, LayoutParameters) -> Bool

    private init<Value: Equatable & Sendable>(
        _ name: String, _ summary: String, _ schema: OpenAPINode,
        _ property: any WritableKeyPath<LayoutParameters, Value> & Sendable,
        fallback: String? = nil, isBound: Bool = true, viewportMember: ViewportMember? = nil,
        _ read:
            @escaping @Sendable (
                ParameterReader, String, ParameterLimits, LayoutParameters
            ) throws(Problem) -> Value?
    ) {
        self.name = name
        self.summary = summary
        self.schema = schema
        self.fallback = fallback
        self.isBound = isBound
        self.viewportMember = viewportMember
        self.read = { reader, name, limits, parameters throws(Problem) in
            guard let value = try read(reader, name, limits, parameters) else { return false }
            parameters[keyPath: property] = value
            return true
        }
        copy = { $1[keyPath: property] = $0[keyPath: property] }
        areEqual = { $0[keyPath: property] == $1[keyPath: property] }
    }

    /// Returns whether the query has the parameter.
    func read(
        _ reader: ParameterReader, limits: ParameterLimits, into parameters: inout LayoutParameters
    ) throws(Problem) -> Bool {
        try read(reader, name, limits, &parameters)
    }

    func copy(from source: LayoutParameters, to target: inout LayoutParameters) {
        copy(source, &target)
    }

    func isSame(in one: LayoutParameters, and other: LayoutParameters) -> Bool {
        areEqual(one, other)
    }

    /// The parameter as a component of the OpenAPI document.
    ///
    /// The default is in the description. Clients that send the `default` of a schema would
    /// override the viewport in a body, and contradict page tokens.
    var openAPI: OpenAPIParameter {
        OpenAPIParameter(
            name, in: .query,
            fallback.map { "\(summary) Without a page token, \($0) by default." } ?? summary, schema
        )
    }
}

// MARK: - Forms

extension LayoutParameter {
    private static func number(
        _ name: String, _ summary: String, _ schema: OpenAPINode,
        _ property: any WritableKeyPath<LayoutParameters, Double> & Sendable,
        _ expected: String, isValid: @escaping @Sendable (Double) -> Bool
    ) -> Self {
        Self(
            name, summary, schema, property,
            fallback: "\(Int(LayoutParameters()[keyPath: property]))",
            viewportMember: ViewportMember(expected: expected, schema: schema) {
                value, parameters in
                guard let number = value.double, isValid(number) else { return false }
                parameters[keyPath: property] = number
                return true
            }
        ) { reader, name, _, _ throws(Problem) in
            try reader.read(name, expected) { text in
                DecimalNumber(text).map(\.value).flatMap { isValid($0) ? $0 : nil }
            }
        }
    }

    private static func choice<Choice>(
        _ name: String, _ summary: String, _ schema: String,
        _ property: any WritableKeyPath<LayoutParameters, Choice> & Sendable,
        besides others: [Choice] = [], viewportMember: ViewportMember? = nil
    ) -> Self
    where Choice: CaseIterable & RawRepresentable<String> & Equatable & Sendable {
        let words = (Array(Choice.allCases) + others).map(\.rawValue).joined(separator: ", ")
        return Self(
            name, summary, .schema(schema), property,
            fallback: LayoutParameters()[keyPath: property].rawValue, viewportMember: viewportMember
        ) { reader, name, _, _ throws(Problem) in
            try reader.read(name, "one of \(words)") { Choice(rawValue: $0) }
        }
    }

    /// Returns a parameter that is true or false and that page tokens are not bound to.
    private static func truth(
        _ name: String, _ summary: String,
        _ property: any WritableKeyPath<LayoutParameters, Bool> & Sendable
    ) -> Self {
        Self(name, summary, OpenAPISchemas.bool, property, isBound: false) {
            reader, name, _, _ throws(Problem) in try reader.truth(name)
        }
    }

    private static func sections(
        _ name: String, _ summary: String,
        _ property: any WritableKeyPath<LayoutParameters, IdentifierList> & Sendable,
        _ read:
            @escaping @Sendable (
                ParameterReader, String, ParameterLimits, LayoutParameters
            ) throws(Problem) -> IdentifierList?
    ) -> Self {
        Self(
            name, summary, ["type": "array", "items": OpenAPISchemas.string], property, read)
    }
}

// MARK: - All parameters

extension LayoutParameter {
    /// All parameters, in the order of the OpenAPI document.
    static let all: [LayoutParameter] = [
        .number(
            "width", "The viewport's width in points.", lengthSchema,
            \.viewport.size.width, lengthExpectation, isValid: isLength),
        .number(
            "height", "The viewport's height in points.", lengthSchema,
            \.viewport.size.height, lengthExpectation, isValid: isLength),
        .number(
            "scale", "Device pixels per point.", OpenAPISchemas.number(in: LayoutParameters.scales),
            \.viewport.scale,
            "a number from 0.5 to 8", isValid: LayoutParameters.scales.contains),
        .choice(
            "direction", "The reading direction.", "LayoutDirection", \.viewport.direction,
            viewportMember: ViewportMember(
                expected: "ltr or rtl", schema: .schema("ViewportDirection")
            ) { value, parameters in
                guard let direction = value.string.flatMap(LayoutDirection.init(rawValue:))
                else { return false }
                parameters.viewport.direction = direction
                return true
            }),
        .number(
            "textScale",
            "The reader's text size: the factor of fonts that scale, whose texts determine sizes.",
            OpenAPISchemas.number(in: LayoutParameters.textScales), \.viewport.textScale,
            "a number from 0.5 to 4",
            isValid: LayoutParameters.textScales.contains),
        safeArea,
        .choice(
            "coordinates",
            "The origin of frames: that of their parent, of the content, or of a window's anchor, "
                + "which is the default of windows.",
            "Coordinates", \.options.coordinates, besides: [.window]),
        .sections(
            "collapsed",
            "Ids of sections to collapse besides those stored as collapsed. A single value is "
                + "split at commas; of several, none is.", \.collapsed
        ) { reader, name, limits, _ throws(Problem) in
            try reader.identifiers(name, atMost: limits.maxSectionIdBytes)
        },
        .sections(
            "expanded",
            "Ids of sections to show with their items although they are stored as collapsed, in "
                + "the form of collapsed; none that collapsed has too.", \.expanded
        ) { reader, name, limits, parameters throws(Problem) in
            try reader.identifiers(
                name, beside: parameters.collapsed, atMost: limits.maxSectionIdBytes)
        },
        .choice("fields", "Items with or without data.", "Fields", \.options.fields),
        .choice("rounding", "The rounding of frames to device pixels.", "Rounding", \.rounding),
        .truth("pretty", "Indents the tree.", \.options.pretty),
        .truth("lint", "Adds lint to the diagnostics.", \.lint),
        client, flags,
    ]

    private static let safeArea = LayoutParameter(
        "safeArea",
        "The parts at the sides that the device covers: top,left,bottom,right in points. With it, "
            + "the viewport is the whole screen.", .schema("SafeArea"), \.viewport.safeArea,
        viewportMember: ViewportMember(
            expected: "a number from 0 to 100000, or an object of such numbers: top, left, bottom "
                + "and right", schema: .schema("ViewportSafeArea")
        ) { value, parameters in
            guard let sides = Insets(safeArea: value) else { return false }
            parameters.viewport.safeArea = sides
            return true
        }
    ) { reader, name, _, _ throws(Problem) in
        try reader.read(name, Insets.safeAreaForm) { Insets(safeArea: $0) }.map { .some($0) }
    }

    static let client = LayoutParameter(
        "client",
        "The platform and the version of the app, such as ios/5.2.1. Without it and a page token: "
            + "the newest there could be.", clientSchema, \.client
    ) { reader, name, _, _ throws(Problem) in
        try reader.read(name, Client.form) { Client($0) }.map { .some($0) }
    }

    static let flags = LayoutParameter(
        "flags",
        "Names of features, experiments and capabilities, separated by commas; none if it is "
            + "empty.", flagsSchema, \.flags
    ) { reader, name, limits, parameters throws(Problem) in
        try reader.flags(
            name, beside: [parameters.collapsed, parameters.expanded], atMost: limits.maxListBytes)
    }

    private static let lengthSchema: OpenAPINode = [
        "type": "number", "exclusiveMinimum": 0, "maximum": .number(maxLength),
    ]
    private static let clientSchema: OpenAPINode = [
        "type": "string", "pattern": #"^[a-z0-9-]{1,32}/[0-9]{1,15}(\.[0-9]{1,15}){0,3}$"#,
    ]
    /// A string, because not every generator can separate the elements of an array by commas.
    private static let flagsSchema: OpenAPINode = [
        "type": "string", "pattern": "^([A-Za-z0-9._-]{1,64}(,[A-Za-z0-9._-]{1,64})*)?$",
    ]

    /// The maximum width and height, in points.
    static let maxLength = 100_000.0

    private static let lengthExpectation = "a number above 0 and at most 100000"

    @Sendable static func isLength(_ value: Double) -> Bool { value > 0 && value <= maxLength }
}

/// The choice of a catalog in a query, which is read before the other parameters.
enum CatalogParameter {
    static let name = "catalog"

    static let openAPI = OpenAPIParameter(
        name, in: .query,
        "The name of one of the daemon's catalogs. Without it and a page token: the one that has "
            + "no name.", .schema("ScreenName"))
}
