import Broadsheet
import BroadsheetStores

/// The pages of a tree.
enum PageExtent: Sendable, Hashable {
    case lowest
    /// All stored pages up to a number, or else the lowest.
    case upTo(Int)
    case all
    /// Up to the lowest stored page above a number.
    case after(Int)

    init(_ end: ScreenPart.End) {
        switch end {
        case .none, .lowest: self = .lowest
        case .after(let page): self = .after(page)
        case .highest: self = .all
        }
    }

    /// The last page that has to be read to know the extent in a screen.
    var end: ScreenPart.End {
        switch self {
        case .lowest, .upTo(0): .lowest
        case .upTo(let page): .after(page - 1)
        case .all: .highest
        case .after(let page): .after(page)
        }
    }

    /// Returns whether the bound of the tree lies above its highest page (docs/api.md,
    /// "Revisions").
    func isOpen(above page: Int?) -> Bool {
        switch self {
        case .lowest, .after: false
        case .upTo(let bound): page.map { $0 < bound } ?? false
        case .all: true
        }
    }

    /// Throws `PAGE_NOT_LOADED` while no page is stored above that of a token.
    func highestPage(in model: PaginatedViewModel) throws(Problem) -> Int? {
        switch self {
        case .lowest: return model.lowestPage
        case .upTo(let page): return model.highestPage(upTo: page) ?? model.lowestPage
        case .all: return model.highestPage
        case .after(let page):
            guard let next = model.page(after: page) else { throw .pageNotLoaded(after: page) }
            return next
        }
    }
}
