import Broadsheet
import BroadsheetHTTP

/// The layout parameters that a query names, checked; nil stands for one that it leaves out.
struct LayoutQuery: Sendable, Hashable {
    /// The viewport's width in points.
    var width: Double?
    /// The viewport's height in points.
    var height: Double?
    /// Device pixels per point.
    var scale: Double?
    /// The reading direction.
    var direction: LayoutDirection?
    /// Whose coordinates frames are in.
    var coordinates: TreeOptions.Coordinates?
    /// Sections to collapse.
    var collapsed: IdentifierList?
    /// Whether items come with their data.
    var fields: TreeOptions.Fields?
    /// Whether frames are rounded to device pixels.
    var rounding: Rounding?
    /// Whether the tree is indented.
    var pretty: Bool?
    /// Whether diagnostics also say what a designer would want to know.
    var lint: Bool?

    /// A query that names none.
    init() {}

    /// Reads the parameters of `query`.
    ///
    /// Throws `INVALID_PARAMETER` naming the first whose value is not allowed, or that stands twice.
    init(_ query: Query, limits: ParameterLimits) throws(Problem) {
        guard !query.items.isEmpty else { return }
        let reader = ParameterReader(query)
        width = try reader.length(.width)
        height = try reader.length(.height)
        scale = try reader.scale()
        direction = try reader.choice(.direction)
        coordinates = try reader.choice(.coordinates)
        fields = try reader.choice(.fields)
        rounding = try reader.choice(.rounding)
        collapsed = try reader.identifiers(.collapsed, atMost: limits.maxCollapsedBytes)
        pretty = try reader.truth(.pretty)
        lint = try reader.truth(.lint)
    }

    /// `base` with everything that the query names.
    func applied(to base: LayoutParameters = LayoutParameters()) -> LayoutParameters {
        var result = base
        result.viewport.size.width = width ?? base.viewport.size.width
        result.viewport.size.height = height ?? base.viewport.size.height
        result.viewport.scale = scale ?? base.viewport.scale
        result.viewport.direction = direction ?? base.viewport.direction
        result.coordinates = coordinates ?? base.coordinates
        result.collapsed = collapsed ?? base.collapsed
        result.fields = fields ?? base.fields
        result.rounding = rounding ?? base.rounding
        result.pretty = pretty ?? base.pretty
        result.lint = lint ?? base.lint
        return result
    }

    /// The first parameter but `pretty` and `lint` that the query names with another value than
    /// `parameters` have; nil when it disagrees in none.
    func contradiction(to parameters: LayoutParameters) -> LayoutParameter? {
        let applied = applied(to: parameters)
        if applied.viewport.size.width != parameters.viewport.size.width { return .width }
        if applied.viewport.size.height != parameters.viewport.size.height { return .height }
        if applied.viewport.scale != parameters.viewport.scale { return .scale }
        if applied.viewport.direction != parameters.viewport.direction { return .direction }
        if applied.coordinates != parameters.coordinates { return .coordinates }
        if applied.collapsed != parameters.collapsed { return .collapsed }
        if applied.fields != parameters.fields { return .fields }
        if applied.rounding != parameters.rounding { return .rounding }
        return nil
    }
}
