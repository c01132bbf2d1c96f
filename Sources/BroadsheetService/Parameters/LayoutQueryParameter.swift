import Broadsheet

/// A query parameter of every layout (docs/api.md, "Parameters of every layout").
enum LayoutQueryParameter: String, Sendable, Hashable, CaseIterable {
    /// The width of the viewport, in points.
    case width
    /// The height of the viewport, in points.
    case height
    /// The number of device pixels per point.
    case scale
    /// The reading direction.
    case direction
    /// The reader's text size.
    case textScale
    /// The coordinate system of frames.
    case coordinates
    /// The sections to collapse in addition to those that are stored as collapsed.
    case collapsed
    /// The sections to expand although they are stored as collapsed.
    case expanded
    /// The members of elements.
    case fields
    /// The rounding of frames to device pixels.
    case rounding
    /// The indentation of the tree.
    case pretty
    /// The inclusion of lint in the diagnostics.
    case lint
    /// The app that asks.
    case client
    /// The features, experiments and capabilities of the request.
    case flags
    /// The name of the catalog.
    case catalog

    /// The maximum width and height, in points.
    static let maxLength = 100_000.0

    /// Returns a number if it is a valid width or height; otherwise `nil`.
    static func asLength(_ value: Double) -> Double? {
        value > 0 && value <= maxLength ? value : nil
    }

    /// The valid scales in words.
    static let scaleExpectation = "a number from 0.5 to 8"

    /// Returns a number if it is a valid scale; otherwise `nil`.
    static func asScale(_ value: Double) -> Double? {
        LayoutParameters.scales.contains(value) ? value : nil
    }

    /// The valid text scales in words.
    static let textScaleExpectation = "a number from 0.5 to 4"

    /// Returns a number if it is a valid text scale; otherwise `nil`.
    static func asTextScale(_ value: Double) -> Double? {
        LayoutParameters.textScales.contains(value) ? value : nil
    }
}

extension LayoutQueryParameter {
    /// The parameter as a component of the OpenAPI document.
    ///
    /// The default is in the description. Clients that send the `default` of a schema would
    /// override the viewport in a body, and contradict page tokens.
    var openAPI: OpenAPIParameter {
        OpenAPIParameter(
            rawValue, in: .query,
            fallback.map { "\(summary) Without a page token, \($0) by default." } ?? summary, schema
        )
    }

    private var summary: String {
        switch self {
        case .width: "The viewport's width in points."
        case .height: "The viewport's height in points."
        case .scale: "Device pixels per point."
        case .direction: "The reading direction."
        case .textScale:
            "The reader's text size: the factor of fonts that scale, whose texts determine sizes."
        case .coordinates: "The origin of frames: that of their parent, or of the content."
        case .collapsed:
            "Ids of sections to collapse besides those stored as collapsed. A single value is "
                + "split at commas; of several, none is."
        case .expanded:
            "Ids of sections to show with their items although they are stored as collapsed, in "
                + "the form of collapsed; none that collapsed has too."
        case .fields: "Items with or without data."
        case .rounding: "The rounding of frames to device pixels."
        case .pretty: "Indents the tree."
        case .lint: "Adds lint to the diagnostics."
        case .client:
            "The platform and the version of the app, such as ios/5.2.1. Without it and a page "
                + "token: the newest there could be."
        case .flags:
            "Names of features, experiments and capabilities, separated by commas; none if it is "
                + "empty."
        case .catalog:
            "The name of one of the daemon's catalogs. Without it and a page token: the one that "
                + "has no name."
        }
    }

    private var schema: OpenAPINode {
        switch self {
        case .width, .height: OpenAPISchemas.length
        case .scale: OpenAPISchemas.scale
        case .direction: .schema("LayoutDirection")
        case .textScale: OpenAPISchemas.textScale
        case .coordinates: .schema("Coordinates")
        case .collapsed, .expanded: ["type": "array", "items": OpenAPISchemas.string]
        case .fields: .schema("Fields")
        case .rounding: .schema("Rounding")
        case .pretty, .lint: OpenAPISchemas.bool
        case .client: OpenAPISchemas.client
        case .flags: OpenAPISchemas.flags
        case .catalog: .schema("ScreenName")
        }
    }

    /// The value of a request without the parameter; `nil` for lists and Boolean values.
    private var fallback: String? {
        let defaults = LayoutParameters()
        return switch self {
        case .width: "\(Int(defaults.viewport.size.width))"
        case .height: "\(Int(defaults.viewport.size.height))"
        case .scale: "\(Int(defaults.viewport.scale))"
        case .direction: defaults.viewport.direction.rawValue
        case .textScale: "\(Int(defaults.viewport.textScale))"
        case .coordinates: defaults.options.coordinates.rawValue
        case .fields: defaults.options.fields.rawValue
        case .rounding: defaults.rounding.rawValue
        case .collapsed, .expanded, .pretty, .lint, .client, .flags, .catalog: nil
        }
    }
}
