/// How a client has scrolled a screen, and the sections in it that scroll sideways (rule V2).
public struct ScrollState: Sendable, Hashable {
    /// How far the screen is scrolled, which moves pinned elements; nil leaves them at rest.
    public var position: ScrollPosition?
    /// How far sections' own scrollers are scrolled from where reading starts, in points, by
    /// section index; those that are not there are at 0.
    public var orthogonalOffsets: [Int: Double]

    /// Makes a state; by default nothing is scrolled.
    public init(position: ScrollPosition? = nil, orthogonalOffsets: [Int: Double] = [:]) {
        self.position = position
        self.orthogonalOffsets = orthogonalOffsets
    }
}
