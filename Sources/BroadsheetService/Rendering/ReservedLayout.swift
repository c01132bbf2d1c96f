import Broadsheet
import BroadsheetIO
import Synchronization

/// A merged screen with its frames, from which trees, parts of trees and pictures are written.
final class ReservedLayout: Sendable {
    let merged: MergedScreen
    let frames: ScreenFrames

    /// The estimated size in memory, in bytes: frames, separators, index, sections, and the pages
    /// that are those of certain clients.
    ///
    /// The other pages are not included, since they belong to the snapshot of the screen.
    let byteCount: Int
    /// The number of these bytes that the layout needs beside the one that it continues.
    let ownByteCount: Int
    /// The size in memory that the layout that this one continues needs beside it, in bytes; `nil`
    /// if it continues none.
    let continuedByteCount: Int?

    private let index = Mutex<VisibilityIndex?>(nil)
    /// The index of the items by their ids, once a window needed it, with the reservation of its
    /// memory.
    private let items = Mutex<(index: PlacedItemIndex, memory: MemoryReservation)?>(nil)
    /// The origins of the elements, once a request needed them, with the reservation of their
    /// memory.
    private let origins = Mutex<(found: ScreenOrigins, memory: MemoryReservation)?>(nil)
    /// The reservations of this layout's memory and of that of the layouts that it continues.
    private let memory: Mutex<ChunkedList<MemoryReservation>>
    /// The layout with what a later one can take over, unless it is used only once.
    private let reusable: ReusableLayout?

    /// Lays out a screen once.
    ///
    /// - Complexity: O(sections + items).
    init(_ merged: MergedScreen, _ parameters: LayoutParameters) {
        self.merged = merged
        frames = merged.laidOut(by: parameters)
        byteCount = merged.byteCount(with: frames) + merged.variantByteCount(from: 0)
        ownByteCount = byteCount
        continuedByteCount = nil
        memory = Mutex([])
        reusable = nil
    }

    /// Lays out a version of a screen, from which those of later versions are made.
    ///
    /// - Parameter earlier: The layout of an earlier version.
    /// - Complexity: O(sections + items) without those that the earlier layout has.
    init(_ merged: MergedScreen, _ parameters: LayoutParameters, reusing earlier: ReservedLayout?) {
        let layout = ReusableLayout(merged, parameters, reusing: earlier?.reusable)
        self.merged = merged
        frames = layout.frames
        reusable = layout
        byteCount = merged.byteCount(with: frames) + merged.variantByteCount(from: 0)
        if let earlier, earlier.reusable != nil, merged.continues(earlier.merged) {
            ownByteCount =
                merged.byteCount(with: frames, beside: (earlier.merged, earlier.frames))
                + merged.variantByteCount(from: earlier.merged.variants.count)
            continuedByteCount = earlier.merged.byteCount(
                with: earlier.frames, beside: (merged, frames))
            memory = Mutex(earlier.memory.withLock { $0 })
        } else {
            ownByteCount = byteCount
            continuedByteCount = nil
            memory = Mutex([])
        }
    }

    /// Moves the memory of the layout from a reservation to the layout; what it shares with the
    /// layout that it continues is reserved already, as long as either of them is in use.
    func takeMemory(from reservation: MemoryReservation) {
        // The table of ids, which the first reuse makes, is not known before.
        if reservation.count < ownByteCount { _ = reservation.resize(to: ownByteCount) }
        let own = reservation.split(ownByteCount, for: .layouts)
        memory.withLock { $0.append(own) }
    }

    /// Moves the memory of the layout to the history, because it is of an earlier revision.
    func moveMemoryToHistory() {
        memory.withLock { $0.last }?.move(to: .history)
        items.withLock { $0?.memory }?.move(to: .history)
    }

    /// Returns every element in a rectangle (rules V1-V3); pinned and scrolled ones at their
    /// initial positions.
    ///
    /// - Complexity: O(sections + items) for the first call, which builds an index; proportional to
    ///   the result for all others.
    func elements(in rectangle: Frame) -> [LaidOutElement] {
        visibility.elements(in: rectangle)
    }

    /// The first access takes O(sections + items).
    var visibility: VisibilityIndex {
        if let known = index.withLock({ $0 }) { return known }
        // Outside of the lock, for which an event loop may wait.
        let made = VisibilityIndex(frames)
        return index.withLock { known in
            let first = known ?? made
            known = first
            return first
        }
    }

    /// The index of the items by their ids; `nil` until ``makeIndexes(_:)``.
    var itemIndex: PlacedItemIndex? { items.withLock { $0?.index } }

    /// Makes the indexes of frames and of items, unless they are there.
    ///
    /// - Parameter reservation: The reservation from which the index of items takes its memory.
    /// - Throws: The error of a lost connection.
    /// - Complexity: O(sections + items).
    func makeIndexes(_ reservation: MemoryReservation) throws(Problem) {
        _ = visibility
        guard itemIndex == nil else { return }
        let made = PlacedItemIndex(merged)
        // It may be incomplete otherwise.
        try Work.checkConnection()
        let own = reservation.split(made.byteCount, for: .layouts)
        items.withLock { if $0 == nil { $0 = (made, own) } }
    }

    var hasOrigins: Bool { origins.withLock { $0 != nil } }

    /// Returns the origins of the elements.
    ///
    /// - Parameter budget: The budget that their memory is reserved in as long as the layout keeps
    ///   them.
    /// - Complexity: O(bytes of the pages) for the first call, O(1) for all others.
    func origins(
        for audience: Audience, by registry: CellRegistry, in budget: MemoryBudget
    ) -> ScreenOrigins {
        if let known = origins.withLock({ $0?.found }) { return known }
        let made = ScreenOrigins(of: merged, for: audience, by: registry)
        let reservation = MemoryReservation(in: budget, for: .layouts)
        // The request has reserved more than this before (``MemoryCost/explaining(_:)``).
        reservation.charge(to: made.byteCount)
        return origins.withLock { known in
            let first = known ?? (made, reservation)
            known = first
            return first.found
        }
    }

    var diagnosticCounts: DiagnosticCounts { merged.diagnosticCounts(with: frames) }
}

extension MergedScreen {
    /// Returns the size in memory of the variants of pages from an index on, in bytes; their text
    /// is that of the stored pages.
    fileprivate func variantByteCount(from index: Int) -> Int {
        variants[index...].reduce(0) { $0 + $1.derivedByteCount }
    }
}
