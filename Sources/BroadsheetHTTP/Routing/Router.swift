/// A table of endpoints, which numbers identify, by method and path pattern.
///
/// A path is split at `/` first and then decoded, so that `%2F` stays within its segment. Of the
/// patterns that match, only the one that has a literal where the others have a parameter is used,
/// for any method. Paths are not normalised: `//`, `.` and a trailing `/` are segments like any
/// other.
package struct Router: Sendable {
    private struct Route: Sendable {
        let pattern: PathPattern
        var endpoints: [(method: HTTPMethod, endpoint: Int)]
    }

    /// The routes in order of precedence, so that the first one that matches is used, by the number
    /// of segments of their patterns.
    private var routes: [[Route]] = []
    /// The positions in ``routes`` of those without parameters, by their paths: no other pattern
    /// precedes them.
    private var literals: [String: (segments: Int, index: Int)] = [:]

    package init() {}

    /// Adds the endpoint for `method` on the paths that match `pattern`.
    ///
    /// A parameter, `{name}`, matches any segment that is not empty. Of two endpoints for the same
    /// method and pattern the first is used.
    package mutating func add(_ method: HTTPMethod, _ pattern: String, endpoint: Int) {
        let pattern = PathPattern(pattern)
        let count = pattern.segments.count
        while routes.count <= count { routes.append([]) }
        if let index = routes[count].firstIndex(where: { $0.pattern.hasSameShape(as: pattern) }) {
            routes[count][index].endpoints.append((method, endpoint))
        } else {
            let index = routes[count].firstIndex { pattern.precedes($0.pattern) }
            routes[count].insert(
                Route(pattern: pattern, endpoints: [(method, endpoint)]),
                at: index ?? routes[count].endIndex)
        }
        for (index, route) in routes[count].enumerated() {
            if let path = route.pattern.literalPath { literals[path] = (count, index) }
        }
    }

    /// Returns the endpoint for a path that is not decoded, or the reason why there is none.
    ///
    /// - Complexity: O(path + routes × segments); of a path with more segments than any pattern
    ///   only as many are read.
    package func match(_ method: HTTPMethod, _ path: String) -> RouteMatch {
        if let (segments, index) = literals[path] {
            return match(method, with: routes[segments][index], parameters: PathParameters())
        }
        guard let path = PathSegments(path, atMost: routes.count - 1) else { return .notFound }
        for route in routes[path.segments.count] where route.pattern.matches(path) {
            do {
                return match(
                    method, with: route, parameters: try route.pattern.parameters(in: path))
            } catch {
                return .malformed(error)
            }
        }
        return .notFound
    }

    /// The methods of all routes, for the Allow of `OPTIONS *`; in alphabetical order.
    package var methods: [HTTPMethod] { Self.allowed(routes.joined().flatMap(\.endpoints)) }

    private func match(
        _ method: HTTPMethod, with route: Route, parameters: PathParameters
    ) -> RouteMatch {
        if let endpoint = Self.endpoint(for: method, in: route) {
            return .found(endpoint, parameters)
        }
        let allow = Self.allowed(route.endpoints)
        return method == .options ? .options(allow: allow) : .methodNotAllowed(allow: allow)
    }

    /// Returns the method's endpoint, or for HEAD the one of GET.
    private static func endpoint(for method: HTTPMethod, in route: Route) -> Int? {
        if let own = route.endpoints.first(where: { $0.method == method }) { return own.endpoint }
        guard method == .head else { return nil }
        return route.endpoints.first { $0.method == .get }?.endpoint
    }

    private static func allowed(
        _ endpoints: [(method: HTTPMethod, endpoint: Int)]
    ) -> [HTTPMethod] {
        var methods: Set<HTTPMethod> = [.options]
        for (method, _) in endpoints { methods.insert(method) }
        if methods.contains(.get) { methods.insert(.head) }
        return methods.sorted { $0.token < $1.token }
    }
}

/// The result of routing a method and a path.
package enum RouteMatch: Sendable, Equatable {
    /// The endpoint; for HEAD also GET's.
    case found(Int, PathParameters)
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

/// The parameters of a request's path, decoded.
package struct PathParameters: Sendable, Hashable {
    private var items: [Item] = []

    private struct Item: Hashable {
        let name: String
        let value: String
    }

    package init() {}

    /// The decoded value of a parameter; `nil` when the pattern has no parameter of that name.
    package subscript(_ name: String) -> String? { items.first { $0.name == name }?.value }

    package mutating func append(_ name: String, _ value: String) {
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
    /// The path of a pattern without parameters, whose segments contain no escapes; otherwise
    /// `nil`.
    let literalPath: String?

    init(_ text: String) {
        segments = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .dropFirst()
            .map { Self.segment(String(decoding: $0, as: UTF8.self)) }
        let hasParameters = segments.contains { if case .parameter = $0 { true } else { false } }
        literalPath = hasParameters ? nil : text
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

    /// Returns whether a path of as many segments matches this pattern, even if its parameters
    /// cannot be decoded.
    func matches(_ path: PathSegments) -> Bool {
        for index in segments.indices {
            let isMatch =
                switch (segments[index], path.segments[index]) {
                case (.literal(let text), .success(let sent)): text == sent
                case (.literal, .failure): false
                case (.parameter, .success(let sent)): !sent.isEmpty
                case (.parameter, .failure): true
                }
            guard isMatch else { return false }
        }
        return true
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
        let utf8 = path.utf8
        guard utf8.first == UInt8(ascii: "/") else { return nil }
        var segments: [Result<String, InvalidParameter>] = []
        var start = utf8.index(after: utf8.startIndex)
        while true {
            guard segments.count < limit else { return nil }
            let end = utf8[start...].firstIndex(of: UInt8(ascii: "/")) ?? utf8.endIndex
            let piece = utf8[start..<end]
            segments.append(
                Result { () throws(InvalidParameter) in try PercentDecoding.decode(piece) })
            guard end != utf8.endIndex else { break }
            start = utf8.index(after: end)
        }
        self.segments = segments
    }
}
