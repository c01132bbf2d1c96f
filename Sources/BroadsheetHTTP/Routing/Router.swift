/// A table of endpoints by method and path pattern.
///
/// A path is split at `/` first and then decoded, so that `%2F` stays within its segment. Of the
/// patterns that match, only the one that has a literal where the others have a parameter is used,
/// for any method. Paths are not normalised: `//`, `.` and a trailing `/` are segments like any
/// other.
package struct Router<Endpoint: Sendable>: Sendable {
    private struct Route: Sendable {
        let pattern: PathPattern
        var endpoints: [(method: HTTPMethod, endpoint: Endpoint)]
    }

    /// The routes in order of precedence, so that the first one that matches is used.
    private var routes: [Route] = []
    /// The number of segments of the longest pattern; longer paths match none.
    private var maxSegments = 0

    /// Creates a router without routes.
    package init() {}

    /// Adds the endpoint for `method` on the paths that match `pattern`.
    ///
    /// A parameter, `{name}`, matches any segment that is not empty. Of two endpoints for the same
    /// method and pattern the first is used.
    package mutating func add(_ method: HTTPMethod, _ pattern: String, _ endpoint: Endpoint) {
        let pattern = PathPattern(pattern)
        if let index = routes.firstIndex(where: { $0.pattern.hasSameShape(as: pattern) }) {
            routes[index].endpoints.append((method, endpoint))
            return
        }
        let index = routes.firstIndex { pattern.precedes($0.pattern) } ?? routes.endIndex
        routes.insert(Route(pattern: pattern, endpoints: [(method, endpoint)]), at: index)
        maxSegments = max(maxSegments, pattern.segments.count)
    }

    /// Returns the endpoint for a path that is not decoded, or the reason why there is none.
    ///
    /// - Complexity: O(path + routes × segments); of a path with more segments than any pattern
    ///   only as many are read.
    package func match(_ method: HTTPMethod, _ path: String) -> RouteMatch<Endpoint> {
        guard let segments = PathSegments(path, atMost: maxSegments) else { return .notFound }
        for route in routes where route.pattern.matches(segments) {
            return match(method, route, segments)
        }
        return .notFound
    }

    /// The methods of all routes, for the Allow of `OPTIONS *`; in alphabetical order.
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

    /// Returns the method's endpoint, or for HEAD the one of GET.
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

/// The result of routing a method and a path.
package enum RouteMatch<Endpoint: Sendable>: Sendable {
    /// The endpoint; for HEAD also GET's.
    case found(Endpoint, PathParameters)
    /// OPTIONS of a path that exists: the response is 204 with these methods in Allow.
    case options(allow: [HTTPMethod])
    /// 405: the path exists, for these methods and not this one.
    case methodNotAllowed(allow: [HTTPMethod])
    /// 404: no pattern matches the path.
    case notFound
    /// 400: a parameter of the path cannot be decoded; always
    /// ``HTTPError/invalidParameter(name:_:)``.
    case malformed(HTTPError)
}

extension RouteMatch: Equatable where Endpoint: Equatable {}

/// The parameters of a request's path, decoded.
package struct PathParameters: Sendable, Hashable {
    private var items: [Item] = []

    private struct Item: Hashable {
        let name: String
        let value: String
    }

    /// Creates an empty set of parameters.
    package init() {}

    /// The decoded value of a parameter; `nil` when the pattern has no parameter of that name.
    package subscript(_ name: String) -> String? { items.first { $0.name == name }?.value }

    mutating func append(_ name: String, _ value: String) {
        items.append(Item(name: name, value: value))
    }
}

/// A path with parameters, `/v1/screens/{screen}/pages/{page}`.
struct PathPattern: Sendable {
    enum Segment: Sendable {
        /// A literal, compared with the decoded segment.
        case literal(String)
        /// A parameter, which matches any segment that is not empty.
        case parameter(String)
    }

    let segments: [Segment]

    init(_ text: String) {
        segments = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .dropFirst()
            .map { Self.segment(String(decoding: $0, as: UTF8.self)) }
    }

    private static func segment(_ text: String) -> Segment {
        guard text.hasPrefix("{"), text.hasSuffix("}"), text.utf8.count > 2 else {
            return .literal(text)
        }
        return .parameter(String(text.dropFirst().dropLast()))
    }

    /// Returns whether both match the same paths, with any names of parameters.
    func hasSameShape(as other: Self) -> Bool {
        segments.count == other.segments.count
            && zip(segments, other.segments).allSatisfy { mine, theirs in
                switch (mine, theirs) {
                case (.literal(let mine), .literal(let theirs)): mine == theirs
                case (.parameter, .parameter): true
                default: false
                }
            }
    }

    /// Returns whether this pattern is used before the other one where both match: at the first
    /// segment where only one has a literal, this one has it.
    func precedes(_ other: Self) -> Bool {
        for (mine, theirs) in zip(segments, other.segments) {
            switch (mine, theirs) {
            case (.literal, .parameter): return true
            case (.parameter, .literal): return false
            default: continue
            }
        }
        return false
    }

    /// Returns whether a path matches this pattern, even if its parameters cannot be decoded.
    func matches(_ path: PathSegments) -> Bool {
        guard segments.count == path.segments.count else { return false }
        return zip(segments, path.segments).allSatisfy { segment, sent in
            switch (segment, sent) {
            case (.literal(let text), .success(let sent)): text == sent
            case (.literal, .failure): false
            case (.parameter, .success(let sent)): !sent.isEmpty
            case (.parameter, .failure): true
            }
        }
    }

    /// Returns the parameters of a path that matches.
    ///
    /// - Throws: ``HTTPError/invalidParameter(name:_:)`` naming the first that cannot be decoded.
    func parameters(in path: PathSegments) throws(HTTPError) -> PathParameters {
        var parameters = PathParameters()
        for (segment, sent) in zip(segments, path.segments) {
            guard case .parameter(let name) = segment else { continue }
            switch sent {
            case .success(let value): parameters.append(name, value)
            case .failure(let reason): throw .invalidParameter(name: name, reason)
            }
        }
        return parameters
    }
}

/// The segments of a request's path, each decoded separately.
struct PathSegments: Sendable {
    let segments: [Result<String, InvalidParameter>]

    /// Splits a path that starts with `/`; `nil` when it does not, or has more than `limit`
    /// segments, of which the rest is not read.
    init?(_ path: String, atMost limit: Int) {
        let pieces = Array(path.utf8).split(
            separator: UInt8(ascii: "/"), maxSplits: limit + 1, omittingEmptySubsequences: false)
        guard pieces[0].isEmpty, pieces.count >= 2, pieces.count - 1 <= limit else { return nil }
        segments = pieces.dropFirst().map { piece in
            Result { () throws(InvalidParameter) in try PercentDecoding.decode(piece) }
        }
    }
}
