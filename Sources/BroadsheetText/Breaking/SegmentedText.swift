import Broadsheet
import Synchronization

/// A text that is shaped: the advances between its break opportunities.
///
/// A segment is the text between two opportunities; 16 bytes each. The few places at which a break
/// changes the shaping have an ``Adjustment``. A word that is wider than a line needs the advances
/// of its clusters, for which the text is shaped again (``ExactLines``).
final class SegmentedText: Sendable {
    /// The part of a text between two break opportunities.
    struct Segment {
        /// The properties of a segment, in the upper bits of its end.
        struct Flags: OptionSet {
            let rawValue: UInt32
            static let breaks = Flags(rawValue: 1 << 31)
            /// The advance changes if a line ends here: ``Adjustment/end``.
            static let adjustsEnd = Flags(rawValue: 1 << 30)
            /// The advance changes if a line begins here: ``Adjustment/start``.
            static let adjustsStart = Flags(rawValue: 1 << 29)
        }

        /// The advance without the spaces at the end.
        var advance: Int64
        /// The advance of the spaces at the end.
        var trailing: Int32
        private var endAndFlags: UInt32

        private static let flagBits: UInt32 = 7 << 29

        init(advance: Int64, trailing: Int64, end: Int, flags: Flags) {
            self.advance = advance
            self.trailing = Int32(clamping: trailing)
            endAndFlags = UInt32(truncatingIfNeeded: end) & ~Self.flagBits | flags.rawValue
        }

        var flags: Flags {
            get { Flags(rawValue: endAndFlags & Self.flagBits) }
            set { endAndFlags = endAndFlags & ~Self.flagBits | newValue.rawValue }
        }
        /// The offset after the last character that is not a space.
        var end: Int { Int(endAndFlags & ~Self.flagBits) }
    }

    /// The change of an advance by a break before or after a segment.
    struct Adjustment {
        var segment: Int32
        /// The change if a line begins with the segment.
        var start: Int32
        /// The change if a line ends with the segment; that of a hyphen, too.
        var end: Int32
        /// The offset up to which a line that begins with the segment is shaped again.
        var safeAfter: Int32
        /// The number of code units before the segment's end that are shaped again.
        var reachFromEnd: Int32
    }

    let segments: FixedArray<Segment>
    let adjustments: FixedArray<Adjustment>
    /// The text as it was given, in UTF-8, up to `TextLimits.maxBytes`.
    let source: [UInt8]
    let options: ShapingOptions
    let font: OpenFont
    /// The first characters that no file of the font has; few, also if there are many.
    let missingCharacters: [Unicode.Scalar]
    /// A Boolean value that indicates whether the tables of the font are not applied to the text,
    /// since they make too many glyphs (``ShapingBudget``).
    let isPlain: Bool
    private let latestLines = Mutex(LatestLines())

    init(
        _ content: ShapedContent, source: [UInt8], font: OpenFont, options: ShapingOptions
    ) {
        segments = FixedArray(content.segments)
        adjustments = FixedArray(content.adjustments)
        missingCharacters = content.missingCharacters
        isPlain = content.isPlain
        self.source = source
        self.font = font
        self.options = options
    }

    /// The number of segments up to which measuring has no checkpoint of its own (``LongWork``).
    private static let maxShort = 1024

    /// The fixed part of ``byteCount``.
    private static let objectBytes = 192 + LatestLines.byteCount

    var byteCount: Int {
        Self.objectBytes + segments.byteCount + adjustments.byteCount + source.count
    }
}

extension SegmentedText: Broadsheet.ShapedText {
    /// Fills lines greedily.
    ///
    /// - Complexity: O(segments) without allocations; that of shaping the text where a word is
    ///   wider than a line.
    func measure(_ request: TextRequest) -> TextMeasurement {
        let limits = LineLimits(request)
        defer { if segments.elements.count > Self.maxShort { _ = LongWork.isAbandoned() } }
        if let lines = wholeSegments(limits) { return limits.measurement(lines) }
        if let lines = latestLines.withLock({ $0[limits] }) { return limits.measurement(lines) }
        let lines = ExactLines.lines(of: self, limits).lines
        guard !LongWork.isDropped else { return limits.measurement(lines) }
        latestLines.withLock { $0[limits] = lines }
        return limits.measurement(lines)
    }

    /// Returns the lines, or `nil` if one cannot be filled with whole segments.
    private func wholeSegments(_ limits: LineLimits) -> FilledLines? {
        withExtendedLifetime(self) {
            var filling = LineFilling(
                segments.elements, adjustments: adjustments.elements, limits: limits)
            return filling.lines()
        }
    }

    /// Returns the ranges of the lines shown in the UTF-8 of the text, without spaces at their
    /// ends.
    func lineRanges(_ request: TextRequest) -> [Range<Int>] {
        ExactLines.lines(of: self, LineLimits(request)).ranges
    }
}

/// An array that never changes, whose elements are read without a reference to it.
///
/// Arrays of Swift are retained for each reading, which takes longer than filling a short line.
struct FixedArray<Element: BitwiseCopyable & Sendable>: ~Copyable, @unchecked Sendable {
    /// The elements; valid as long as the array.
    let elements: UnsafeBufferPointer<Element>

    /// Creates a copy of an array, which takes no memory if it is empty.
    init(_ elements: [Element]) {
        guard !elements.isEmpty else {
            self.elements = UnsafeBufferPointer(start: nil, count: 0)
            return
        }
        let copy = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
        _ = copy.initialize(fromContentsOf: elements)
        self.elements = UnsafeBufferPointer(copy)
    }

    deinit { elements.deallocate() }

    var byteCount: Int { elements.count * MemoryLayout<Element>.stride }
}

/// Lines in HarfBuzz's units.
struct FilledLines: Hashable {
    var count = 0
    var longest: Int64 = 0
    var isTruncated = false
}

/// The lines of the last few spaces whose calculation was expensive.
private struct LatestLines {
    private static let capacity = 4
    static let byteCount = capacity * MemoryLayout<(LineLimits, FilledLines)>.stride

    private var entries: [(limits: LineLimits, lines: FilledLines)] = []
    private var next = 0

    subscript(limits: LineLimits) -> FilledLines? {
        get { entries.first { $0.limits == limits }?.lines }
        set {
            guard let newValue else { return }
            if entries.count < Self.capacity {
                entries.append((limits, newValue))
            } else {
                entries[next] = (limits, newValue)
                next = (next + 1) % Self.capacity
            }
        }
    }
}
