/// The rule by which a client requests the next page of a screen (rule P12).
public enum NextPageRule {
    /// The distance from the content's end within which the next page is due, in viewport lengths.
    public static let viewportsAhead = 3.0

    /// Returns whether the next page is due.
    ///
    /// Evaluate the rule each time a cell is bound, in every layout. The next page of content
    /// shorter than three viewports is always due, unless it is that of a window.
    ///
    /// - Parameters:
    ///   - hasNext: A Boolean value that indicates whether there is a next page.
    ///   - isLoading: A Boolean value that indicates whether a page is being loaded.
    ///   - hasSections: A Boolean value that indicates whether the screen shows any section.
    ///   - offset: The scroll offset along the main axis, in points.
    ///   - contentLength: The content's length along the main axis, in points.
    ///   - viewportLength: The viewport's length along the main axis, in points.
    ///   - window: The window that the content is; `nil` for the pages from the first one on.
    public static func isNextPageDue(
        hasNext: Bool, isLoading: Bool, hasSections: Bool, offset: Double, contentLength: Double,
        viewportLength: Double, window: TreeWindow? = nil
    ) -> Bool {
        guard hasNext, !isLoading else { return false }
        return !hasSections
            || offset > contentLength - distance(viewportLength: viewportLength, in: window)
    }

    /// Returns whether the previous page of a window is due.
    ///
    /// Evaluate the rule each time a cell is bound, in every layout.
    ///
    /// - Parameters:
    ///   - hasPrevious: A Boolean value that indicates whether there is a previous page.
    ///   - isLoading: A Boolean value that indicates whether a page is being loaded.
    ///   - offset: The distance of the scroll position from the window's start, in points.
    ///   - viewportLength: The viewport's length along the main axis, in points.
    ///   - window: The window; without it the lengths of the window do not count.
    public static func isPreviousPageDue(
        hasPrevious: Bool, isLoading: Bool, offset: Double, viewportLength: Double,
        window: TreeWindow? = nil
    ) -> Bool {
        hasPrevious && !isLoading
            && offset < distance(viewportLength: viewportLength, in: window)
    }

    /// Returns the distance from the end of the content within which a page is due, in points.
    ///
    /// In a window it is a quarter of the window's lengths at most: the page on one side moves the
    /// window by half of them, which must not make the page on the other side due.
    private static func distance(viewportLength: Double, in window: TreeWindow?) -> Double {
        let distance = viewportsAhead * viewportLength
        return window.map { min(distance, ($0.before + $0.after) / 4) } ?? distance
    }
}
