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

    static func indexing(bytes: Int) -> Int { saturating(bytes, times: indexHalves) / 2 }

    /// Returns the memory of an index, and to read the contract of its document and resolve its
    /// units.
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

    static func patterns(of registry: CellRegistry) -> Int { registry.patternParts * patternPart }

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

    static func saturating(_ count: Int, times factor: Int) -> Int {
        let (product, overflow) = count.multipliedReportingOverflow(by: factor)
        return overflow ? Int.max / 4 : min(product, Int.max / 4)
    }
}

/// A JSON text with the number of the nodes of its index, which need not exist.
protocol IndexedText {
    var byteCount: Int { get }
    var nodeCount: Int { get }
    var indexByteCount: Int { get }
}

extension JSONDocument: IndexedText {
    var byteCount: Int { bytes.count }
}

extension ResolvedPage: IndexedText {
    var byteCount: Int { bytes.count }
}

extension ResolvedPage {
    /// The estimated size of the page in memory, in bytes: its text, its items, its sections, and
    /// what every page has.
    var byteCountInMemory: Int {
        bytes.count + 64 * itemCount + 256 * sections.count + Self.ownByteCount
            + (variants?.byteCount ?? 0)
    }

    /// The estimated size of the page in memory besides its text.
    var derivedByteCount: Int { byteCountInMemory - bytes.count + inputByteCount }

    /// The estimated size of a page without content, and of its record in the history.
    static let ownByteCount = 1024 + TreeHistory.bytesPerPage
}

/// The memory to fill the lines of texts.
extension MemoryCost {
    /// Returns the memory to fill the lines of the texts of pages, one after another: a text with a
    /// word that is wider than a line is shaped again.
    ///
    /// A thread has it also while it gives way.
    static func filling(_ pages: some Sequence<ResolvedPage>) -> Int {
        pages.reduce(0) { max($0, $1.longestText) } * shapingByte
    }

    static func filling(_ model: PaginatedViewModel, upTo last: Int?) -> Int {
        guard let last else { return 0 }
        return filling(model.pages.lazy.prefix { $0.number <= last })
    }
}
