import Broadsheet
import Synchronization

/// A catalog in service, with its fingerprint and its generation.
struct ActiveCatalog: Sendable {
    /// The catalog.
    let catalog: Catalog
    /// The catalog as it was read.
    let content: ConstantContent
    /// A code over the bytes of the catalog and the contents of its fonts, which is part of every
    /// layout's entity tag.
    let fingerprint: SipHash.Code
    /// The number of catalogs that were in service before this one since the start.
    let generation: UInt64

    /// The cell types and units that the catalog registers.
    var registry: CellRegistry { catalog.registry }

    fileprivate init(_ catalog: Catalog, generation: UInt64) {
        self.catalog = catalog
        content = ConstantContent(catalog.bytes)
        self.generation = generation
        // The hash has no secret key, because it only distinguishes catalogs, and daemons on one
        // store must agree on it.
        var hash = SipHash(key: SipHash.Key([]))
        hash.combine(catalog.bytes)
        for font in catalog.registry.fontContents {
            hash.combine(text: font.name)
            hash.combine(font.hash)
        }
        fingerprint = hash.finalized()
    }
}

/// The catalog in service, which a reload replaces as a whole.
///
/// A request reads the catalog once, at its start, and uses it to its end.
final class CatalogSlot: Sendable {
    private let slot: Mutex<ActiveCatalog>
    /// The generation of the catalog in service; changed only while the lock is held.
    private let currentGeneration = Atomic<UInt64>(0)

    /// Creates a slot with `catalog` in service.
    init(_ catalog: Catalog) {
        slot = Mutex(ActiveCatalog(catalog, generation: 0))
    }

    /// The catalog in service.
    var current: ActiveCatalog { slot.withLock { $0 } }

    /// The generation of the catalog in service, without the lock.
    var generation: UInt64 { currentGeneration.load(ordering: .acquiring) }

    /// Replaces the catalog, for requests that start from then on, and returns the new one.
    func replace(with catalog: Catalog) -> ActiveCatalog {
        slot.withLock { slot in
            slot = ActiveCatalog(catalog, generation: slot.generation &+ 1)
            currentGeneration.store(slot.generation, ordering: .releasing)
            return slot
        }
    }
}
