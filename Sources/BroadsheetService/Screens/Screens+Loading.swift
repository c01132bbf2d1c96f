import BroadsheetIO
import BroadsheetStores

/// Reading from the store within the memory budget.
///
/// A screen or page whose size is not known is first requested up to a small size. The store
/// responds to a larger one with its size alone, for which memory is then reserved.
extension Screens {
    /// The size up to which a screen or page is read without memory reserved for it, in bytes.
    static let maxUnreservedBytes = MemoryBudget.maxUnqueuedBytes
    /// The number of attempts to read what becomes larger between two of them.
    static let maxLoads = 4

    /// Returns a part of a screen, unless its revision is still `revision`.
    ///
    /// - Parameter memory: The reservation that is made large enough for a large screen; `nil` if
    ///   none is read.
    /// - Returns: `nil` for a large screen if there is no reservation.
    /// - Throws: `OVERLOADED` if the memory was not free in time.
    func load(
        _ screen: ScreenName, unlessAt revision: UInt64?, _ part: ScreenPart,
        in memory: MemoryReservation?
    ) async throws(Problem) -> ScreenLoad? {
        try await load(part, in: memory, within: configuration.readLimits) {
            (limits) async throws(Problem) in
            try await load(screen, unlessAt: revision, part, within: limits)
        }
    }

    /// Returns a part of a screen, which `load` reads within limits.
    ///
    /// - Parameters:
    ///   - memory: The reservation that is made large enough for a large screen; `nil` if none is
    ///     read.
    ///   - limits: The limits; the first try has a lower one of the size.
    /// - Returns: `nil` for a large screen if there is no reservation.
    func load(
        _ part: ScreenPart, in memory: MemoryReservation?, within limits: ReadLimits,
        _ load: (ReadLimits) async throws(Problem) -> ScreenLoad
    ) async throws(Problem) -> ScreenLoad? {
        var readable = limits
        readable.screen.byteCount = min(limits.screen.byteCount, Self.maxUnreservedBytes)
        for _ in 0..<Self.maxLoads {
            let loaded = try await load(readable)
            guard case .tooLarge(let head, _) = loaded,
                head.size.byteCount > readable.screen.byteCount
            else { return loaded }
            if let excess = limits.excess(of: head.size) { return .tooLarge(head, excess) }
            guard let memory else { return nil }
            try await memory.need(loadingBytes(of: part, head.size), for: .storedScreen)
            readable.screen.byteCount = head.size.byteCount
        }
        throw .tooLittleMemory
    }

    /// Returns the memory to reserve before the pages of a screen are read: at most half of the
    /// budget, since the largest page is only known afterwards.
    func loadingBytes(of part: ScreenPart, _ size: ScreenSize) -> Int {
        let largest = min(size.byteCount, configuration.readLimits.pageBytes)
        let count = part.end == .lowest ? largest : size.byteCount
        return min(memory.limit / 2, count + MemoryCost.indexing(bytes: largest))
    }

    /// Returns the screen without its pages, and one of them with its bytes, unless they exceed
    /// the limit of a page.
    ///
    /// - Parameter reserved: The reservation that is made large enough for the bytes.
    /// - Throws: `OVERLOADED` if the memory was not free in time.
    func readPage(
        _ number: Int?, of screen: ScreenName, _ reserved: MemoryReservation
    ) async throws(Problem) -> PageLoad? {
        let limit = configuration.readLimits.pageBytes
        var readable = min(limit, Self.maxUnreservedBytes)
        for _ in 0..<Self.maxLoads {
            let found = try await readPage(number, of: screen, atMost: readable)
            guard let page = found?.page, found?.bytes == nil, page.byteCount <= limit else {
                return found
            }
            try await reserved.need(page.byteCount, for: .storedScreen)
            readable = page.byteCount
        }
        throw .tooLittleMemory
    }

    func readPage(
        _ number: Int?, of screen: ScreenName, atMost byteCount: Int?
    ) async throws(Problem) -> PageLoad? {
        try await asking { () async throws(StoreError) in
            try await store.page(number, of: screen, atMost: byteCount)
        }
    }
}
