import BroadsheetStores

/// What stores of former releases lack; goes with their tests.
extension ScreenStore {
    var feedBounds: FeedBounds { .none }

    var droppedEventCount: UInt64 { 0 }

    func append(_ events: [[UInt8]], to screen: ScreenName) async throws(StoreError) -> Bool {
        false
    }

    func feed(
        of screen: ScreenName, after number: UInt64, byteCount: Int
    ) async throws(StoreError) -> FeedPart? { nil }

    func commit(
        _ commit: ScreenCommit, to screen: ScreenName, expecting expected: UInt64?,
        lifetime: ScreenLifetime, as note: RevisionNote
    ) async throws(StoreError) -> UInt64 {
        try await self.commit(commit, to: screen, expecting: expected, lifetime: lifetime)
    }

    func load(
        _ screen: ScreenName, at revision: UInt64, _ part: ScreenPart, within limits: ReadLimits
    ) async throws(StoreError) -> ScreenLoad { .absent }

    func revisions(
        of screen: ScreenName, before revision: UInt64?, limit: Int
    ) async throws(StoreError) -> RevisionList? { nil }

    func removeRevisions(of screen: ScreenName) async throws(StoreError) -> Bool { false }

    func historyByteCount() async throws(StoreError) -> Int { 0 }
}
