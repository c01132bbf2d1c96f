/// Where a carousel's pages are, and how far it can be scrolled (rules P3, P4, P6 and P7).
extension Carousel {
    /// From one page's start to the next one's: P (P3).
    public var pageLength: Double { itemLength + lineSpacing }

    /// What the pages take, the section's insets not counted: S (P3).
    public var sectionLength: Double {
        contentLength - sectionInset.leading - sectionInset.trailing
    }

    /// What a centred page leaves free at either side; negative when it is longer than the
    /// viewport (P3).
    public var slack: Double { (viewportLength - itemLength) / 2 }

    /// The page at `offset`, with how far it has moved on as its fraction; 0 without a page
    /// length (P4).
    public func currentPage(at offset: Double) -> Double {
        guard pageLength > 0 else { return 0 }
        return Sanitation.finite(
            (Sanitation.finite(offset) - sectionInset.leading + alignedSlack) / pageLength)
    }

    /// The last page's index; fractional when headers or footers are part of the content (P4).
    public var lastPage: Double {
        guard pageLength > 0 else { return 0 }
        return Sanitation.finite((sectionLength + lineSpacing) / pageLength - 1)
    }

    /// The least offset (P6).
    public var minOffset: Double { -contentInset.leading }

    /// The greatest offset; never below the least (P6).
    public var maxOffset: Double {
        max(minOffset, contentLength - viewportLength + contentInset.trailing)
    }

    /// Where the first page stands in the middle (P6).
    public var centerInitialOffset: Double { sectionInset.leading - slack }

    /// Where the last page stands in the middle (P6).
    public var centerFinalOffset: Double {
        sectionInset.leading + lastPage * pageLength - slack
    }

    /// Where the carousel starts (P7).
    public var initialOffset: Double {
        options.isAlignCenter ? max(minOffset, centerInitialOffset) : minOffset
    }

    /// Where the last page rests (P7).
    public var finalOffset: Double {
        options.isAlignCenter ? min(maxOffset, centerFinalOffset) : maxOffset
    }

    /// Whether nothing lies before `offset` (P6).
    public func isAtStart(_ offset: Double) -> Bool {
        offset <= (options.isAlignCenter ? centerInitialOffset : minOffset)
    }

    /// Whether nothing lies after `offset` (P6).
    public func isAtEnd(_ offset: Double) -> Bool {
        offset >= (options.isAlignCenter ? centerFinalOffset : maxOffset)
    }

    /// The offset from the left edge for one from where reading starts, on a horizontal screen
    /// that is read from the right; its own inverse (P, "RTL horizontal").
    public func physicalOffset(_ offset: Double) -> Double {
        contentLength - viewportLength - Sanitation.finite(offset)
    }

    /// What centring adds to an offset before it is counted in pages.
    var alignedSlack: Double { options.isAlignCenter ? slack : 0 }

    /// Where the first page rests, whatever the content inset allows (P8, P10).
    var firstRestingOffset: Double {
        options.isAlignCenter ? centerInitialOffset : minOffset
    }
}
