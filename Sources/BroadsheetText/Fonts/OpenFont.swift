import Broadsheet
import CHarfBuzz

/// A font of a catalog at its size, read and checked.
///
/// HarfBuzz's objects are immutable after `init`, which makes them safe for all threads
/// (hb_font_make_immutable).
final class OpenFont: @unchecked Sendable {
    /// The number of HarfBuzz's units in a point: advances have 16 bits after the binary point.
    static let unitsPerPoint = 65_536

    /// The faces at the font's size, in the order of the files.
    let faces: [OpaquePointer]
    /// The glyph of the space in each face, or 0.
    let spaceGlyphs: [UInt32]
    /// The letter spacing in HarfBuzz's units.
    let letterSpacing: Int32
    let features: [hb_feature_t]
    /// The advance of the hyphen that shows at a soft hyphen where a line ends.
    let hyphenAdvance: Int64
    let libraries: TextLibraries
    let naturalLineHeight: Double
    let contentHash: UInt64
    let files: [TextFontFile]
    private let sources: [FontFile]
    private let cache: TextCache
    private let number: Int

    /// Creates a font from files that were read.
    ///
    /// - Parameters:
    ///   - declaration: The declaration, whose files are those of `files` in this order.
    ///   - files: The checked files, at least one.
    ///   - cache: The cache of shaped texts, and the font's number in it.
    init(
        _ declaration: FontDeclaration, files: [FontFile], libraries: TextLibraries,
        cache: (TextCache, number: Int)
    ) throws(FontFailure) {
        sources = files
        self.files = zip(files, declaration.files).map {
            TextFontFile($0.names, $0.bytes, $1)
        }
        self.libraries = libraries
        (self.cache, number) = cache
        let functions = libraries.harfBuzz.pointee
        var faces: [OpaquePointer] = []
        do throws(FontFailure) {
            for (number, file) in files.enumerated() {
                guard let face = functions.hb_font_create(file.face) else { continue }
                faces.append(face)
                try Self.prepare(face, of: file, number: number, declaration, libraries)
            }
        } catch {
            for face in faces { functions.hb_font_destroy(face) }
            throw error
        }
        self.faces = faces
        letterSpacing = Self.units(declaration.letterSpacing)
        features = declaration.harfBuzzFeatures
        spaceGlyphs = faces.map { Self.glyph(of: 0x20, in: $0, libraries) ?? 0 }
        hyphenAdvance = Self.hyphenAdvance(in: faces[0], libraries)
        naturalLineHeight = Self.lineHeight(of: faces[0], libraries)
        contentHash = files.reduce(0) { ($0 &* 31) ^ $1.contentHash }
    }

    deinit { for face in faces { libraries.harfBuzz.pointee.hb_font_destroy(face) } }

    private static func units(_ points: Double) -> Int32 {
        Int32(clamping: Int64((points * Double(unitsPerPoint)).rounded()))
    }

    private static func prepare(
        _ face: OpaquePointer, of file: FontFile, number: Int, _ declaration: FontDeclaration,
        _ libraries: TextLibraries
    ) throws(FontFailure) {
        let functions = libraries.harfBuzz.pointee
        let scale = units(declaration.size)
        functions.hb_font_set_scale(face, scale, scale)
        do throws(FontFileError) {
            let axes = FontAxes(of: file.face, libraries)
            let variations = try axes.variations(
                declaration.files[number].axes, size: declaration.size)
            if !variations.isEmpty {
                functions.hb_font_set_variations(face, variations, UInt32(variations.count))
            }
        } catch {
            throw FontFailure(pointer: "/files/\(number)\(error.member)", detail: error.detail)
        }
        functions.hb_font_make_immutable(face)
    }

    /// Returns the ascent, the descent and the line gap of a face together, in points.
    private static func lineHeight(of face: OpaquePointer, _ libraries: TextLibraries) -> Double {
        var extents = hb_font_extents_t()
        _ = libraries.harfBuzz.pointee.hb_font_get_h_extents(face, &extents)
        let sum = Int64(extents.ascender) - Int64(extents.descender) + Int64(extents.line_gap)
        return max(0, Double(sum) / Double(unitsPerPoint))
    }

    /// Returns the advance of U+2010 in a face, of U+002D if it has none.
    private static func hyphenAdvance(in face: OpaquePointer, _ libraries: TextLibraries) -> Int64 {
        let glyph = glyph(of: 0x2010, in: face, libraries) ?? glyph(of: 0x2D, in: face, libraries)
        return Int64(libraries.harfBuzz.pointee.hb_font_get_glyph_h_advance(face, glyph ?? 0))
    }

    private static func glyph(
        of character: UInt32, in face: OpaquePointer, _ libraries: TextLibraries
    ) -> UInt32? {
        var glyph: UInt32 = 0
        let isFound = libraries.harfBuzz.pointee.hb_font_get_nominal_glyph(face, character, &glyph)
        return isFound != 0 ? glyph : nil
    }
}

extension OpenFont: TextFont {
    /// Shapes a text, or returns the one that is kept.
    func shape(
        _ text: UnsafeRawBufferPointer, _ options: ShapingOptions
    ) -> any Broadsheet.ShapedText {
        let key = TextCache.Key(font: number, text: text, options: options)
        if let cached = cache.value(for: key) { return cached }
        let shaped = shapeAgain(text, options)
        if !LongWork.isDropped { cache.insert(shaped, for: key) }
        return shaped
    }

    private func shapeAgain(
        _ text: UnsafeRawBufferPointer, _ options: ShapingOptions
    ) -> SegmentedText {
        let source = [UInt8](text.prefix(TextLimits.maxBytes))
        return ScratchPool.shared.use(libraries) { shape(source, options, in: $0) }
            ?? SegmentedText(ShapedContent(), source: source, font: self, options: options)
    }

    func shape(
        _ source: [UInt8], _ options: ShapingOptions, in scratch: TextScratch
    ) -> SegmentedText {
        scratch.checkpoints.begin()
        CollapsedText.decode(source, into: scratch)
        let shaper = Shaper(font: self, scratch: scratch)
        shaper.makeRuns()
        shaper.shapeAll()
        LineBreaks(scratch: scratch, hangul: options.hangul).find()
        SegmentBuilder.build(shaper)
        return SegmentedText(scratch.content, source: source, font: self, options: options)
    }
}

extension FontDeclaration {
    /// The features in HarfBuzz's form; letter spacing switches the common ligatures off.
    fileprivate var harfBuzzFeatures: [hb_feature_t] {
        let disabled = letterSpacing == 0 ? [] : ["liga=0", "clig=0"]
        return (disabled + features).map { feature in
            let value = feature.split(separator: "=", maxSplits: 1).dropFirst().first
            return hb_feature_t(
                tag: SFNTTables.tag(feature), value: value.flatMap { UInt32($0) } ?? 1, start: 0,
                end: .max)
        }
    }
}
