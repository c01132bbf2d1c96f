import BroadsheetClient

/// The layout protocol: one way to arrange a section's items.
///
/// A layout arranges one section by itself, from the section's own start, without rounding. The
/// section's position in the screen and the reading direction are handled by the pipeline (G7). A
/// layout has no instances: everything that varies is in the section and the screen. Everything
/// that depends on the kind of a section is a requirement of this protocol, so that no other code
/// tests for a kind; `SectionLayout.Kind.allCases` lists the conforming types.
package protocol LayoutKind: Sendable {
    /// The value of `kind` in a section's layout (J).
    static var name: String { get }
    /// The members of a section's layout that have effect on this kind, besides those of every kind
    /// (J).
    static var memberNames: [String] { get }
    /// A Boolean value that indicates whether the layout needs a screen that scrolls vertically; in
    /// a horizontal screen its sections are laid out as flow (J).
    static var needsVerticalScreen: Bool { get }
    static var horizontalScreenDetail: String { get }
    /// The numbers of a frame that rounding changes: origins only (R2), or lengths too (R3).
    static var roundedParts: RoundedParts { get }
    /// The extent of a decoration that does not specify one (D1).
    static var decorationMode: DecorationOptions.Mode { get }
    /// The z-index of a decoration that does not specify one (G8).
    static var decorationZIndex: Int { get }

    /// Returns whether the viewport has an area that this layout can fill (G4).
    static func canLayOut(in context: LayoutContext) -> Bool

    /// Returns whether headers are pinned if neither the section nor the screen specifies it (D5,
    /// L7).
    static func pinsHeaders(_ layout: SectionLayout) -> Bool

    /// Returns the space between two consecutive sections of this kind, in points (C16).
    static func sectionSpacing(in screen: ScreenLayout) -> Double

    /// Returns the lengths that a carousel takes from a section, or `nil` if sections of this kind
    /// cannot turn pages (P1, P2).
    static func pageGeometry(of layout: SectionLayout, in context: LayoutContext) -> PageGeometry?

    /// Returns the members of a section's layout that have no effect on this kind because of other
    /// members.
    ///
    /// - Parameters:
    ///   - layout: The layout with the members to look at.
    ///   - registered: The layout that `layout` takes precedence over.
    static func membersWithoutEffect(
        in layout: SectionLayout, over registered: SectionLayout
    ) -> [MemberWithoutEffect]

    static var stateByteCount: Int { get }

    static func lintGeometry(of layout: SectionLayout, in context: LayoutContext) -> LintGeometry

    /// Returns the frames of a section; called only if `canLayOut(in:)` returns `true`.
    ///
    /// - Complexity: O(items).
    static func arrange(
        _ content: any SectionContent, in context: LayoutContext
    ) -> SectionArrangement
}

/// The lengths of a section that a carousel needs (P2, P13).
package struct PageGeometry: Sendable {
    /// The scroller whose content a carousel's pages are.
    enum Scroller: Sendable {
        /// The screen's: there is one carousel, without other sections (P1).
        case screen
        /// The section's own (C9).
        case section
    }

    var scroller: Scroller
    /// The section's insets along the scroller's axis, in points.
    var sectionInset: AxisEnds
    /// The space between two pages, in points.
    var lineSpacing: Double
}

extension LayoutKind {
    package static var roundedParts: RoundedParts { .originsAndSizes }
    package static var stateByteCount: Int { MemoryLayout<ArrangementState>.stride }
    package static var horizontalScreenDetail: String {
        LayoutDiagnostic.Code.needsVerticalScreen.explanation
    }
    package static var memberNames: [String] { [] }
    package static var decorationMode: DecorationOptions.Mode { .items }
    package static var decorationZIndex: Int { ZIndex.decoration }
    package static func canLayOut(in context: LayoutContext) -> Bool { context.crossViewport > 0 }
    /// The default: items may be of any size at any place, so that only the viewport is compared.
    package static func lintGeometry(
        of layout: SectionLayout, in context: LayoutContext
    ) -> LintGeometry { LintGeometry() }
    package static func pinsHeaders(_ layout: SectionLayout) -> Bool { false }
    package static func sectionSpacing(in screen: ScreenLayout) -> Double { 0 }
    package static func pageGeometry(
        of layout: SectionLayout, in context: LayoutContext
    ) -> PageGeometry? { nil }
    package static func membersWithoutEffect(
        in layout: SectionLayout, over registered: SectionLayout
    ) -> [MemberWithoutEffect] { [] }
}

extension SectionLayout {
    /// Returns the kind in effect in a screen that scrolls along `axis` (J).
    func kind(along axis: ScreenAxis) -> Kind {
        let kind = kind ?? .standard
        return axis == .horizontal && kind.layout.needsVerticalScreen ? .standard : kind
    }
}

/// The values that a layout needs besides the section itself, sanitised (rule G2).
package struct LayoutContext: Sendable {
    package let axis: ScreenAxis
    /// The viewport's lengths in points, in 0...1e9.
    package let viewport: Size
    /// The posted number of device pixels per point; possibly not a usable scale (R1).
    package let scale: Double
    package let screen: ScreenLayout
    /// The part of the cross axis that the current section is laid out in (G9).
    private(set) var area: SectionArea
    private let whole: Container
    /// The safe area, its sides as in a screen that is read from left to right.
    private let safeArea: Insets?
    package var sectionIndex = 0
    /// The configuration of the carousel that the current section is in the screen's own scroller,
    /// or `nil` if it is none (P1).
    var paging: PagingOptions?
    /// An earlier arrangement of the current section with the same layout in the same environment,
    /// from which a layout can take over the items that have not changed.
    ///
    /// A layout that does not use it arranges all items.
    var earlier: EarlierArrangement?

    /// Creates the context of a screen from its environment, sanitised.
    package init(_ environment: LayoutEnvironment) {
        axis = environment.screen.direction ?? .vertical
        viewport = Sanitation.size(environment.viewport.size)
        area = SectionArea(whole: viewport[axis.cross])
        safeArea = environment.viewport.safeArea.map { sides in
            var sides = Sanitation.insets(sides)
            // A safe area is physical; R4 mirrors what is laid out in it.
            if environment.viewport.direction == .rtl { swap(&sides.left, &sides.right) }
            return sides
        }
        scale = environment.viewport.scale
        screen = environment.screen
        var whole = Container(
            viewport: viewport, available: viewport, axis: axis,
            textScale: environment.viewport.textScale,
            pixelScale: PixelGrid.textScale(scale, environment.rounding))
        whole.lintMargin = environment.textMargin
        self.whole = whole
    }

    package var mainViewport: Double { viewport[axis] }
    package var crossViewport: Double { viewport[axis.cross] }

    /// Returns the values for a section with a layout: its area may be narrower (G9).
    func inArea(of layout: SectionLayout) -> LayoutContext {
        var context = self
        context.area = area(of: layout)
        return context
    }

    func area(of layout: SectionLayout) -> SectionArea {
        SectionArea(of: layout, safeArea: safeArea, in: viewport, along: axis)
    }

    /// Returns the container of a cell: `cross` points across the screen, and the viewport's length
    /// along the main axis.
    package func container(cross: Double) -> Container {
        var container = whole
        container.available[axis.cross] = cross
        return container
    }
}

/// Everything that a screen's frames depend on besides its sections.
public struct LayoutEnvironment: Sendable, Hashable {
    /// The viewport of the requesting device.
    public var viewport: Viewport
    /// The layout of the screen as a whole.
    public var screen: ScreenLayout
    /// The relation of frames to device pixels.
    public var rounding: Rounding

    /// A Boolean value that indicates whether the diagnostics include those of lint, which costs a
    /// second layout (`LayoutLint`).
    public var lints: Bool
    /// Lint: the difference of a width that may not change a text's lines; 0 without lint.
    var textMargin = 0.0
    /// Lint: the indexes of the sections to which the next page can add items.
    var openSections: Set<Int> = []
    /// Lint: whether texts of every content are compared with those at the text size 1.
    var comparesAllTexts = false

    /// Creates an environment.
    ///
    /// - Parameters:
    ///   - viewport: The viewport of the requesting device.
    ///   - screen: The layout of the screen as a whole.
    ///   - rounding: The relation of frames to device pixels.
    ///   - lints: A Boolean value that indicates whether the diagnostics include those of lint.
    public init(
        viewport: Viewport = Viewport(), screen: ScreenLayout = ScreenLayout(),
        rounding: Rounding = .pixel, lints: Bool = false
    ) {
        self.viewport = viewport
        self.screen = screen
        self.rounding = rounding
        self.lints = lints
    }
}
