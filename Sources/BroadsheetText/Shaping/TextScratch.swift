import CHarfBuzz
import CICU
import Synchronization

/// The buffers and iterators that shaping a text needs, which are expensive to create.
///
/// One caller uses it at a time (``ScratchPool``).
final class TextScratch {
    let libraries: TextLibraries
    /// HarfBuzz's buffer.
    let buffer: OpaquePointer
    /// ICU's bidirectional algorithm.
    let bidi: UnsafeMutableRawPointer
    /// ICU's iterators; `nil` if ICU has no rules.
    let lineBreaks: UnsafeMutableRawPointer?
    let clusterBreaks: UnsafeMutableRawPointer?
    var scripts = ScriptRuns()

    /// The text, in UTF-16, collapsed.
    var text: [UInt16] = []
    /// The offset of each code unit in the bytes of the text, and that of its end.
    var sourceOffsets: [Int32] = []
    /// A Boolean value that indicates whether the text has ``CollapsedText/separators``.
    var hasSeparators = false
    /// The text as ICU's line breaking sees it (``LineBreaks``).
    var breakText: [UInt16] = []
    var runs: [TextRun] = []
    var scriptRuns: [ScriptRun] = []
    var bidiRuns: [BidiRun] = []
    var glyphs = GlyphAdvances()
    var budget = ShapingBudget(length: 0)
    var checkpoints = TextCheckpoints()
    /// A Boolean value that indicates whether the text is shaped without the tables of the font.
    var isPlain = false
    /// The advances of a part that is shaped again.
    var part = GlyphAdvances()
    /// The offsets before which a line may break.
    var breaks: [Int32] = []
    var content = ShapedContent()

    /// HarfBuzz's scripts by ICU's codes.
    private var scriptTags: [hb_script_t?] = []

    /// The number of code units up to which the buffers are kept for the next text.
    private static let maxKept = 16_384

    init?(_ libraries: TextLibraries) {
        self.libraries = libraries
        let harfBuzz = libraries.harfBuzz.pointee
        guard let buffer = harfBuzz.hb_buffer_create() else { return nil }
        guard let bidi = cicu_bidi_open() else {
            harfBuzz.hb_buffer_destroy(buffer)
            return nil
        }
        self.buffer = buffer
        self.bidi = bidi
        lineBreaks = cicu_line_breaks_open()
        clusterBreaks = cicu_clusters_open()
    }

    deinit {
        libraries.harfBuzz.pointee.hb_buffer_destroy(buffer)
        cicu_bidi_close(bidi)
        cicu_breaks_close(lineBreaks)
        cicu_breaks_close(clusterBreaks)
    }

    var isKept: Bool { text.capacity <= Self.maxKept && breakText.capacity <= Self.maxKept }

    /// Returns the bytes of a range of code units.
    func sourceRange(of range: Range<Int>) -> Range<Int> {
        let start = Int(sourceOffsets[range.lowerBound])
        return start..<max(start, Int(sourceOffsets[range.upperBound]))
    }

    func harfBuzzScript(_ script: Int32) -> hb_script_t {
        let index = Int(script)
        if index < scriptTags.count, let known = scriptTags[index] { return known }
        guard let name = cicu_script_tag(script) else { return HB_SCRIPT_COMMON }
        let tag = SFNTTables.tag(String(cString: name))
        let result = libraries.harfBuzz.pointee.hb_script_from_iso15924_tag(tag)
        while scriptTags.count <= index { scriptTags.append(nil) }
        scriptTags[index] = result
        return result
    }
}

/// A run of characters that are shaped together.
struct TextRun {
    var start: Int
    var end: Int
    var script: hb_script_t
    var isRightToLeft: Bool
    /// A Boolean value that indicates whether the characters before the run have another embedding
    /// level.
    var changesLevel = false

    /// A Boolean value that indicates whether the letters of the script join.
    var isCursive: Bool {
        switch script {
        case HB_SCRIPT_ARABIC, HB_SCRIPT_HANIFI_ROHINGYA, HB_SCRIPT_MANDAIC, HB_SCRIPT_MONGOLIAN,
            HB_SCRIPT_NKO, HB_SCRIPT_PHAGS_PA, HB_SCRIPT_SYRIAC:
            true
        default: false
        }
    }
}

/// The advances of clusters, at the offset of each cluster's first code unit.
struct GlyphAdvances {
    /// The properties of a code unit.
    struct Marks: OptionSet {
        let rawValue: UInt8
        /// A cluster begins here.
        static let cluster = Marks(rawValue: 1)
        /// A line that begins here has to be shaped again, as the one that ends here
        /// (HB_GLYPH_FLAG_UNSAFE_TO_BREAK).
        static let unsafe = Marks(rawValue: 2)
        /// No file of the font has the cluster.
        static let missing = Marks(rawValue: 4)
    }

    var advances: [Int32] = []
    var marks: [Marks] = []

    mutating func resize(to count: Int) {
        guard advances.count != count else { return }
        if advances.count > count {
            advances.removeLast(advances.count - count)
            marks.removeLast(marks.count - count)
        } else {
            advances.append(contentsOf: repeatElement(0, count: count - advances.count))
            marks.append(contentsOf: repeatElement([], count: count - marks.count))
        }
    }

    /// Returns whether a text may be divided at an offset without being shaped again.
    @inline(__always)
    func isSafe(at offset: Int) -> Bool {
        offset >= marks.count
            || marks[offset].intersection([.cluster, .unsafe]) == .cluster
    }

    func sum(_ range: Range<Int>) -> Int64 {
        var sum: Int64 = 0
        for offset in range { sum &+= Int64(advances[offset]) }
        return sum
    }
}

/// The scratch objects that are free.
///
/// A scratch object is only used by the caller that has taken it out of the pool.
final class ScratchPool: Sendable {
    static let maxKept = 8

    private struct Shelf: @unchecked Sendable {
        var objects: [TextScratch] = []
    }

    private let shelf = Mutex(Shelf())

    static let shared = ScratchPool()

    /// Calls a function with a scratch object, or returns `nil` without one.
    func use<Result>(_ libraries: TextLibraries, _ body: (TextScratch) -> Result) -> Result? {
        let kept = shelf.withLock { $0.objects.popLast().map(Loan.init) }
        guard let scratch = kept?.scratch ?? TextScratch(libraries) else { return nil }
        let result = body(scratch)
        if scratch.isKept {
            let loan = Loan(scratch: scratch)
            shelf.withLock {
                if $0.objects.count < Self.maxKept { $0.objects.append(loan.scratch) }
            }
        }
        return result
    }

    /// An object on its way into or out of the pool, where nothing else refers to it.
    private struct Loan: @unchecked Sendable {
        let scratch: TextScratch
    }
}
