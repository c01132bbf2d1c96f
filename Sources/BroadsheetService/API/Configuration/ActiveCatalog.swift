import Broadsheet
import BroadsheetHTTP
import Synchronization

/// A catalog in service, with its name, its fingerprint and its generation.
final class ActiveCatalog: Sendable {
    /// The name by which requests choose it; `nil` for the catalog of those that name none.
    let name: CatalogName?
    /// The position among the catalogs of its generation: 0 for the one without a name, and then
    /// in the order of the names.
    let position: Int
    let catalog: Catalog
    /// The catalog as it was read.
    let content: ConstantContent
    /// A code over the bytes of the catalog, the contents of its fonts, its name and the version of
    /// its code, which is part of every layout's entity tag.
    let fingerprint: SipHash.Code
    /// The number of times that the catalogs were replaced before this one was in service.
    let generation: UInt64
    /// The contents and fonts for clients that draw parts, once they were requested: with paths of
    /// fonts and names of types, and without.
    private let cellContents = Mutex<[[Bool]: (content: ConstantContent, tag: EntityTag)]>([:])

    var registry: CellRegistry { catalog.registry }

    fileprivate init(
        _ catalog: Catalog, name: CatalogName? = nil, position: Int = 0, generation: UInt64
    ) {
        self.name = name
        self.position = position
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
        // Two catalogs may have the same bytes, but page tokens have their names.
        if let name {
            hash.combine(text: "name")
            hash.combine(text: name.text)
        }
        // Code has no bytes to hash.
        if let version = catalog.codeVersion {
            hash.combine(text: "code")
            hash.combine(text: version)
        }
        fingerprint = hash.finalized()
    }
}

extension ActiveCatalog {
    /// For clients that draw parts; `bytes` returns the JSON, and is called once.
    func cells(
        _ servesFonts: Bool, listsTypes: Bool, bytes: () -> [UInt8]
    ) -> (content: ConstantContent, tag: EntityTag) {
        let key = [servesFonts, listsTypes]
        if let known = cellContents.withLock({ $0[key] }) { return known }
        let content = ConstantContent(bytes())
        var hash = SipHash(key: SipHash.Key([]))
        hash.combine(content.bytes)
        let tag = EntityTag("c\(Base64URL.encode(hash.finalized().bytes))")
        return cellContents.withLock { known in
            let first = known[key] ?? (content, tag)
            known[key] = first
            return first
        }
    }
}

/// The catalogs in service: one for requests that name none, and those that requests name.
final class ActiveCatalogs: Sendable {
    let unnamed: ActiveCatalog
    /// The other catalogs, in the order of their names.
    let named: [ActiveCatalog]
    let generation: UInt64
    private let positions: [CatalogName: Int]

    fileprivate init(_ catalogs: CatalogSet, generation: UInt64) {
        unnamed = ActiveCatalog(catalogs.unnamed, generation: generation)
        named = catalogs.named.sorted { $0.key < $1.key }.enumerated().map { index, entry in
            ActiveCatalog(
                entry.value, name: entry.key, position: index + 1, generation: generation)
        }
        positions = Dictionary(
            uniqueKeysWithValues: catalogs.named.keys.sorted().enumerated().map { ($1, $0) })
        self.generation = generation
    }

    var all: [ActiveCatalog] { [unnamed] + named }

    /// Returns the catalog of a name, or the one without a name for `nil`; `nil` if there is none.
    subscript(name: CatalogName?) -> ActiveCatalog? {
        guard let name else { return unnamed }
        return positions[name].map { named[$0] }
    }

    /// Throws `INVALID_PARAMETER` with the names that there are.
    func catalog(named name: CatalogName?) throws(Problem) -> ActiveCatalog {
        guard let found = self[name] else { throw unknownName }
        return found
    }

    func catalog(in query: Query) throws(Problem) -> ActiveCatalog {
        let parameter = CatalogParameter.name
        guard let text = try ParameterReader(query).text(parameter) else { return unnamed }
        guard let name = CatalogName(text) else { throw unknownName }
        return try catalog(named: name)
    }

    private var unknownName: Problem {
        let parameter = CatalogParameter.name
        guard !named.isEmpty else {
            return .invalidParameter(
                parameter, "names a catalog, and there is only the one without a name; omit it")
        }
        let names = named.compactMap(\.name?.text).joined(separator: ", ")
        return .invalidParameter(
            parameter, "must be one of \(names); without it, the catalog is the one without a name")
    }
}

/// The catalogs in service, which a reload replaces as a whole.
///
/// A request reads its catalog once, at its start, and uses it to its end.
final class CatalogSlot: Sendable {
    private let slot: Mutex<ActiveCatalogs>
    /// The generation of the catalogs in service; changed only while the lock is held.
    private let currentGeneration = Atomic<UInt64>(0)

    init(_ catalogs: CatalogSet) {
        slot = Mutex(ActiveCatalogs(catalogs, generation: 0))
    }

    var current: ActiveCatalogs { slot.withLock { $0 } }

    /// The generation of the catalogs in service, without the lock.
    var generation: UInt64 { currentGeneration.load(ordering: .acquiring) }

    /// Replaces the catalogs, for requests that start from then on, and returns the new ones.
    func replace(with catalogs: CatalogSet) -> ActiveCatalogs {
        slot.withLock { slot in
            slot = ActiveCatalogs(catalogs, generation: slot.generation &+ 1)
            currentGeneration.store(slot.generation, ordering: .releasing)
            return slot
        }
    }
}
