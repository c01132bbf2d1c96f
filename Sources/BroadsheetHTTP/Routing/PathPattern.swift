/// A path with named parts, `/v1/screens/{screen}/pages/{page}`.
struct PathPattern: Sendable {
    enum Segment: Sendable {
        /// Stands for itself, after decoding.
        case literal(String)
        /// Stands for any one segment that is not empty.
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

    /// Whether both describe the same paths, whatever they call the parts.
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

    /// Whether this pattern counts before the other where both fit: at the first place where only
    /// one has a literal, this one has it.
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

    /// Whether a path is one that this pattern describes, parts that cannot be decoded included.
    func fits(_ path: PathSegments) -> Bool {
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

    /// What the named parts stand for in a path that fits.
    ///
    /// - Throws: ``HTTPError/invalidParameter(name:_:)`` naming the first that cannot be decoded.
    func parameters(in path: PathSegments) throws(HTTPError) -> PathParameters {
        var parameters = PathParameters()
        for (segment, sent) in zip(segments, path.segments) {
            guard case .parameter(let name) = segment else { continue }
            switch sent {
            case .success(let value): parameters.append(name, value)
            case .failure(let fault): throw .invalidParameter(name: name, fault)
            }
        }
        return parameters
    }
}
