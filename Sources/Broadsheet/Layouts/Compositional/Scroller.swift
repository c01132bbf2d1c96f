import BroadsheetClient

/// The horizontal scroller of a section: its content and the offsets at which it rests (rule C10).
struct Scroller {
    private let stack: GroupStack
    private let metrics: CompositionalMetrics
    private let contentWidth: Double

    /// Creates the scroller of groups that are all placed.
    init(_ stack: GroupStack, _ metrics: CompositionalMetrics) {
        self.stack = stack
        self.metrics = metrics
        let groups = Double(stack.count)
        contentWidth =
            metrics.scrollerInset.leading + groups * stack.groupWidth
            + metrics.lineSpacing * max(0, groups - 1) + metrics.scrollerInset.trailing
    }

    /// The greatest number of resting offsets listed; wide content in a narrow viewport has
    /// billions of pages, and a section may have a group for each of a million items.
    static let offsetLimit = 10_000

    /// The length in points that content must exceed on a page for the page to count.
    private static let sliver = 0.001

    /// Returns the scroller's values for a tree; its frame is in the section's coordinates.
    func scroll(properties: CompositionalOptions.ScrollProperties?) -> OrthogonalScroll {
        let offsets = listedOffsets
        let isCentered = metrics.scrolling == .groupPagingCentered
        return OrthogonalScroll(
            axis: .horizontal, behavior: metrics.scrolling,
            frame: Frame(
                x: 0, y: stack.top, width: metrics.viewport.width, height: stack.contentHeight),
            contentSize: Size(width: max(0, contentWidth), height: stack.contentHeight),
            restingOffsets: offsets, initialOffset: isCentered ? offsets.first ?? 0 : 0,
            properties: properties)
    }

    var isTruncated: Bool { offsetCount > Double(Self.offsetLimit) }

    /// The number of offsets at which the scroller rests; 0 if it rests anywhere.
    private var offsetCount: Double {
        switch metrics.scrolling {
        case .none, .continuous: 0
        case .continuousGroupLeadingBoundary, .groupPaging, .groupPagingCentered:
            Double(stack.count)
        case .paging: pages
        }
    }

    private var listedOffsets: RestingOffsets {
        let listed = Int(min(offsetCount, Double(Self.offsetLimit)))
        let leading = metrics.scrollerInset.leading
        return switch metrics.scrolling {
        case .none, .continuous:
            .anywhere
        case .continuousGroupLeadingBoundary, .groupPaging:
            RestingOffsets(
                count: listed, origin: leading, pitch: stack.groupPitch,
                alignment: (0, leading), bounds: (0, maxOffset))
        case .paging:
            RestingOffsets(count: listed, pitch: metrics.viewport.width, bounds: (0, maxOffset))
        case .groupPagingCentered:
            RestingOffsets(
                count: listed, origin: leading, pitch: stack.groupPitch,
                alignment: (stack.groupWidth / 2, metrics.viewport.width / 2))
        }
    }

    private var maxOffset: Double { max(0, contentWidth - metrics.viewport.width) }

    /// The number of pages of the viewport's width that the content fills; at least 1.
    private var pages: Double {
        max(1, ((contentWidth - Self.sliver) / metrics.viewport.width).rounded(.up))
    }
}
