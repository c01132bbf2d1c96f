/// The rule by which a client requests the next page of a screen (rule P12).
public enum NextPageRule {
    /// The distance from the content's end within which the next page is due, in viewport lengths.
    public static let viewportsAhead = 3.0

    /// Returns whether the next page is due.
    ///
    /// Evaluate the rule each time a cell is bound, in every layout. The next page of content
    /// shorter than three viewports is always due.
    ///
    /// - Parameters:
    ///   - hasNext: A Boolean value that indicates whether there is a next page.
    ///   - isLoading: A Boolean value that indicates whether a page is being loaded.
    ///   - hasSections: A Boolean value that indicates whether the screen shows any section.
    ///   - offset: The scroll offset along the main axis, in points.
    ///   - contentLength: The content's length along the main axis, in points.
    ///   - viewportLength: The viewport's length along the main axis, in points.
    public static func isNextPageDue(
        hasNext: Bool, isLoading: Bool, hasSections: Bool, offset: Double, contentLength: Double,
        viewportLength: Double
    ) -> Bool {
        guard hasNext, !isLoading else { return false }
        return !hasSections || offset > contentLength - viewportsAhead * viewportLength
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
    public static func isPreviousPageDue(
        hasPrevious: Bool, isLoading: Bool, offset: Double, viewportLength: Double
    ) -> Bool {
        hasPrevious && !isLoading && offset < viewportsAhead * viewportLength
    }
}
