import Broadsheet

/// The memory to fill the lines of texts.
extension MemoryCost {
    /// Returns the memory to fill the lines of the texts of pages, one after another: a text with a
    /// word that is wider than a line is shaped again.
    ///
    /// A thread has it also while it gives way.
    static func filling(_ pages: some Sequence<ResolvedPage>) -> Int {
        pages.reduce(0) { max($0, $1.longestText) } * shapingByte
    }

    /// Returns the memory to fill the lines of the pages of a model up to a page.
    static func filling(_ model: PaginatedViewModel, upTo last: Int?) -> Int {
        guard let last else { return 0 }
        return filling(model.pages.lazy.prefix { $0.number <= last })
    }
}
