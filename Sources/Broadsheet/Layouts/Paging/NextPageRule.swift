/// When a client asks for the next page (rule P12).
public enum NextPageRule {
    /// How many viewports before the content's end the next page is asked for.
    public static let viewportsAhead = 3.0

    /// Whether to ask now; to be evaluated whenever a cell is bound, in every layout.
    ///
    /// Content shorter than three viewports is always short of a page.
    ///
    /// - Parameters:
    ///   - hasNext: Whether there is a next page.
    ///   - isLoading: Whether one is on its way already.
    ///   - hasSections: Whether anything is shown yet.
    ///   - offset: How far the screen is scrolled along its main axis, in points.
    ///   - contentLength: How long its content is, in points.
    ///   - viewportLength: What the viewport shows of it, in points.
    public static func asksForNextPage(
        hasNext: Bool, isLoading: Bool, hasSections: Bool, offset: Double, contentLength: Double,
        viewportLength: Double
    ) -> Bool {
        guard hasNext, !isLoading else { return false }
        return !hasSections || offset > contentLength - viewportsAhead * viewportLength
    }
}
