/// Which page is shown (rules P1 and P5).
extension Carousel {
    /// The index of the page at `offset`, within `0..<pageCount`; 0 when there is none (P5).
    ///
    /// Overscrolling the start shows the last pages' indexes, never negative ones.
    public func pageIndex(at offset: Double) -> Int {
        guard pageCount > 0 else { return 0 }
        let count = Double(pageCount)
        let page = currentPage(at: offset).rounded(.toNearestOrAwayFromZero)
        let remainder = page.truncatingRemainder(dividingBy: count)
        let index = remainder < 0 ? remainder + count : remainder
        // Beyond 2^53 pages a Double may round the index up to their number, or beyond any Int.
        return (Int(exactly: index) ?? 0) % pageCount
    }

    /// The item that the frame at `index` shows, copies counted; 0 when there is none (P1).
    public func itemIndex(ofFrame index: Int) -> Int {
        guard pageCount > 0 else { return 0 }
        let remainder = index % pageCount
        return remainder < 0 ? remainder + pageCount : remainder
    }

    /// Whether the frame at `index`, copies counted, reports that it comes and goes: of three
    /// copies only the middle one does (P1).
    public func reportsDisplay(ofFrame index: Int) -> Bool {
        let reporting = copies == 3 ? 1 : 0
        return index >= 0 && pageCount > 0 && index / pageCount == reporting
    }
}
