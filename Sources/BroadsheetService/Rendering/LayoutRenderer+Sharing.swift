import Broadsheet
import BroadsheetIO

/// Layouts that many requests need at the same time.
extension LayoutRenderer {
    /// Returns a tree, a part of it, or a picture; that of a large screen from the cache, or from a
    /// worker thread, where one of the requests that need it at this time makes it for all.
    func content(
        of layout: StoredLayout, as form: LayoutForm, _ work: Work, _ memory: MemoryReservation
    ) async throws(Problem) -> LayoutContent {
        if let known = try await cachedContent(for: layout, as: form, memory) { return known }
        var cost = 0
        if layout.snapshot.mayBeExpensive {
            cost = WorkCost.layout(of: layout.snapshot.model, upTo: layout.page)
        }
        guard cost > Work.maxInlineCost else {
            return try await made(layout, as: form, work, memory)
        }
        return try await work.performAll { (work) throws(Problem) in
            let key = sharedKey(of: layout, as: form)
            let first = try await inProgress.perform(key, releasing: memory) {
                () async throws(Problem) in
                try await made(layout, as: form, work, memory)
            }
            guard first.isShared else { return first.value }
            // A response is sent once, so each request has one of its own, of the same layout,
            // which the first keeps in memory meanwhile.
            defer { withExtendedLifetime(first) {} }
            if let known = try await cachedContent(for: layout, as: form, memory) { return known }
            return try await made(layout, as: form, work, memory)
        }
    }

    /// Returns the content if it is in the cache.
    private func cachedContent(
        for layout: StoredLayout, as form: LayoutForm, _ memory: MemoryReservation
    ) async throws(Problem) -> LayoutContent? {
        let known = cachedContent(for: layout, as: form)
        if case .source? = known { try await memory.adjust(to: MemoryCost.output) }
        return known
    }

    private func made(
        _ layout: StoredLayout, as form: LayoutForm, _ work: Work,
        _ memory: MemoryReservation
    ) async throws(Problem) -> LayoutContent {
        // Kept meanwhile, so that they need not be made again without memory for them.
        let frames = cachedFrames(for: layout, as: form)
        defer { withExtendedLifetime(frames) {} }
        try await memory.adjust(
            to: MemoryCost.rendering(layout, as: form, isLaidOut: frames != nil),
            beside: layout.snapshot.model.reservedByteCount, for: .storedScreen)
        return try await work.perform(cost: 0) { () throws(Problem) in
            switch form {
            case .tree: try tree(of: layout, memory)
            case .part(let rectangle): try tree(of: layout, in: rectangle, memory)
            case .picture: .bytes(try picture(of: layout, memory))
            }
        }
    }
}
