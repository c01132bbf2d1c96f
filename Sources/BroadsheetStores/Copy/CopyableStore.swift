/// A store that can be copied, and that another one can be copied to.
///
/// A store that is being filled has a mark in place of its identity, so that no daemon opens it.
/// The methods may block the calling thread: they are for the command line.
package protocol CopyableStore: FeedStore {
    /// Returns a revision above which new screens begin.
    func floor() async throws(StoreError) -> UInt64

    /// Returns the times that are left until screens expire, in milliseconds; without those that
    /// do not expire.
    func millisecondsLeft(
        of screens: [ScreenName]
    ) async throws(StoreError) -> [ScreenName: Int64]

    /// Returns whether the store has the mark.
    func isIncomplete() async throws(StoreError) -> Bool

    /// Replaces the identity by the mark.
    func markIncomplete() async throws(StoreError)

    /// Makes new screens begin above a revision, unless they begin above a higher one.
    func raiseFloor(to revision: UInt64) async throws(StoreError)

    /// Replaces the mark by an identity.
    func markComplete(as identity: StoreIdentity) async throws(StoreError)
}
