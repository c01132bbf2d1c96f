/// An earlier state of a screen, found from the records of the revisions after it.
///
/// The records are applied from the newest to the oldest. A page without an entry is the one that
/// the folder has now.
struct Rewind: Sendable {
    /// The state of a page.
    struct Page: Hashable, Sendable {
        /// The revisions of the page; `nil` if there is no such page.
        var tree: TreeHistory.Page?
        /// The content; `nil` if it is the one that the folder has.
        var content: FormerPage.Content?
        /// The folder that the page was in.
        var folder: Int64
        /// The last revision that has the content.
        var last: UInt64
    }

    /// The folder of the pages without an entry.
    private(set) var folder: Int64
    /// The pages that are others than those of the folder.
    private(set) var pages: [Int: Page] = [:]
    /// The screen.
    private(set) var head: ScreenHead
    /// The lower bound of the revisions of its trees.
    private(set) var treeFloor: UInt64

    /// Begins with the current state.
    init(head: ScreenHead, treeFloor: UInt64, folder: Int64 = 0) {
        self.head = head
        self.treeFloor = treeFloor
        self.folder = folder
    }

    /// Goes back to the state before a revision; returns `false` if its record does not have it.
    mutating func undo(_ record: RevisionRecord) -> Bool {
        guard let former = record.former, record.revision == head.revision else { return false }
        head = former.head
        head.revision = record.before
        treeFloor = former.treeFloor
        if former.hasWholeFolder {
            folder = former.folder
            pages = [:]
        }
        var seen: Set<Int> = []
        for page in former.pages where seen.insert(page.number).inserted {
            let content = page.replaced ?? (page.tree == nil ? nil : pages[page.number]?.content)
            let origin = page.replaced == nil ? pages[page.number] : nil
            pages[page.number] = Page(
                tree: page.tree, content: content, folder: origin?.folder ?? former.folder,
                last: origin?.last ?? record.before)
        }
        return true
    }

    /// Sets the highest page, which some records do not have.
    mutating func setHighestPage(_ number: Int?) { head.highestPage = number }

    /// Returns the numbers of the pages, ascending.
    ///
    /// - Parameter stored: The numbers of the pages in ``folder``.
    func numbers(among stored: some Sequence<Int>) -> [Int] {
        let unchanged = stored.filter { pages[$0] == nil }
        return (unchanged + pages.filter { $0.value.tree != nil }.keys).sorted()
    }
}

extension StoredScreen {
    /// Returns the state before a commit, as far as the commit changes it.
    ///
    /// - Complexity: O(log pages) for each page that the commit stores or removes; O(pages) for one
    ///   that replaces all pages.
    func former(of commit: ScreenCommit) -> FormerState {
        var state = FormerState(head: head, treeFloor: history.floor)
        let stored = commit.storedPages.map(\.number)
        var numbers = stored
        switch commit {
        case .putPages: break
        case .replacePages(_, let kept, _):
            let remaining = Set(stored + kept)
            numbers += pages.map(\.number).filter { !remaining.contains($0) }
        case .removePage(let number): numbers.append(number)
        case .removeAllPages, .removeScreen: numbers = pages.map(\.number)
        }
        let replaced = Set(numbers)
        state.pages = replaced.sorted().map { former($0, isReplaced: true) }
        var neighbours = Set(pages.last.map { [$0.number] } ?? [])
        for number in replaced {
            let index = index(of: number)
            neighbours.formUnion(pages[..<index].suffix(1).map(\.number))
            neighbours.formUnion(pages[index...].prefix(2).map(\.number))
        }
        state.pages += neighbours.subtracting(replaced).sorted().map {
            former($0, isReplaced: false)
        }
        return state
    }

    private func former(_ number: Int, isReplaced: Bool) -> FormerPage {
        let page = page(number)
        return FormerPage(
            number: number, tree: page == nil ? nil : history.page(number),
            replaced: page.flatMap { page in
                isReplaced
                    ? FormerPage.Content(
                        size: page.size, place: 0, checksum: 0, bytes: page.bytes)
                    : nil
            })
    }

    /// Returns an earlier state of the screen, whose pages are all at hand.
    func rewound(to state: Rewind) -> StoredScreen {
        var found: [StoredPage] = []
        var history = TreeHistory(floor: state.treeFloor)
        for number in state.numbers(among: pages.map(\.number)) {
            let former = state.pages[number]
            guard let tree = former?.tree ?? self.history.page(number) else { continue }
            var page = page(number)
            if let content = former?.content {
                page = StoredPage(
                    number: number, revision: tree.stored, bytes: content.bytes ?? [],
                    counts: content.size.counts)
            }
            guard let page else { continue }
            found.append(page)
            history.append(tree)
        }
        return StoredScreen(head: state.head, pages: found, history: history)
    }
}
