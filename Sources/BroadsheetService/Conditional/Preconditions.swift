import BroadsheetHTTP

/// The conditions that a request sets by If-Match and If-None-Match (RFC 9110 §13).
struct Preconditions: Sendable, Hashable {
    /// The condition that must match.
    let ifMatch: EntityTagCondition?
    /// The condition that must not match.
    let ifNoneMatch: EntityTagCondition?

    /// Reads the conditions of a request.
    ///
    /// - Throws: `INVALID_PARAMETER` with the name of a malformed header.
    init(_ headers: HTTPHeaders) throws(Problem) {
        (ifMatch, ifNoneMatch) = try Problem.mapping { () throws(HTTPError) in
            (
                try EntityTagCondition(.ifMatch, in: headers),
                try EntityTagCondition(.ifNoneMatch, in: headers)
            )
        }
    }

    /// Returns whether the response to GET or HEAD is 304, in the order of RFC 9110 §13.2.2.
    ///
    /// - Parameter current: The tag of the current representation.
    /// - Throws: `PRECONDITION_FAILED` if If-Match does not hold.
    func isNotModified(_ current: EntityTag) throws(Problem) -> Bool {
        if let ifMatch, !ifMatch.holdsStrongly(for: current) {
            throw Problem(
                .preconditionFailed, "If-Match does not hold: the current tag is \(current).")
        }
        return ifNoneMatch?.matchesWeakly(current) ?? false
    }

    /// Checks the conditions of a write.
    ///
    /// - Parameters:
    ///   - screen: The current screen, or `nil`. The tags of If-Match and If-None-Match are those
    ///     of
    ///     its revision or of its page state.
    ///   - targetExists: A Boolean value that indicates whether the target of the write exists, for
    ///     the `*` of If-None-Match.
    /// - Throws: `PRECONDITION_FAILED` if a condition does not hold.
    func checkWrite(of screen: ScreenSnapshot?, targetExists: Bool) throws(Problem) {
        let current = screen.map { EntityTags.revision($0.revision) }
        let tags = [current, screen.map(EntityTags.pageState)]
        if let ifMatch, !tags.contains(where: ifMatch.holdsStrongly) {
            let found = current.map { "the screen is at \($0)" } ?? "the screen does not exist"
            throw Problem(.preconditionFailed, "If-Match does not hold: \(found).")
        }
        switch ifNoneMatch {
        case nil: return
        case .any?:
            guard targetExists else { return }
            throw Problem(
                .preconditionFailed, "If-None-Match does not hold: the target exists.")
        case .tags?:
            guard let current, let ifNoneMatch, tags.contains(where: ifNoneMatch.matchesWeakly)
            else { return }
            throw Problem(
                .preconditionFailed, "If-None-Match does not hold: the screen is at \(current).")
        }
    }
}
