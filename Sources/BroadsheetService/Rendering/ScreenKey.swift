import BroadsheetStores

/// A screen as one of the catalogs resolves it: the key of its values in memory.
///
/// After a reload a position may be that of another catalog; the values of the earlier one are
/// then of an earlier generation (``ActiveCatalog/generation``).
struct ScreenKey: Sendable, Hashable {
    let screen: ScreenName
    /// The position of the catalog (``ActiveCatalog/position``).
    let catalog: Int

    /// Creates the key of a screen as a catalog resolves it, by default the one without a name.
    init(_ screen: ScreenName, catalog: Int = 0) {
        self.screen = screen
        self.catalog = catalog
    }

    static func all(of screen: ScreenName, upTo last: Int) -> [ScreenKey] {
        (0...last).map { ScreenKey(screen, catalog: $0) }
    }
}

extension ScreenSnapshot {
    var key: ScreenKey { ScreenKey(name, catalog: catalog.position) }
}
