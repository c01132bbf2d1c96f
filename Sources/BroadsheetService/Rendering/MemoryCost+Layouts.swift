import Broadsheet
import BroadsheetHTTP
import BroadsheetStores

/// The memory of layouts, and of what is made of them.
extension MemoryCost {
    /// Returns the memory to merge and lay out sections and items, and to write the trees.
    static func layout(sections: Int, items: Int, viewports: Int = 1) -> Int {
        saturating(sections * section + items * item, times: max(1, viewports)) + output
    }

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

    static func layout(_ counts: ContentCounts) -> Int {
        layout(sections: counts.sections, items: counts.items)
    }

    static func counts(of model: PaginatedViewModel, upTo last: Int?) -> ContentCounts {
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

    /// `isLaidOut` says whether the frames are in the cache.
    static func rendering(
        _ layout: StoredLayout, as form: LayoutForm, isLaidOut: Bool
    ) -> Int {
        let (model, page) = (layout.snapshot.model, layout.page)
        let origins =
            layout.parameters.options.explain
            ? explaining(model.pages.prefix { $0.number <= page ?? -1 }) : 0
        let frames = origins + (isLaidOut ? output : self.layout(of: model, upTo: page))
        return switch form {
        case .tree: frames
        case .part: frames + model.itemCount * foundItem
        case .picture: frames + picture + (isLaidOut ? filling(model, upTo: page) : 0)
        }
    }

    /// Returns the memory to find the origins of what pages make.
    static func explaining(_ pages: some Sequence<ResolvedPage>) -> Int {
        ScreenOrigins.maxByteCount(of: pages)
    }

    /// Returns the memory to compare two trees of which one has these pages in addition, and is
    /// made from the other.
    static func comparing(added pages: [ResolvedPage]) -> Int {
        let added = counts(of: pages)
        return layout(added) + added.items * comparedItem + filling(pages)
    }

    static func comparing(_ old: PaginatedViewModel, _ new: PaginatedViewModel) -> Int {
        comparing(old.counts, new.counts) + max(filling(old.pages), filling(new.pages))
    }

    static func comparing(_ old: ContentCounts, _ new: ContentCounts) -> Int {
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
}
