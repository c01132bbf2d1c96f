/// What a ``MemoryStore`` holds, as a value.
struct MemoryStoreState: Sendable {
    /// Every screen by its name.
    private(set) var screens: [ScreenName: StoredScreen] = [:]
    /// The names of `screens`, ascending.
    private var names: [ScreenName] = []
    /// The highest revision that any removed screen ever had.
    private var floor: UInt64 = 0

    /// Compare-and-set as ``ScreenStore/commit(_:to:expecting:)`` has it.
    mutating func commit(
        _ change: ScreenChange, to screen: ScreenName, expecting expected: UInt64?
    ) throws(StoreError) -> UInt64 {
        let current = screens[screen]?.revision
        guard current == expected else { throw .conflict(current: current) }
        switch change {
        case .put: if current == nil { insertName(screen) }
        case .removeScreen: return try remove(screen)
        case .removePage, .removeAllPages: if current == nil { throw .conflict(current: nil) }
        }
        let revision = (current ?? floor) &+ 1
        // In place: a copy of the page list on each write would make appending cost what is stored.
        screens[screen, default: StoredScreen(revision: 0)].apply(change, revision: revision)
        return revision
    }

    /// The listing as ``ScreenStore/screens(after:limit:)`` has it.
    func screens(after name: ScreenName?, limit: Int) -> [ScreenListing] {
        let start = name.map { name in names.partitioningIndex { $0 > name } } ?? 0
        return names[start...].prefix(max(0, limit)).compactMap { name in
            screens[name].map { ScreenListing(name: name, revision: $0.revision) }
        }
    }

    private mutating func remove(_ screen: ScreenName) throws(StoreError) -> UInt64 {
        guard let removed = screens.removeValue(forKey: screen) else {
            throw .conflict(current: nil)
        }
        let place = names.partitioningIndex { $0 >= screen }
        names.remove(at: place)
        floor = max(floor, removed.revision)
        return removed.revision
    }

    private mutating func insertName(_ screen: ScreenName) {
        names.insert(screen, at: names.partitioningIndex { $0 >= screen })
    }
}
