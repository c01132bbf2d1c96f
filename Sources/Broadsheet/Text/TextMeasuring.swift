/// A source of fonts that measure texts as clients lay them out (docs/catalog.md, `fonts`).
///
/// The library has no fonts and reads no files. A measurer is passed to ``Catalog``, which opens
/// the fonts that the catalog declares. A Swift program can bring its own.
public protocol TextMeasurer: Sendable {
    /// Opens a font: reads and checks all its files.
    ///
    /// - Throws: The first failure, with its place in the declaration.
    func open(_ declaration: FontDeclaration) throws(FontFailure) -> any TextFont
}

/// An open font of a catalog, at its declared size.
///
/// All lengths are in points at a text scale of 1.
public protocol TextFont: AnyObject, Sendable {
    /// The sum of the ascent, the descent and the line gap of the first file: the height of a line
    /// if the declaration has none.
    var naturalLineHeight: Double { get }
    /// A hash of the contents of the files, the same in every process. Layouts of fonts with
    /// different contents have different entity tags.
    var contentHash: UInt64 { get }
    /// The files in the order of the declaration, for clients that draw texts with the font;
    /// empty if the measurer does not have them.
    var files: [TextFontFile] { get }

    /// Shapes a text once, so that it can be broken into lines at any width and text scale.
    ///
    /// Called on any thread. Equal arguments may return the same object.
    ///
    /// - Parameters:
    ///   - text: The text in valid UTF-8; it is valid only during the call.
    ///   - options: The options that shaping depends on.
    /// - Complexity: O(bytes).
    func shape(_ text: UnsafeRawBufferPointer, _ options: ShapingOptions) -> any ShapedText
}

/// A shaped text: advances and break opportunities, from which lines are filled at any width.
public protocol ShapedText: AnyObject, Sendable {
    /// The memory of the object, in bytes.
    var byteCount: Int { get }
    /// The first different characters that no file of the font has; few, also if there are many.
    var missingCharacters: [Unicode.Scalar] { get }

    /// Fills lines greedily.
    ///
    /// Called for each item at each layout, on any thread.
    ///
    /// - Complexity: O(lines · log(opportunities)) for usual texts; never more than O(characters).
    func measure(_ request: TextRequest) -> TextMeasurement

    /// Returns the ranges of the lines shown, as offsets into the UTF-8 of the text, for pictures:
    /// as many as `measure` counts for the same request, without the spaces at their ends.
    func lineRanges(_ request: TextRequest) -> [Range<Int>]
}

extension ShapedText {
    /// A Boolean value that indicates whether the text has lines: it has visible characters, or a
    /// line feed.
    var hasLines: Bool { measure(TextRequest(width: Length.limit, maxLines: 1)).lines > 0 }
}

/// The limits of texts that are measured.
public enum TextLimits {
    /// The maximum length of a text, in bytes of UTF-8; the rest is not measured.
    public static let maxBytes = 1 << 20

    /// Returns the end of the last whole character within ``maxBytes`` of a longer text.
    static func end(of text: [UInt8]) -> Int {
        var end = maxBytes
        while end > 0, text[end] & 0xC0 == 0x80 { end -= 1 }
        return end
    }
}

/// A font as a catalog declares it (docs/catalog.md, `fonts`).
public struct FontDeclaration: Sendable, Hashable {
    /// One file of a font, or one font of a collection.
    public struct File: Sendable, Hashable {
        /// The path, relative to the folder of fonts, with `/` between its parts.
        public var path: String
        /// The index in a collection; 0 for a file with one font.
        public var index: Int
        /// The values of the variation axes, by ascending tags; the font's defaults for others.
        public var axes: [AxisValue]

        /// Creates a file.
        public init(path: String, index: Int = 0, axes: [AxisValue] = []) {
            self.path = path
            self.index = index
            self.axes = axes
        }
    }

    /// The value of a variation axis.
    public struct AxisValue: Sendable, Hashable {
        /// The tag of the axis: four printable ASCII characters, such as `wght`.
        public var tag: String
        /// The value.
        public var value: Double

        /// Creates a value of an axis.
        public init(tag: String, value: Double) {
            self.tag = tag
            self.value = value
        }
    }

    /// The files; a character is shaped with the first one that has it.
    public var files: [File]
    /// The size in points; positive.
    public var size: Double
    /// The height of a line in points; `nil` for the font's own.
    public var lineHeight: Double?
    /// The space after each cluster in points; possibly negative.
    public var letterSpacing: Double
    /// The OpenType features besides those of every text: `tnum` switches one on, `liga=0` off,
    /// `ss01=2` selects a form.
    public var features: [String]
    /// A Boolean value that indicates whether the reader's text size has an effect.
    public var scales: Bool

    /// Creates a declaration; the defaults are those of a catalog.
    public init(
        files: [File], size: Double, lineHeight: Double? = nil, letterSpacing: Double = 0,
        features: [String] = [], scales: Bool = true
    ) {
        self.files = files
        self.size = size
        self.lineHeight = lineHeight
        self.letterSpacing = letterSpacing
        self.features = features
        self.scales = scales
    }
}

/// A font that could not be opened: a violation of its catalog.
public struct FontFailure: Error, Hashable {
    /// The JSON Pointer from the font's declaration to the cause, such as `/files/1`, or
    /// `/files/0/axes/wght`; empty for the whole.
    public var pointer: String
    /// The second part of a sentence about the value there, such as `is not a font file`.
    public var detail: String

    /// Creates a failure.
    public init(pointer: String, detail: String) {
        self.pointer = pointer
        self.detail = detail
    }
}

extension FontFailure: CustomStringConvertible {
    /// The pointer and the reason.
    public var description: String { "\(pointer): \(detail)" }
}

/// The options that the shaping of a text depends on.
public struct ShapingOptions: Sendable, Hashable {
    /// The breaks inside Korean words.
    public enum Hangul: String, Sendable, Hashable, CaseIterable {
        /// Between any two syllables, as Chromium and Android do.
        case syllable
        /// At spaces only, as UIKit does.
        case word
    }

    /// The breaks inside Korean words.
    public var hangul: Hangul

    /// Creates options; by default as Chromium.
    public init(hangul: Hangul = .syllable) {
        self.hangul = hangul
    }
}

/// The space that a shaped text is broken into lines for.
public struct TextRequest: Sendable, Hashable {
    /// The treatment of a word that is wider than the line.
    public enum Overflow: String, Sendable, Hashable, CaseIterable {
        /// It breaks between clusters.
        case anywhere
        /// It does not break, and extends beyond the line.
        case clip
    }

    /// The width of the lines in points, finite and not negative.
    public var width: Double
    /// The factor of the font's size and letter spacing, 1 for fonts that do not scale.
    public var textScale: Double
    /// The largest number of lines shown; `nil` for all.
    public var maxLines: Int?
    /// The treatment of a word that is wider than the line.
    public var overflow: Overflow

    /// Creates a request.
    public init(
        width: Double, textScale: Double = 1, maxLines: Int? = nil, overflow: Overflow = .anywhere
    ) {
        self.width = width
        self.textScale = textScale
        self.maxLines = maxLines
        self.overflow = overflow
    }
}

/// The lines of a shaped text at a width.
public struct TextMeasurement: Sendable, Hashable {
    /// The number of lines shown: at most the request's `maxLines`.
    public var lines: Int
    /// The advance of the longest line shown, in points at the request's text scale, without the
    /// spaces at its ends.
    public var longestLine: Double
    /// A Boolean value that indicates whether `maxLines` cut the text.
    public var isTruncated: Bool

    /// Creates a measurement; without arguments, that of an empty text.
    public init(lines: Int = 0, longestLine: Double = 0, isTruncated: Bool = false) {
        self.lines = lines
        self.longestLine = longestLine
        self.isTruncated = isTruncated
    }
}
