import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores

/// The memory that the phases of a handler take, reserved before each of them.
///
/// The factors are peaks of the resident memory of the release binary, measured with one request at
/// a time and rounded up (x86-64, 2026-11-22).
enum MemoryCost {
    /// The bytes of index for a byte of JSON, in halves.
    ///
    /// A text of `[],` takes most: 16 bytes for 3. The index is copied when it grows: 121 MB were
    /// measured for 15 MB.
    static let indexHalves = 17
    /// The bytes for a node of the index while a contract is read: 13.6 MB were measured for a
    /// million units of four nodes.
    static let node = 4
    /// The bytes for an item while a page is resolved: the item, twice while the array grows.
    static let resolvedItem = 72
    /// The bytes for each number that the size of an item depends on, while a page is resolved.
    static let sizeInput = 24
    /// The bytes for a shaped text besides its segments.
    static let shapedText = 512
    /// The bytes for a byte of a text while the page has it shaped: a segment of one character is
    /// 16 bytes, and 20 more where a break changes its shaping.
    static let shapedByte = 40
    /// The bytes for a byte of the text that is being shaped: its characters, runs and advances.
    ///
    /// 55 were measured for letters of alternating directions.
    static let shapingByte = 56
    /// The bytes for a byte of JSON that a Swift cell type may have decoded as its model: an
    /// assumption, because only the program knows its models.
    static let modelByte = 4
    /// The bytes for a node of the index while a unit is judged by a schema: the names of an
    /// object, or the hashes of an array's elements.
    static let judgedNode = 64
    /// The bytes for a kept result of a judgement, twice while the table grows.
    static let keptJudgement = 24
    /// The bytes for a node of a catalog while it is compiled: 80 MB were measured for 300,000
    /// required members.
    static let catalogNode = 256
    /// The bytes for a subschema besides its node: 740 were measured for one without keywords, the
    /// node included.
    static let subschema = 512
    /// The bytes for a state of a pattern, which takes more than a range of code points: 24, and
    /// those by which the array of them has grown too far.
    static let patternPart = 40
    /// The bytes for an item while it is merged and laid out: 166 MB were measured for a million
    /// items with equal ids, of which no two share an id in the tree.
    static let item = 176
    /// The bytes for a section while it is merged and laid out: 25 MB were measured for 10,000.
    static let section = 2560

    /// Returns the memory to index a text of so many bytes.
    static func indexing(bytes: Int) -> Int { saturating(bytes, times: indexHalves) / 2 }

    /// Returns the memory of an index, and to read the contract of its document and resolve its
    /// units.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - maxItems: The maximum number of items.
    ///   - registry: The registry that resolves them.
    static func reading(
        _ document: some IndexedText, maxItems: Int, by registry: CellRegistry
    ) -> Int {
        let nodes = document.nodeCount
        return document.indexByteCount + nodes * node + min(nodes, maxItems) * resolvedItem
            + sizeInputs(of: document, maxItems: maxItems, by: registry)
            + judging(document, by: registry)
    }

    /// Returns the memory to compile a catalog, without its patterns.
    static func compiling(_ catalog: JSONValue) -> Int {
        let nodes = Int(catalog.document.node(after: catalog.node) - catalog.node)
        let subschemas = min(nodes, CatalogLimits().maxCatalogSubschemas)
        return nodes * catalogNode + subschemas * subschema
    }

    /// Returns the memory of the patterns of a catalog.
    static func patterns(of registry: CellRegistry) -> Int { registry.patternParts * patternPart }

    /// Returns the memory to judge the units of a document by the schemas of their types.
    static func judging(_ document: some IndexedText, by registry: CellRegistry) -> Int {
        guard let shared = registry.maxSharedSubschemas else { return 0 }
        return judging(nodes: document.nodeCount, sharing: shared)
    }

    /// Returns the memory to judge values of so many nodes by a schema of which the results of so
    /// many subschemas are kept.
    static func judging(nodes: Int, sharing shared: Int) -> Int {
        let kept = min(saturating(nodes, times: shared), CellRegistry.maxJudgements)
        return nodes * judgedNode + kept * keptJudgement
    }

    /// Returns the memory for the numbers, models and shaped texts that the sizes of items depend
    /// on.
    static func sizeInputs(
        of document: some IndexedText, maxItems: Int, by registry: CellRegistry
    ) -> Int {
        let items = min(document.nodeCount, maxItems)
        let models =
            registry.hasTypesInCode ? saturating(document.byteCount, times: modelByte) : 0
        let numbers = items * registry.maxSizeInputs * sizeInput + models
        let texts = registry.measuredTexts
        guard texts.maxPerCell > 0 else { return numbers }
        // No text is known before the page is resolved, so all its bytes may be texts.
        let bytes = saturating(document.byteCount, times: texts.maxPerValue)
        return numbers + items * texts.maxPerCell * shapedText
            + saturating(bytes, times: shapedByte) + min(bytes, TextLimits.maxBytes) * shapingByte
    }

    /// Returns the memory to index the largest of the pages of a stored screen that `known` has not
    /// resolved, and of all of them without their items and sections.
    static func loading(_ stored: StoredScreen, reusing known: ScreenSnapshot?) -> Int {
        var (total, largest) = (0, 0)
        for page in stored.pages where known?.history[page.number] != page.revision {
            total += page.bytes.count + ResolvedPage.ownByteCount
            largest = max(largest, page.bytes.count)
        }
        return total + indexing(bytes: largest)
    }

    /// Returns the memory to merge and lay out sections and items, and to write the trees.
    static func layout(sections: Int, items: Int, viewports: Int = 1) -> Int {
        saturating(sections * section + items * item, times: max(1, viewports)) + output
    }

    /// Returns the memory to lay out the pages of a model up to a page.
    static func layout(of model: PaginatedViewModel, upTo last: Int?) -> Int {
        let variants = model.hasConditions ? variants(of: model, upTo: last) : 0
        return layout(counts(of: model, upTo: last)) + filling(model, upTo: last) + variants
    }

    /// Returns the memory to resolve the pages of a model up to a page for another client, and to
    /// lay out the items that they may have then.
    private static func variants(of model: PaginatedViewModel, upTo last: Int?) -> Int {
        var (total, largest) = (0, 0)
        for page in model.pages.prefix(while: { $0.number <= last ?? -1 }) {
            guard let variants = page.variants else { continue }
            total += saturating(variants.maxItemCount, times: resolvedItem + item)
            largest = max(largest, page.bytes.count)
        }
        return total + indexing(bytes: largest)
    }

    private static func layout(_ counts: ContentCounts) -> Int {
        layout(sections: counts.sections, items: counts.items)
    }

    /// Returns the numbers of sections and items of the pages up to a page.
    private static func counts(of model: PaginatedViewModel, upTo last: Int?) -> ContentCounts {
        guard let last else { return .zero }
        if last >= model.highestPage ?? 0 { return model.counts }
        return counts(of: model.pages.lazy.prefix { $0.number <= last })
    }

    private static func counts(of pages: some Sequence<ResolvedPage>) -> ContentCounts {
        pages.reduce(into: .zero) { counts, page in
            counts.sections += page.sectionCount
            counts.items += page.itemCount
        }
    }

    /// Returns the memory to render a stored layout.
    ///
    /// - Parameter isLaidOut: A Boolean value that indicates whether its frames are in the cache.
    static func rendering(
        _ layout: StoredLayout, as form: LayoutForm, isLaidOut: Bool
    ) -> Int {
        let (model, page) = (layout.snapshot.model, layout.page)
        let frames = isLaidOut ? output : self.layout(of: model, upTo: page)
        return switch form {
        case .tree: frames
        case .part: frames + model.itemCount * foundItem
        case .picture: frames + picture + (isLaidOut ? filling(model, upTo: page) : 0)
        }
    }

    /// Returns the memory to compare two trees of a stored screen: both layouts, and the tables of
    /// their items.
    static func comparing(_ changes: StoredChanges) -> Int {
        let (model, page) = (changes.new.snapshot.model, changes.new.page)
        let (new, newTexts) = (counts(of: model, upTo: page), filling(model, upTo: page))
        guard let old = changes.old, !changes.isSame else { return layout(new) + newTexts }
        let texts = max(newTexts, filling(old.snapshot.model, upTo: old.page))
        return comparing(counts(of: old.snapshot.model, upTo: old.page), new) + texts
    }

    /// Returns the memory to compare two trees of which one has these pages in addition, and is
    /// made from the other.
    static func comparing(added pages: [ResolvedPage]) -> Int {
        let added = counts(of: pages)
        return layout(added) + added.items * comparedItem + filling(pages)
    }

    /// Returns the memory to compare the pages of two models.
    static func comparing(_ old: PaginatedViewModel, _ new: PaginatedViewModel) -> Int {
        comparing(old.counts, new.counts) + max(filling(old.pages), filling(new.pages))
    }

    private static func comparing(_ old: ContentCounts, _ new: ContentCounts) -> Int {
        layout(old) + layout(new) + (old.items + new.items) * comparedItem
    }

    /// The bytes for an item of either tree while they are compared.
    static let comparedItem = 96

    /// The bytes for an item that is found in a rectangle, or is in the index of one.
    static let foundItem = 64

    /// Returns the memory to write the state of all pages of a model, whose text is copied when it
    /// grows.
    ///
    /// - Complexity: O(sections).
    static func pageState(of model: PaginatedViewModel) -> Int {
        let ids = model.pages.reduce(0) { total, page in
            page.sections.reduce(total) { $0 + ($1.identifier?.utf8.count ?? 0) }
        }
        return 3 * (ids + 64 * (model.pageCount + model.sectionCount)) + 4096
    }

    /// The memory to draw a picture, whose text is copied when it grows.
    static let picture = 3 * PictureWriter.maxByteCount

    /// The memory of the part of a response that is being written and sent.
    static let output = LayoutContent.maxBytesAtOnce + HTTPLimits.maxOwnedPartSize

    private static func saturating(_ count: Int, times factor: Int) -> Int {
        let (product, overflow) = count.multipliedReportingOverflow(by: factor)
        return overflow ? Int.max / 4 : min(product, Int.max / 4)
    }
}

extension ResolvedPage {
    /// The estimated size of the page in memory besides its text.
    var derivedByteCount: Int { byteCountInMemory - bytes.count + inputByteCount }
}
