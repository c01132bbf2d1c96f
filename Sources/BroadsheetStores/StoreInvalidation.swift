/// An event in a store that invalidates what was derived from its screens.
public enum StoreInvalidation: Hashable, Sendable {
    /// A screen was written, possibly by another daemon; its revision is now `lowest` or a later
    /// one.
    ///
    /// A hint that lets caches free memory. It may be missed: only
    /// ``ScreenStore/load(_:unlessAt:_:within:)`` decides whether a cached screen is still current.
    case written(ScreenName, lowest: UInt64)
    /// The earlier revisions of a screen were removed, possibly by another daemon, so that caches
    /// must not keep them. It may be missed.
    case revisionsRemoved(ScreenName)
    /// Events may have been missed, so that any screen may have been written.
    case missed
    /// The store may have lost writes that it had acknowledged, and may assign their revisions
    /// again to different content, so a revision from before this event proves nothing. Delivered
    /// before the store returns anything that it read afterwards.
    case restarted

    /// A function that receives invalidations.
    ///
    /// It is called on any thread and must not block it.
    public typealias Handler = @Sendable (StoreInvalidation) -> Void
}

/// The messages between daemons that share a server.
extension StoreInvalidation {
    /// The word that stands for the revision in a message about removed revisions.
    private static let removalWord = "revisions"

    static func removalMessage(_ screen: ScreenName) -> String { "\(screen.text) \(removalWord)" }

    /// Reads a message: the name of a screen, a blank, and its lowest possible revision or a word.
    init?(message: some StringProtocol) {
        let words = message.split { $0 == " " }
        guard words.count == 2, let screen = ScreenName(String(words[0])) else { return nil }
        if words[1] == Self.removalWord {
            self = .revisionsRemoved(screen)
        } else if let revision = UInt64(words[1]) {
            self = .written(screen, lowest: revision)
        } else {
            return nil
        }
    }
}
