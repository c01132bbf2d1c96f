import Broadsheet
import BroadsheetHTTP

extension LayoutParameters {
    /// The layout parameters that a request sets; `nil` for each parameter that it omits.
    struct Partial: Sendable, Hashable {
        /// The width of the viewport, in points.
        var width: Double?
        /// The height of the viewport, in points.
        var height: Double?
        /// The number of device pixels per point.
        var scale: Double?
        /// The reading direction.
        var direction: LayoutDirection?
        /// The reader's text size.
        var textScale: Double?
        /// The coordinate system of frames.
        var coordinates: TreeOptions.Coordinates?
        /// The sections to collapse.
        var collapsed: IdentifierList?
        /// The sections to expand.
        var expanded: IdentifierList?
        /// The members of elements.
        var fields: TreeOptions.Fields?
        /// The rounding of frames to device pixels.
        var rounding: Rounding?
        /// The indentation of the tree.
        var pretty: Bool?
        /// The inclusion of lint in the diagnostics.
        var lint: Bool?
        /// The app that asks.
        var client: Client?
        /// The flags of the request.
        var flags: IdentifierList?

        /// Creates parameters that set nothing.
        init() {}

        /// Reads the parameters of a query.
        ///
        /// - Throws: `INVALID_PARAMETER` for the first one that is invalid, or repeated where it
        ///   may not be.
        init(_ query: Query, limits: ParameterLimits) throws(Problem) {
            guard !query.items.isEmpty else { return }
            let reader = ParameterReader(query)
            width = try reader.length(.width)
            height = try reader.length(.height)
            scale = try reader.scale()
            direction = try reader.choice(.direction)
            textScale = try reader.textScale()
            coordinates = try reader.choice(.coordinates)
            fields = try reader.choice(.fields)
            rounding = try reader.choice(.rounding)
            (collapsed, expanded) = try reader.sections(atMost: limits.maxSectionIdBytes)
            pretty = try reader.truth(.pretty)
            lint = try reader.truth(.lint)
            client = try reader.client()
            flags = try reader.flags(beside: [collapsed, expanded], atMost: limits.maxListBytes)
        }

        /// Returns `base` with every parameter that is set.
        func applied(to base: LayoutParameters = LayoutParameters()) -> LayoutParameters {
            var result = base
            if let width { result.viewport.size.width = width }
            if let height { result.viewport.size.height = height }
            if let scale { result.viewport.scale = scale }
            if let direction { result.viewport.direction = direction }
            if let textScale { result.viewport.textScale = textScale }
            if let coordinates { result.options.coordinates = coordinates }
            if let collapsed { result.collapsed = collapsed }
            if let expanded { result.expanded = expanded }
            if let fields { result.options.fields = fields }
            if let rounding { result.rounding = rounding }
            if let pretty { result.options.pretty = pretty }
            if let lint { result.lint = lint }
            if let client { result.client = client }
            if let flags { result.flags = flags }
            return result
        }

        /// Returns the first parameter that contradicts those of a page token, or `nil`.
        ///
        /// A page token is not bound to `pretty` and `lint`, so these contradict nothing.
        func contradiction(to token: LayoutParameters) -> LayoutQueryParameter? {
            let applied = applied(to: token)
            if applied.viewport.size.width != token.viewport.size.width { return .width }
            if applied.viewport.size.height != token.viewport.size.height { return .height }
            if applied.viewport.scale != token.viewport.scale { return .scale }
            if applied.viewport.direction != token.viewport.direction { return .direction }
            if applied.viewport.textScale != token.viewport.textScale { return .textScale }
            if applied.options.coordinates != token.options.coordinates { return .coordinates }
            if applied.collapsed != token.collapsed { return .collapsed }
            if applied.expanded != token.expanded { return .expanded }
            if applied.options.fields != token.options.fields { return .fields }
            if applied.rounding != token.rounding { return .rounding }
            if applied.client != token.client { return .client }
            if applied.flags != token.flags { return .flags }
            return nil
        }
    }
}
