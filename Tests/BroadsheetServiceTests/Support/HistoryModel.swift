import BroadsheetClient

/// The pages of a tree that a reader asks for.
enum ReadForm: Hashable, Sendable {
    /// The lowest page.
    case lowest
    /// All pages.
    case all
    /// The pages up to a number, or else the lowest one.
    case upTo(Int)
    /// The pages up to the lowest above a number.
    case after(Int)
}

/// All states of a screen, from which its trees and the revisions of these follow by comparison.
///
/// It is written from docs/api.md alone: it knows what trees are, and no record of a store.
struct HistoryModel {
    /// The items of a section.
    struct Section: Hashable {
        let id: String
        var items: [String]
        /// A Boolean value that indicates whether the section is shown without its items; `nil` for
        /// that of an earlier page.
        var isCollapsed: Bool?
    }

    /// A stored page; each write of it is another one.
    struct Page: Hashable {
        var hasNext: Bool
        var hasPrevious = false
        var sections: [Section]
        var write = 0
    }

    /// The content of a tree.
    struct Tree: Hashable {
        let last: Int?
        let pages: [Int: Page]
        let hasNext: Bool

        /// The sections that have items, as they are merged: in the order of their first parts,
        /// with items or without.
        var sections: [Section] {
            var merged: [Section] = []
            for page in pages.sorted(by: { $0.key < $1.key }) {
                for section in page.value.sections {
                    if let index = merged.firstIndex(where: { $0.id == section.id }) {
                        merged[index].items += section.items
                        merged[index].isCollapsed =
                            section.isCollapsed ?? merged[index].isCollapsed
                    } else {
                        merged.append(section)
                    }
                }
            }
            return merged.filter { !$0.items.isEmpty && $0.isCollapsed != true }
                .map { Section(id: $0.id, items: $0.items) }
        }
    }

    private var states: [(revision: Int, pages: [Int: Page]?)] = []

    /// The pages; `nil` if there is no screen.
    var pages: [Int: Page]? { states.last.flatMap(\.pages) }

    /// The revision of the screen, or of the last one.
    var revision: Int { states.last?.revision ?? 0 }

    /// Adds the state after a write, unless its revision is not new; `nil` removes the screen.
    mutating func write(_ revision: Int, _ pages: [Int: Page]?) {
        if pages == nil || revision > self.revision { states.append((revision, pages)) }
    }

    /// Returns the tree of a form; `nil` if there is none.
    func tree(_ form: ReadForm) -> Tree? { Self.tree(form, of: pages) }

    /// Returns the last revision at which the tree of a form became what it is.
    func lastDifference(_ form: ReadForm) -> Int {
        let tree = tree(form)
        var found = revision
        for state in states.reversed() {
            guard Self.tree(form, of: state.pages) == tree else { break }
            found = state.revision
        }
        return found
    }

    private static func tree(_ form: ReadForm, of pages: [Int: Page]?) -> Tree? {
        guard let pages else { return nil }
        let last: Int?
        switch form {
        case .lowest: last = pages.keys.min()
        case .all: last = pages.keys.max()
        case .upTo(let bound): last = pages.keys.filter { $0 <= bound }.max() ?? pages.keys.min()
        case .after(let page):
            last = pages.keys.filter { $0 > page }.min()
            if last == nil { return nil }
        }
        guard let last else { return Tree(last: nil, pages: [:], hasNext: false) }
        return Tree(
            last: last, pages: pages.filter { $0.key <= last },
            hasNext: pages[last]?.hasNext == true || pages.keys.contains { $0 > last })
    }
}

extension HistoryModel.Section {
    /// Returns the sections of a tree that have items.
    static func sections(of tree: TreeValue) -> [HistoryModel.Section] {
        (tree["sections"]?.elements ?? []).compactMap { section in
            let items = (section["items"]?.elements ?? []).compactMap { $0["id"]?.text }
            return items.isEmpty
                ? nil : HistoryModel.Section(id: section["id"]?.text ?? "", items: items)
        }
    }
}
