import BroadsheetStores
import BroadsheetTesting
import Testing

/// A writer that stores several pages with each commit to its own screen.
///
/// Revision *n* replaces the first pages and adds one, and the bytes of every page name the
/// revision. A part of a commit, or a mixture of two, is therefore visible in the stored screen.
/// A writer of whole screens also keeps the page that the last commit added, and removes the one
/// before it.
struct CommitWriter: Sendable {
    /// The number of pages that each commit replaces.
    private static let replaced = 6

    /// The screen of the writer.
    let screen: ScreenName
    /// The approximate number of bytes of a page.
    let pageBytes: Int
    /// A Boolean value that indicates whether each commit replaces all pages.
    var replacesAll = false

    /// Returns the change of a revision.
    func change(to revision: UInt64) -> ScreenCommit {
        let pages = pages(of: revision)
        guard replacesAll else { return .putPages(pages, totals: nil) }
        return .replacePages(pages, keeping: [added(by: revision - 1)], totals: nil)
    }

    /// Returns the pages that a revision stores.
    private func pages(of revision: UInt64) -> [PutPage] {
        // The added page is the first one, so that the latest page is not the highest one.
        ([added(by: revision)] + Array(0..<Self.replaced)).map { put($0, at: revision) }
    }

    /// Stores the pages of the next revisions until a commit fails, or the task is cancelled.
    ///
    /// - Returns: The last acknowledged revision; 0 if there is none.
    @discardableResult
    func write(
        to store: ScreenStore, upTo last: UInt64 = .max,
        onAcknowledgment: @Sendable (UInt64) -> Void = { _ in }
    ) async -> UInt64 {
        var revision: UInt64 = 0
        while revision < last, !Task.isCancelled {
            let expected = revision == 0 ? nil : revision
            let next = try? await store.commit(
                change(to: revision + 1), to: screen, expecting: expected)
            guard let next else { break }
            revision = next
            onAcknowledgment(next)
        }
        return revision
    }

    /// Returns writers of pages and of whole screens in turn, whose screens begin with a name.
    static func several(
        _ count: Int, _ name: String, pageBytes: Int = 10_000
    ) throws -> [CommitWriter] {
        try (0..<count).map { index in
            CommitWriter(
                screen: try BroadsheetTesting.name("\(name)-\(index)"), pageBytes: pageBytes,
                replacesAll: !index.isMultiple(of: 2))
        }
    }

    /// Lets writers store pages at the same time, until a commit of each fails.
    ///
    /// - Returns: The last acknowledged revision of each; 0 if there is none.
    static func write(
        _ writers: [CommitWriter], to store: ScreenStore, upTo last: UInt64 = .max,
        onAcknowledgment: @escaping @Sendable () -> Void = {}
    ) async -> [UInt64] {
        await withTaskGroup(of: (Int, UInt64).self) { group in
            for (index, writer) in writers.enumerated() {
                group.addTask {
                    (index, await writer.write(to: store, upTo: last) { _ in onAcknowledgment() })
                }
            }
            var acknowledged = [UInt64](repeating: 0, count: writers.count)
            for await (index, last) in group { acknowledged[index] = last }
            return acknowledged
        }
    }

    /// Expects the stored screen to have all pages of its revision, and of those before it the ones
    /// that are not removed.
    ///
    /// - Parameter acknowledged: The last acknowledged revision; 0 if there is none.
    /// - Returns: The revision; 0 if there is no screen.
    @discardableResult
    func expectWhole(
        in store: ScreenStore, atLeast acknowledged: UInt64 = 0, _ comment: Comment
    ) async throws -> UInt64 {
        guard case .screen(let stored) = try await store.load(screen, unlessAt: nil) else {
            #expect(acknowledged == 0, comment)
            return 0
        }
        let revision = stored.revision
        #expect(revision >= max(1, acknowledged), comment)
        var expected = (0..<Self.replaced).map { (put($0, at: revision), revision) }
        let first = replacesAll ? max(2, revision) - 1 : 1
        expected += (first...max(first, revision)).map { (put(added(by: $0), at: $0), $0) }
        let pages = expected.map { StoredPage($0, revision: $1) }
        #expect(stored.pages.map(\.head) == pages.map(\.head), comment)
        #expect(stored.pages.map(\.bytes) == pages.map(\.bytes), comment)
        let latest = replacesAll ? added(by: revision) : Self.replaced - 1
        let whole = StoredScreen(revision: revision, latestPage: latest, pages: pages)
        #expect(stored.head == whole.head, comment)
        return revision
    }

    /// Expects each kept revision of the stored screen to be as it was, byte for byte, and those
    /// before them to be gone.
    func expectHistory(in store: ScreenStore, _ comment: Comment) async throws {
        let list = try await store.revisions(of: screen, before: nil, limit: 1000)
        guard let list else { return }
        #expect(list.entries.map(\.revision) == (list.first...list.revision).reversed(), comment)
        var state = StoredScreen(revision: 0)
        for revision in 1...list.revision {
            state.apply(change(to: revision), revision: revision)
            guard revision + 2 >= list.first else { continue }
            let found = try await store.load(screen, at: revision, .all, within: .unlimited)
            #expect(found == (revision < list.first ? .absent : .screen(state)), comment)
        }
    }

    private func added(by revision: UInt64) -> Int { Self.replaced + Int(clamping: revision) }

    private func put(_ number: Int, at revision: UInt64) -> PutPage {
        let line = "\(screen) \(revision) \(number);"
        let text = String(repeating: line, count: 1 + (pageBytes + number) / line.utf8.count)
        return PutPage(
            number: number, bytes: Array(text.utf8),
            counts: ContentCounts(sections: 1, items: number))
    }
}
