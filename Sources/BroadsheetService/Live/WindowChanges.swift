import Broadsheet

/// The changes that a client asks for: from the window that it has to the one that it wants.
struct WindowChangesRequest: Sendable, Hashable {
    /// The revision of the window that the client has, and its entity tag.
    let since: TreeVersion
    /// The revision of the screen with the tree that has the window of the tag: that of the window,
    /// or a later one at which the window was still the same.
    let base: UInt64
    /// The window that the client has; `nil` if its tag is not one.
    let has: WindowRequest?
    /// The code in the tag of that window; `nil` without a tag.
    let code: [UInt8]?
    let wants: WindowRequest
    /// A Boolean value that indicates whether the client wants another window than the one that it
    /// has, for which it does not wait.
    let moves: Bool
    /// A Boolean value that indicates whether the client wants the anchor that the query names in
    /// the tree that it has.
    let followsQuery: Bool
    let parameters: LayoutParameters
    /// The revision of the screen with the window that the client wants; `nil` for the current one.
    var revision: UInt64?

    /// A target or a length that is `nil` is that of the tag.
    init(
        since: TreeVersion, _ tag: WindowTag, target: WindowRequest.Target? = nil,
        before: Double? = nil, after: Double? = nil, _ parameters: LayoutParameters
    ) {
        let own = WindowRequest.Target.known(tag.anchor, at: since.revision)
        let has = WindowRequest(
            target: own, before: tag.lengths.before, after: tag.lengths.after)
        self.since = since
        base = since.revision
        self.has = has
        code = tag.code
        wants = WindowRequest(
            target: target ?? own, before: before ?? has.before, after: after ?? has.after)
        moves = target != nil || wants != has
        followsQuery = false
        self.parameters = parameters
    }

    /// Creates the request of a client that has a window of the query, or one that is not known.
    init(
        since: TreeVersion, _ wants: WindowRequest, isKnown: Bool, _ parameters: LayoutParameters
    ) {
        self.since = since
        base = since.revision
        has = isKnown ? wants : nil
        code = nil
        self.wants = wants
        moves = false
        followsQuery = isKnown
        self.parameters = parameters
    }

    /// Creates the request of a client whose window was the same at a later revision, and which
    /// wants no other one.
    ///
    /// - Parameters:
    ///   - since: The revision of the window that the client has, and the entity tag that the
    ///     window had at the later revision (``WindowChanges/version(since:)``).
    ///   - base: The later revision of the screen, which is kept longer.
    ///   - tag: The tag of `since`.
    init(since: TreeVersion, sameAt base: UInt64, _ tag: WindowTag, _ parameters: LayoutParameters)
    {
        let has = WindowRequest(
            target: .known(tag.anchor, at: base), before: tag.lengths.before,
            after: tag.lengths.after)
        self.since = since
        self.base = base
        self.has = has
        code = tag.code
        wants = has
        moves = false
        followsQuery = false
        self.parameters = parameters
    }
}

/// The changes from one window of a stored screen to another.
struct WindowChanges: Sendable {
    let new: StoredWindow
    let version: TreeVersion
    /// A Boolean value that indicates whether the window that the client has is not known.
    let isReset: Bool
    let isNothingNew: Bool
    let content: LayoutContent

    var base: UInt64 { new.layout.snapshot.revision }

    /// Returns the revision of the window that the client has, with the entity tag that the same
    /// window has now.
    func version(since revision: UInt64) -> TreeVersion {
        TreeVersion(revision: revision, tag: version.tag)
    }
}
