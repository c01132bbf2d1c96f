import Broadsheet
import BroadsheetStores

/// The diagnostics that the screens in memory have with the catalogs that were put into service.
struct CatalogPreview: Sendable, Hashable {
    private(set) var screenCount = 0
    private(set) var before = DiagnosticCounts()
    private(set) var after = DiagnosticCounts()
    /// The names of the first screens with diagnostics, in the order of names.
    private(set) var screens: [String] = []
    /// The number of screens with diagnostics.
    private(set) var affectedCount = 0

    /// The largest number of screens that the log names.
    static let maxScreens = 10

    /// Resolves every page of `snapshots` by the catalog of the same name and counts the
    /// diagnostics; `nil` if `isCurrent` returned `false` before the end.
    ///
    /// A screen that several catalogs have resolved counts once for each of them that is still
    /// there.
    ///
    /// One page at a time is resolved and then discarded, so that the memory for it is bounded.
    ///
    /// - Complexity: O(bytes of the pages).
    init?(
        of catalogs: ActiveCatalogs, for snapshots: [ScreenSnapshot], limits: ScreenLimits,
        while isCurrent: () -> Bool
    ) async {
        for snapshot in snapshots.sorted(by: { $0.title < $1.title }) {
            guard let catalog = catalogs[snapshot.catalog.name] else { continue }
            screenCount += 1
            var counts = DiagnosticCounts()
            for page in snapshot.model.pages {
                guard isCurrent() else { return nil }
                before.add(page.diagnosticCounts)
                // The page was accepted, so its bytes are valid JSON; with the new catalog it may
                // make more items than a page may have.
                if let document = try? JSONDocument(page.bytes, maxDepth: .max),
                    let resolved = try? ResolvedPage(
                        accepted: document, number: page.number, by: catalog.registry,
                        limits: limits)
                {
                    counts.add(resolved.diagnosticCounts)
                }
                await Task.yield()
            }
            add(counts, of: snapshot)
        }
    }

    private mutating func add(_ counts: DiagnosticCounts, of snapshot: ScreenSnapshot) {
        after.add(counts)
        guard counts.total > 0 else { return }
        affectedCount += 1
        if screens.count < Self.maxScreens { screens.append(snapshot.title) }
    }

    var detail: String {
        guard after.total > 0 else {
            return "no diagnostics in \(screenCount) screens (before: \(before.total))"
        }
        let codes = after.byCode.sorted { $0.key.rawValue < $1.key.rawValue }
            .map { "\($0.value) \($0.key.rawValue)" }
        let others = affectedCount - screens.count
        return "\(after.total) diagnostics (before: \(before.total)) in \(affectedCount) of "
            + "\(screenCount) screens: \(codes.joined(separator: ", ")); "
            + screens.joined(separator: ", ") + (others > 0 ? " and \(others) more" : "")
    }
}

extension ScreenSnapshot {
    /// The name of the screen, with that of the catalog if it has one.
    fileprivate var title: String {
        name.text + (catalog.name.map { " (\($0.text))" } ?? "")
    }
}

extension LogRecord {
    /// Creates the record of a reloaded catalog's effect; a warning if there are more diagnostics
    /// than with the catalog before.
    init(_ preview: CatalogPreview) {
        self.init(
            preview.after.total > preview.before.total ? .warning : .info,
            "screens in memory with the new catalog", detail: preview.detail)
    }
}
