import BroadsheetHTTP

/// The conditions that a request sets by If-Match and If-None-Match (RFC 9110 §13).
struct Preconditions: Sendable, Hashable {
    /// What must be there.
    let ifMatch: EntityTagCondition?
    /// What must not.
    let ifNoneMatch: EntityTagCondition?

    /// Reads a request's conditions; throws `INVALID_PARAMETER` naming the header that is malformed.
    init(_ headers: HTTPHeaders) throws(Problem) {
        (ifMatch, ifNoneMatch) = try Problem.mapping { () throws(HTTPError) in
            (
                try EntityTagCondition(.ifMatch, in: headers),
                try EntityTagCondition(.ifNoneMatch, in: headers)
            )
        }
    }

    /// Whether GET or HEAD of what `current` is the tag of is answered 304 instead, by the order of
    /// RFC 9110 §13.2.2.
    ///
    /// Throws `PRECONDITION_FAILED` when If-Match does not hold.
    func isNotModified(_ current: EntityTag) throws(Problem) -> Bool {
        if let ifMatch, !ifMatch.holdsStrongly(for: current) {
            throw Problem(
                .preconditionFailed, "If-Match names none that is current; this is \(current).")
        }
        return ifNoneMatch?.matchesWeakly(current) ?? false
    }

    /// Throws `PRECONDITION_FAILED` unless a write of a screen may go on.
    ///
    /// - Parameters:
    ///   - screen: The screen as it is; nil when there is none. If-Match speaks of it by the tag of
    ///     its revision or of its page state, and so do If-None-Match's tags.
    ///   - targetExists: Whether what is to be written is there already: If-None-Match's `*`.
    func checkWrite(of screen: ScreenSnapshot?, targetExists: Bool) throws(Problem) {
        let current = screen.map { EntityTags.revision($0.revision) }
        let tags = [current, screen.map(EntityTags.pageState)]
        if let ifMatch, !tags.contains(where: ifMatch.holdsStrongly) {
            let found = current.map { "the screen is at \($0)" } ?? "there is no such screen"
            throw Problem(.preconditionFailed, "If-Match does not hold: \(found).")
        }
        switch ifNoneMatch {
        case nil: return
        case .any?:
            guard targetExists else { return }
            throw Problem(
                .preconditionFailed, "If-None-Match does not hold: there is one already.")
        case .tags?:
            guard let current, let ifNoneMatch, tags.contains(where: ifNoneMatch.matchesWeakly)
            else { return }
            throw Problem(
                .preconditionFailed, "If-None-Match does not hold: the screen is at \(current).")
        }
    }
}
