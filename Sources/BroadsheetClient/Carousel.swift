/// The lengths of a section that turns pages, and the offsets that follow from them (rules P1-P7).
///
/// All lengths and offsets are in points along the axis of the scroller that turns the pages: the
/// screen's, or a section's own. Offsets are measured from the edge at which reading starts (R6);
/// `physicalOffset(_:)` converts them for right-to-left screens. Nothing is rounded. The layout
/// creates a carousel for a screen of exactly one flow section, and for each section of cards that
/// turns pages (P13). A client with content insets of its own derives another with
/// `with(contentInset:)`. Numbers that are not finite count as 0, so that every result is finite.
public struct Carousel: Sendable, Hashable {
    /// The carousel's configuration.
    public let options: PagingOptions
    /// The number of pages, without copies: n (P1).
    public let pageCount: Int
    /// The number of times the items are shown: odd, from 3 to 33, in an infinite carousel,
    /// otherwise 1 (P1).
    public let copies: Int
    /// The viewport's length: L (P2).
    public let viewportLength: Double
    /// The content's length, copies included: C (P2).
    public let contentLength: Double
    /// The scroller's own insets before and after the content: ci0 and ci1 (P2).
    public let contentInset: AxisEnds
    /// The section's insets before and after its lines: si0 and si1 (P2).
    public let sectionInset: AxisEnds
    /// The length of the first item: i (P2).
    public let itemLength: Double
    /// The space between two pages: sp (P2).
    public let lineSpacing: Double

    /// The greatest number of times that the items are shown (P1).
    package static let maxCopies = 33

    /// Creates a carousel from its lengths in points (P2).
    ///
    /// - Parameters:
    ///   - options: The configuration.
    ///   - pageCount: The number of pages, without copies; a negative number counts as 0.
    ///   - copies: The number of times the items are shown; at least 1.
    ///   - viewportLength: The viewport's length.
    ///   - contentLength: The content's length, copies included.
    ///   - contentInset: The scroller's own insets.
    ///   - sectionInset: The section's insets.
    ///   - itemLength: The length of the first item.
    ///   - lineSpacing: The space between two pages.
    public init(
        options: PagingOptions, pageCount: Int, copies: Int = 1, viewportLength: Double,
        contentLength: Double, contentInset: AxisEnds = AxisEnds(),
        sectionInset: AxisEnds = AxisEnds(),
        itemLength: Double, lineSpacing: Double
    ) {
        self.options = options
        self.pageCount = max(0, pageCount)
        self.copies = max(1, copies)
        self.viewportLength = viewportLength.finiteLength
        self.contentLength = contentLength.finiteLength
        self.contentInset = contentInset
        self.sectionInset = sectionInset
        self.itemLength = itemLength.finiteLength
        self.lineSpacing = lineSpacing.finiteLength
    }

    /// Returns the same carousel in a scroller with other content insets (P2).
    public func with(contentInset: AxisEnds) -> Carousel {
        Carousel(
            options: options, pageCount: pageCount, copies: copies, viewportLength: viewportLength,
            contentLength: contentLength, contentInset: contentInset, sectionInset: sectionInset,
            itemLength: itemLength, lineSpacing: lineSpacing)
    }
}

/// Lengths (rule P3).
extension Carousel {
    /// The distance from the start of one page to the start of the next: P (P3).
    public var pageLength: Double { itemLength + lineSpacing }

    /// The length of the pages, without the section's insets: S (P3).
    public var sectionLength: Double {
        contentLength - sectionInset.leading - sectionInset.trailing
    }

    /// The space on either side of a centred page; negative if the page is longer than the
    /// viewport (P3).
    public var slack: Double { (viewportLength - itemLength) / 2 }

    /// The distance that centring adds to an offset before it is counted in pages.
    var alignedSlack: Double { options.isAlignCenter ? slack : 0 }
}

/// Pages (rules P1, P4 and P5).
extension Carousel {
    /// Returns the page at `offset`, its fraction being the way to the next page; 0 without a page
    /// length (P4).
    public func currentPage(at offset: Double) -> Double {
        guard pageLength > 0 else { return 0 }
        let distance = offset.finiteLength - sectionInset.leading + alignedSlack
        return (distance / pageLength).finiteLength
    }

    /// The index of the last page; fractional if headers or footers are part of the content (P4).
    public var lastPage: Double {
        guard pageLength > 0 else { return 0 }
        return ((sectionLength + lineSpacing) / pageLength - 1).finiteLength
    }

    /// Returns the index of the page at `offset`, in `0..<pageCount`; 0 without pages (P5).
    ///
    /// Offsets before the start give the indexes of the last pages, never negative ones.
    public func pageIndex(at offset: Double) -> Int {
        guard pageCount > 0 else { return 0 }
        let count = Double(pageCount)
        let page = currentPage(at: offset).rounded(.toNearestOrAwayFromZero)
        let remainder = page.truncatingRemainder(dividingBy: count)
        let index = remainder < 0 ? remainder + count : remainder
        // Above 2^53 pages a Double may round the index up to the page count, or beyond any Int.
        return (Int(exactly: index) ?? 0) % pageCount
    }

    /// Returns the index of the item in the frame at `index`, copies counted; 0 without pages (P1).
    public func itemIndex(ofFrame index: Int) -> Int {
        guard pageCount > 0 else { return 0 }
        let remainder = index % pageCount
        return remainder < 0 ? remainder + pageCount : remainder
    }

    /// Returns whether the frame at `index`, copies counted, reports that it appears and
    /// disappears: of the copies only the middle one does (P1).
    public func reportsDisplay(ofFrame index: Int) -> Bool {
        index >= 0 && pageCount > 0 && index / pageCount == copies / 2
    }
}

/// Offsets (rules P6 and P7).
extension Carousel {
    /// The least offset (P6).
    public var minOffset: Double { -contentInset.leading }

    /// The greatest offset; never below the least (P6).
    public var maxOffset: Double {
        max(minOffset, contentLength - viewportLength + contentInset.trailing)
    }

    /// The offset at which the first page is centred (P6).
    public var centerInitialOffset: Double { sectionInset.leading - slack }

    /// The offset at which the last page is centred (P6).
    public var centerFinalOffset: Double {
        sectionInset.leading + lastPage * pageLength - slack
    }

    /// The offset at which the carousel starts (P7).
    public var initialOffset: Double {
        options.isAlignCenter ? max(minOffset, centerInitialOffset) : minOffset
    }

    /// The offset at which the last page rests (P7).
    public var finalOffset: Double {
        options.isAlignCenter ? min(maxOffset, centerFinalOffset) : maxOffset
    }

    /// Returns whether `offset` is at the start or before it (P6).
    public func isAtStart(_ offset: Double) -> Bool {
        offset <= (options.isAlignCenter ? centerInitialOffset : minOffset)
    }

    /// Returns whether `offset` is at the end or after it (P6).
    public func isAtEnd(_ offset: Double) -> Bool {
        offset >= (options.isAlignCenter ? centerFinalOffset : maxOffset)
    }

    /// Returns the offset from the left edge for an offset from the right edge, and vice versa, of
    /// a horizontal scroller that is read from right to left (R6).
    public func physicalOffset(_ offset: Double) -> Double {
        contentLength - viewportLength - offset.finiteLength
    }
}

/// The configuration of a carousel (docs/layout.md, section J `paging` and rules P).
public struct PagingOptions: Sendable, Hashable {
    /// A Boolean value that indicates whether the section turns pages at all.
    public var isEnabled: Bool
    /// A Boolean value that indicates whether a page at rest is centred in the viewport.
    public var isAlignCenter: Bool
    /// A Boolean value that indicates whether a step past one end continues at the other (P9).
    public var isLooping: Bool
    /// A Boolean value that indicates whether the items are repeated, so that scrolling never
    /// reaches an end (P1, P10).
    public var isInfinitePage: Bool
    /// A Boolean value that indicates whether the pages turn automatically (P11).
    public var isAutoRolling: Bool
    /// The time between two automatic turns, in seconds (P11); above 0 and at most
    /// ``maxAutoRollingTimeInterval``, else the default of 3 seconds is used.
    public var autoRollingTimeInterval: Double

    /// The maximum time between two automatic turns, in seconds; fixed.
    public static let maxAutoRollingTimeInterval = 600.0

    /// Creates a configuration.
    public init(
        isEnabled: Bool = true, isAlignCenter: Bool = false, isLooping: Bool = false,
        isInfinitePage: Bool = false, isAutoRolling: Bool = false,
        autoRollingTimeInterval: Double = 3
    ) {
        self.isEnabled = isEnabled
        self.isAlignCenter = isAlignCenter
        self.isLooping = isLooping
        self.isInfinitePage = isInfinitePage
        self.isAutoRolling = isAutoRolling
        self.autoRollingTimeInterval = autoRollingTimeInterval
    }

    package static func isUsable(interval: Double) -> Bool {
        interval > 0 && interval <= maxAutoRollingTimeInterval
    }
}

/// A length at each end of an axis, in points.
public struct AxisEnds: Sendable, Hashable {
    /// The length at the start of the axis, in points.
    public let leading: Double
    /// The length at the end of the axis, in points.
    public let trailing: Double

    /// Creates a pair of lengths.
    ///
    /// - Parameters:
    ///   - leading: The length at the start, in points; 0 if it is not finite.
    ///   - trailing: The length at the end, in points; 0 if it is not finite.
    @inlinable
    public init(leading: Double = 0, trailing: Double = 0) {
        self.leading = leading.finiteLength
        self.trailing = trailing.finiteLength
    }
}

extension Double {
    /// The value as a sum of lengths or an offset that arithmetic can use without overflow: 0 for
    /// NaN and the infinities, any other value clamped to ±1e18.
    @inlinable
    package var finiteLength: Double { isFinite ? min(max(self, -1e18), 1e18) : 0 }
}
