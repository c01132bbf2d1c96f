import Broadsheet
import BroadsheetIO
import BroadsheetStores

/// The memory that a request for a whole screen takes: its pages, and the work on them.
///
/// It is what reads reserve one after another (``MemoryCost/loading(_:reusing:)``,
/// ``ScreenResolver/resolve(_:beside:)``, ``MemoryCost/layout(of:upTo:)``).
extension MemoryCost {
    /// Returns the memory to read all pages of a screen, and to lay them out.
    ///
    /// - Complexity: O(pages).
    static func wholeScreen(
        _ model: PaginatedViewModel, maxItems: Int, by registry: CellRegistry
    ) -> Int {
        var (texts, kept, largest) = (0, 0, 0)
        var resolving = Int.min
        for page in model.pages {
            let own = page.bytes.count + page.derivedByteCount
            texts += page.bytes.count + ResolvedPage.ownByteCount
            kept += own
            largest = max(largest, page.bytes.count)
            resolving = max(resolving, reading(page, maxItems: maxItems, by: registry) - own)
        }
        let loading = texts + indexing(bytes: largest)
        return kept
            + max(loading + max(resolving, 0), layout(of: model, upTo: model.highestPage))
    }

    /// Returns at least the memory to read a screen of a size, and to lay it out for clients
    /// without conditions.
    ///
    /// - Parameter maxPageBytes: The maximum size of a page in bytes.
    /// - Complexity: O(1).
    static func maxWholeScreen(
        of size: ScreenSize, maxPageBytes: Int, by registry: CellRegistry
    ) -> Int {
        let counts = size.counts ?? .zero
        let largest = LargestText(byteCount: min(size.byteCount, maxPageBytes))
        let perItem = resolvedItem + registry.maxSizeInputs * sizeInput
        return 2 * (size.byteCount + size.pageCount * ResolvedPage.ownByteCount)
            + indexing(bytes: largest.byteCount)
            + reading(largest, maxItems: counts.items, by: registry)
            + layout(sections: counts.sections, items: counts.items)
            + counts.items * perItem + counts.sections * section
            + sizeInputs(of: largest, maxItems: counts.items, by: registry)
    }
}

/// A text of which only the size is known, with the largest index that it may have.
private struct LargestText: IndexedText {
    let byteCount: Int

    /// No value has less than a byte: a container has two, and an opening and a closing node.
    var nodeCount: Int { byteCount }

    var indexByteCount: Int { MemoryCost.indexing(bytes: byteCount) }
}

extension ResolvedPage {
    var reservedByteCount: Int { (kept as? MemoryReservation)?.count ?? 0 }
}

extension PaginatedViewModel {
    var reservedByteCount: Int { pages.reduce(0) { $0 + $1.reservedByteCount } }

    var counts: ContentCounts { ContentCounts(sections: sectionCount, items: itemCount) }

    var size: ScreenSize {
        ScreenSize(pageCount: pageCount, byteCount: byteCount, counts: counts)
    }
}
