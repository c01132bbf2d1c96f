/// The state of a screen before a commit, while the commit changes it.
struct FormerDraft {
    /// The state.
    private(set) var state: FormerState
    /// The positions of the pages in the state, by their numbers.
    private var positions: [Int: Int] = [:]

    /// Begins with a state without pages.
    init(_ state: FormerState) { self.state = state }

    /// Returns whether the state of a page is noted.
    func hasNoted(_ number: Int) -> Bool { positions[number] != nil }

    /// Notes the state of a page before its first change.
    ///
    /// - Parameters:
    ///   - number: The number of the page.
    ///   - tree: Its revisions; `nil` if there was no such page.
    ///   - content: The content that is replaced or removed; `nil` if it stays.
    mutating func note(
        _ number: Int, _ tree: TreeHistory.Page?, replaced content: FormerPage.Content? = nil
    ) {
        guard let position = positions[number] else {
            positions[number] = state.pages.count
            return state.pages.append(
                FormerPage(number: number, tree: tree, replaced: content))
        }
        let known = state.pages[position]
        if known.tree != nil, known.replaced == nil { state.pages[position].replaced = content }
    }

    /// Notes that all pages stay in their folder.
    mutating func noteWholeFolder() { state.hasWholeFolder = true }
}
