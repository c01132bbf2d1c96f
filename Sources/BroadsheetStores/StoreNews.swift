/// What a store hears that makes what was derived from it useless.
package enum StoreNews: Hashable, Sendable {
    /// A screen was written, maybe by another daemon: from now on it has this revision or a later one.
    /// A help to free memory and nothing more: such news may be missed, and what is answered is up to
    /// ``ScreenStore/load(_:unlessAt:)``.
    case written(ScreenName, lowest: UInt64)
    /// The store may have lost writes that it had acknowledged, and may give their revisions again,
    /// with other content: a revision from before this news proves nothing any more. Told before
    /// anything is answered from what is left.
    case restarted

    /// Where a store sends its news: called from any thread, and not to block it.
    package typealias Sink = @Sendable (StoreNews) -> Void
}
