/// The steps that are asked for while one is still being animated: they add up, and run as one
/// step when it has ended (rule P9).
public struct PendingSteps: Sendable, Hashable {
    /// Whether a step is under way.
    public private(set) var isAnimating = false
    /// What has been asked for since it began, in pages.
    public private(set) var pages = 0

    /// Nothing under way.
    public init() {}

    /// Asks for a step, and returns what is to be animated at once; 0 when it has to wait.
    public mutating func request(_ pages: Int) -> Int {
        if isAnimating {
            self.pages &+= pages
            return 0
        }
        isAnimating = pages != 0
        return pages
    }

    /// Ends the animation under way, and returns what is to be animated next; 0 when nothing is.
    public mutating func animationEnded() -> Int {
        isAnimating = false
        defer { pages = 0 }
        return request(pages)
    }
}
