/// Finds the endpoint for a method and a path.
///
/// A path is split at `/` first and decoded then, so that `%2F` stays within its segment. Of the
/// patterns that fit, the one that has a literal where the others have a named part counts alone,
/// whatever the method. Nothing is normalised: `//`, `.` and a trailing `/` are segments like any.
package struct Router<Endpoint: Sendable>: Sendable {
    private struct Route: Sendable {
        let pattern: PathPattern
        var endpoints: [(method: HTTPMethod, endpoint: Endpoint)]
    }

    /// In order of precedence, so that the first route that fits is the one that counts.
    private var routes: [Route] = []
    /// Segments of the longest pattern: no longer path need be looked at.
    private var maxSegments = 0

    /// A router that finds nothing yet.
    package init() {}

    /// Serves `method` on the paths that `pattern` describes.
    ///
    /// A part in braces, `{name}`, stands for any one segment that is not empty. Of two endpoints
    /// for the same method and pattern the first counts.
    package mutating func add(_ method: HTTPMethod, _ pattern: String, _ endpoint: Endpoint) {
        let pattern = PathPattern(pattern)
        if let index = routes.firstIndex(where: { $0.pattern.hasSameShape(as: pattern) }) {
            routes[index].endpoints.append((method, endpoint))
            return
        }
        let place = routes.firstIndex { pattern.precedes($0.pattern) } ?? routes.endIndex
        routes.insert(Route(pattern: pattern, endpoints: [(method, endpoint)]), at: place)
        maxSegments = max(maxSegments, pattern.segments.count)
    }

    /// The endpoint for a path as it stands in a target, or why there is none.
    ///
    /// - Complexity: O(path + routes × segments); a path of more segments than any pattern is
    ///   dropped as soon as that shows.
    package func match(_ method: HTTPMethod, _ path: String) -> RouteMatch<Endpoint> {
        guard let segments = PathSegments(path, atMost: maxSegments) else { return .notFound }
        for route in routes where route.pattern.fits(segments) {
            return match(method, route, segments)
        }
        return .notFound
    }

    /// Every method that some path serves, for the Allow of `OPTIONS *`; in order of spelling.
    package var methods: [HTTPMethod] { Self.allowed(routes.flatMap { $0.endpoints }) }

    private func match(
        _ method: HTTPMethod, _ route: Route, _ segments: PathSegments
    ) -> RouteMatch<Endpoint> {
        let parameters: PathParameters
        do {
            parameters = try route.pattern.parameters(in: segments)
        } catch {
            return .malformed(error)
        }
        if let endpoint = Self.endpoint(for: method, in: route) {
            return .found(endpoint, parameters)
        }
        let allow = Self.allowed(route.endpoints)
        return method == .options ? .options(allow: allow) : .methodNotAllowed(allow: allow)
    }

    /// An endpoint of its own, or for HEAD the one of GET.
    private static func endpoint(for method: HTTPMethod, in route: Route) -> Endpoint? {
        if let own = route.endpoints.first(where: { $0.method == method }) { return own.endpoint }
        guard method == .head else { return nil }
        return route.endpoints.first { $0.method == .get }?.endpoint
    }

    private static func allowed(
        _ endpoints: [(method: HTTPMethod, endpoint: Endpoint)]
    ) -> [HTTPMethod] {
        var methods: Set<HTTPMethod> = [.options]
        for (method, _) in endpoints { methods.insert(method) }
        if methods.contains(.get) { methods.insert(.head) }
        return methods.sorted { $0.token < $1.token }
    }
}
