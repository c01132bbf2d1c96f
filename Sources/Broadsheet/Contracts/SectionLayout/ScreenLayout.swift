/// What holds for a whole screen: UIKit keeps these on the layout object (layout.md, J `screen`).
public struct ScreenLayout: Sendable, Hashable {
    /// The axis the screen scrolls along.
    public var direction: Axis?
    /// The size of an item that has none of its own (F1: 50 by 50).
    public var itemSize: Size?
    /// What sections without their own fall back on (F2).
    public var inset: Insets?
    /// What sections without their own fall back on (F2).
    public var minimumLineSpacing: Double?
    /// What sections without their own fall back on (F2).
    public var minimumInteritemSpacing: Double?
    /// Between consecutive compositional sections, in points (C16).
    public var interSectionSpacing: Double?
    /// Whether headers stay in view while their sections do (D5).
    public var pinHeaders: Bool?
    /// Whether footers stay in view while their sections do (D6).
    public var pinFooters: Bool?

    /// A screen that says nothing.
    public init() {}
}
