/// What a router makes of a method and a path.
package enum RouteMatch<Endpoint: Sendable>: Sendable {
    /// An endpoint serves it. HEAD finds GET's.
    case found(Endpoint, PathParameters)
    /// OPTIONS of a path that exists: answer 204 with these methods in Allow.
    case options(allow: [HTTPMethod])
    /// 405: the path exists, with these methods and not this one.
    case methodNotAllowed(allow: [HTTPMethod])
    /// 404: no pattern has that path.
    case notFound
    /// 400: a part of the path cannot be decoded; always ``HTTPError/invalidParameter(name:_:)``.
    case malformed(HTTPError)
}

extension RouteMatch: Equatable where Endpoint: Equatable {}
