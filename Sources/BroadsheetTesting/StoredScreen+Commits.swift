package import BroadsheetStores

/// The effects of commits on a screen as a value, which stores are compared with.
extension StoredScreen {
    /// The caller removes the screen for a `removeScreen`; here it only loses its pages.
    package mutating func apply(_ commit: ScreenCommit, revision: UInt64) {
        head.revision = revision
        switch commit {
        case .putPages(let put, let totals):
            for page in put { self.put(StoredPage(page, revision: revision)) }
            if let totals { head.size.counts = totals }
        case .replacePages(let put, let kept, let totals):
            for page in put { self.put(StoredPage(page, revision: revision)) }
            removeAll(except: Set(put.map(\.number) + kept), at: revision)
            if let totals { head.size.counts = totals }
        case .removePage(let number):
            remove(number)
            history.remove(number, at: revision)
        case .removeAllPages, .removeScreen:
            pages = []
            head = ScreenHead(revision: revision)
            history.removeAll(at: revision)
        }
        head.highestPage = pages.last?.number
    }

    /// Returns a part of a screen with all its pages, unless it exceeds a limit.
    func load(_ part: ScreenPart, within limits: ReadLimits) -> ScreenLoad {
        guard part.end != .none else {
            let floor = TreeHistory(floor: history.floor)
            return .screen(StoredScreen(head: head, pages: [], history: floor))
        }
        if let excess = limits.excess(of: head.size) { return .tooLarge(head, excess) }
        let found = pages[range(of: part)]
        for page in found {
            if let excess = limits.excess(ofPage: page.number, byteCount: page.bytes.count) {
                return .tooLarge(head, excess)
            }
        }
        if found.count == pages.count { return .screen(self) }
        var part = TreeHistory(floor: history.floor)
        let numbers = Set(found.map(\.number))
        for page in history.pages where numbers.contains(page.number) { part.append(page) }
        return .screen(StoredScreen(head: head, pages: Array(found), history: part))
    }

    private func range(of part: ScreenPart) -> Range<Int> {
        let start = index(of: part.start)
        let end =
            switch part.end {
            case .none: start
            case .lowest: 1
            case .after(let page): page < .max ? index(of: page + 1) + 1 : pages.count
            case .highest: pages.count
            }
        return start..<max(start, min(end, pages.count))
    }

    private mutating func put(_ page: StoredPage) {
        history.put(page.number, at: page.revision)
        head.latestPage = page.number
        let index = index(of: page.number)
        if index < pages.count, pages[index].number == page.number {
            head.size.replace(pages[index].size, with: page.size)
            pages[index] = page
        } else {
            head.size.replace(nil, with: page.size)
            pages.insert(page, at: index)
        }
    }

    private mutating func remove(_ number: Int) {
        let index = index(of: number)
        guard index < pages.count, pages[index].number == number else { return }
        head.size.replace(pages.remove(at: index).size, with: nil)
        if head.latestPage == number { head.latestPage = pages.last?.number ?? 0 }
    }

    private mutating func removeAll(except kept: Set<Int>, at revision: UInt64) {
        for page in pages where !kept.contains(page.number) {
            head.size.replace(page.size, with: nil)
            history.remove(page.number, at: revision)
        }
        pages.removeAll { !kept.contains($0.number) }
        head.latestPage = pages.last?.number ?? 0
    }

    /// Returns the index of the first page whose number is at least `number`.
    private func index(of number: Int) -> Int {
        pages.firstIndex { $0.number >= number } ?? pages.count
    }
}
