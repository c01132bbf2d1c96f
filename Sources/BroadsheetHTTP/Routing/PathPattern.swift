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
