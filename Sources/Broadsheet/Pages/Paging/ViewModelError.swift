/// A page that a screen has no room for; the screen stays as it was.
public enum ViewModelError: Error, Sendable, Hashable {
    /// The screen would have more pages than `ScreenLimits.maxPages`.
    case tooManyPages(limit: Int)
    /// The pages together would have more sections than `ScreenLimits.maxSections`.
    case tooManySections(limit: Int)
    /// The pages together would have more items than `ScreenLimits.maxItems`.
    case tooManyItems(limit: Int)

    /// A sentence for the person who sent the page.
    public var detail: String {
        switch self {
        case .tooManyPages(let limit):
            "the screen would hold more than \(limit) pages (--max-pages)"
        case .tooManySections(let limit):
            "the screen's pages would hold more than \(limit) sections (--max-sections)"
        case .tooManyItems(let limit):
            "the screen's pages would hold more than \(limit) items (--max-items)"
        }
    }
}
