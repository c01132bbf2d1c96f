import Broadsheet
import BroadsheetStores

extension Screens {
    /// Returns the state of a screen that has the tree of a client: from memory, or else from the
    /// history of the store; `nil` if neither has it.
    ///
    /// - Parameter snapshot: The screen with the tree that the client wants.
    func known(
        _ request: ChangesRequest, wanting snapshot: ScreenSnapshot, _ work: Work
    ) async -> ScreenSnapshot? {
        let since = request.since.revision
        if request.revision == nil {
            guard since <= snapshot.revision else { return nil }
            let known = history.snapshot(of: snapshot, from: since, upTo: request.has.end)
            if let known, known.hasTree(of: request.has, at: since) { return known }
        }
        guard since != snapshot.revision else { return snapshot }
        guard since > 0 else { return nil }
        // Without it the changes are a reset.
        return try? await earlier(
            snapshot.name, at: since, upTo: request.has.end, by: snapshot.catalog,
            work.withOwnMemory())
    }
}

extension ScreenSnapshot {
    fileprivate func hasTree(of extent: PageExtent, at revision: UInt64) -> Bool {
        do throws(Problem) {
            // `nil` for a tree without pages, which has a revision too.
            let page = try extent.highestPage(in: model)
            return treeRevision(upTo: page, isOpen: extent.isOpen(above: page)) <= revision
        } catch {
            return revision >= self.revision
        }
    }
}
