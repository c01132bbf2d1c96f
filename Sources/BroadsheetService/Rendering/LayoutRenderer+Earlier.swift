import Broadsheet
import BroadsheetIO

/// Layouts of earlier revisions, which are not cached.
extension LayoutRenderer {
    /// Returns a tree, a part of it, or a picture of an earlier revision.
    ///
    /// - Parameter memory: The reservation for the work of the request.
    func earlierContent(
        of layout: StoredLayout, as form: LayoutForm, _ work: Work, _ memory: MemoryReservation
    ) async throws(Problem) -> LayoutContent {
        try await memory.adjust(
            to: MemoryCost.rendering(layout, as: form, isLaidOut: false),
            beside: layout.snapshot.model.reservedByteCount, for: .storedScreen)
        let cost = WorkCost.layout(of: layout.snapshot.model, upTo: layout.page)
        return try await work.perform(cost: cost) { () throws(Problem) in
            try measured { () throws(Problem) in
                let lint = form == .tree && layout.parameters.lint
                let screen = try layout.makeLayout(lint: lint)
                screen.takeMemory(from: memory)
                try screen.merged.checkEssentialSections()
                try Work.checkConnection()
                let content = try content(of: screen, layout, as: form)
                content.keep(screen)
                return content
            }
        }
    }
}
