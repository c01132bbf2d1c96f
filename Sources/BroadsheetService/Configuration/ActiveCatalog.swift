import Broadsheet
import Synchronization

/// A catalog in service, with what tells it from others.
struct ActiveCatalog: Sendable {
    /// The catalog.
    let catalog: Catalog
    /// A code over its bytes: part of every layout's entity tag.
    let fingerprint: SipHash.Code
    /// How many catalogs were in service before it since the start.
    let generation: UInt64

    /// What it registers.
    var registry: CellRegistry { catalog.registry }

    fileprivate init(_ catalog: Catalog, generation: UInt64) {
        self.catalog = catalog
        self.generation = generation
        // No secret: it only tells catalogs apart, and daemons on one store must agree on it.
        var hash = SipHash(key: SipHash.Key([]))
        hash.combine(catalog.bytes)
        fingerprint = hash.finalized()
    }
}

/// The catalog in service, which a reload replaces whole.
///
/// A request takes the catalog once, when it starts, and keeps it to its end.
final class CatalogSlot: Sendable {
    private let slot: Mutex<ActiveCatalog>

    /// Starts with `catalog`.
    init(_ catalog: Catalog) {
        slot = Mutex(ActiveCatalog(catalog, generation: 0))
    }

    /// The catalog for a request that starts now.
    var current: ActiveCatalog { slot.withLock { $0 } }

    /// Puts another in its place, for requests that start from now on.
    func replace(with catalog: Catalog) {
        slot.withLock { slot in
            slot = ActiveCatalog(catalog, generation: slot.generation &+ 1)
        }
    }
}
