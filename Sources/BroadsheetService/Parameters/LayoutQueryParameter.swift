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
}

extension LayoutQueryParameter {
    /// The parameter as a component of the OpenAPI document.
    var openAPI: OpenAPIParameter {
        let defaults = LayoutParameters()
        switch self {
        case .width:
            return query(
                "The viewport's width in points.", Self.length(defaults.viewport.size.width))
        case .height:
            return query(
                "The viewport's height in points.", Self.length(defaults.viewport.size.height))
        case .scale:
            return query(
                "Device pixels per point.",
                OpenAPISchemas.scale.merging(["default": .number(defaults.viewport.scale)]))
        case .direction:
            return query("The reading direction.", Self.choice(defaults.viewport.direction))
        case .coordinates:
            return query(
                "The origin of frames: that of their parent, or of the content.",
                Self.choice(defaults.options.coordinates))
        case .collapsed:
            return query(
                "Ids of sections to collapse besides those stored as collapsed. A single value is "
                    + "split at commas; of several, none is.",
                Self.identifiers)
        case .expanded:
            return query(
                "Ids of sections to show with their items although they are stored as collapsed, "
                    + "in the form of collapsed; none that collapsed has too.",
                Self.identifiers)
        case .fields:
            return query("Items with or without data.", Self.choice(defaults.options.fields))
        case .rounding:
            return query(
                "The rounding of frames to device pixels.", Self.choice(defaults.rounding))
        case .pretty: return query("Indents the tree.", Self.toggle)
        case .lint: return query("Adds lint to the diagnostics.", Self.toggle)
        }
    }

    private func query(_ description: String, _ schema: OpenAPINode) -> OpenAPIParameter {
        OpenAPIParameter(rawValue, in: .query, description, schema)
    }

    private static let identifiers: OpenAPINode = ["type": "array", "items": ["type": "string"]]

    private static let toggle: OpenAPINode = ["type": "boolean", "default": false]

    private static func length(_ fallback: Double) -> OpenAPINode {
        [
            "type": "number", "exclusiveMinimum": 0, "maximum": .number(maxLength),
            "default": .number(fallback),
        ]
    }

    private static func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ fallback: Choice
    ) -> OpenAPINode {
        OpenAPISchemas.choice(Choice.self).merging(["default": .string(fallback.rawValue)])
    }
}
