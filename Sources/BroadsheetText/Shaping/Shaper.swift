import CHarfBuzz

/// Shaping of a text: runs of one script and direction, each with the first file that has a
/// cluster.
struct Shaper {
    let font: OpenFont
    let scratch: TextScratch

    /// The maximum number of code units that are shaped in one call.
    ///
    /// HarfBuzz bounds the work and the glyphs of a call by multiples of its length, so that this
    /// also bounds the work that a font can cause.
    static let maxRunLength = 2048

    func makeRuns() {
        let scratch = scratch
        scratch.runs.removeAll(keepingCapacity: true)
        scratch.scriptRuns.removeAll(keepingCapacity: true)
        scratch.bidiRuns.removeAll(keepingCapacity: true)
        scratch.text.withUnsafeBufferPointer { text in
            scratch.scripts.append(of: text, to: &scratch.scriptRuns, &scratch.checkpoints)
            if BidiRuns.isNeeded(for: text) {
                BidiRuns.append(
                    of: text, scratch.bidi, to: &scratch.bidiRuns, &scratch.checkpoints)
            } else {
                scratch.bidiRuns.append(BidiRun(end: text.count, level: 0))
            }
            guard !scratch.checkpoints.isAbandoned else { return }
            intersectRuns(text)
        }
    }

    /// Appends the runs of one script, one direction and one line each.
    private func intersectRuns(_ text: UnsafeBufferPointer<UInt16>) {
        var start = 0
        var script = 0
        var bidi = 0
        while start < text.count {
            while scratch.scriptRuns[script].end <= start { script += 1 }
            while scratch.bidiRuns[bidi].end <= start { bidi += 1 }
            let end = min(scratch.scriptRuns[script].end, scratch.bidiRuns[bidi].end)
            let first = scratch.runs.count
            appendRuns(
                start..<end, script: scratch.scriptRuns[script].script,
                isRightToLeft: scratch.bidiRuns[bidi].isRightToLeft, of: text)
            if bidi > 0, start == scratch.bidiRuns[bidi - 1].end, first < scratch.runs.count {
                scratch.runs[first].changesLevel = true
            }
            start = end
        }
    }

    private func appendRuns(
        _ range: Range<Int>, script: Int32, isRightToLeft: Bool,
        of text: UnsafeBufferPointer<UInt16>
    ) {
        var start = range.lowerBound
        let script = scratch.harfBuzzScript(script)
        while start < range.upperBound {
            var end = start
            while end < range.upperBound, end - start < Self.maxRunLength,
                text[end] != CollapsedText.lineFeed
            {
                end += 1
            }
            if end < range.upperBound, text[end] != CollapsedText.lineFeed {
                end = text.division(of: start..<range.upperBound, atMost: Self.maxRunLength)
            }
            if end > start {
                append(
                    TextRun(
                        start: start, end: end, script: script, isRightToLeft: isRightToLeft),
                    text)
            }
            if end < range.upperBound, text[end] == CollapsedText.lineFeed { end += 1 }
            start = end
        }
    }

    /// Appends a run, divided within sequences of combining characters that are too long.
    private func append(_ run: TextRun, _ text: UnsafeBufferPointer<UInt16>) {
        var part = run
        while let end = CombiningSequences.division(of: part.start..<run.end, text) {
            part.end = end
            scratch.runs.append(part)
            part.start = end
        }
        part.end = run.end
        scratch.runs.append(part)
    }

    /// Shapes all runs into `glyphs`.
    ///
    /// If the tables of the font make too many glyphs, the text is shaped again without them.
    ///
    /// - Parameter isPlain: Whether the tables are not applied from the start.
    func shapeAll(isPlain: Bool = false) {
        scratch.budget = ShapingBudget(length: scratch.text.count)
        scratch.isPlain = isPlain
        scratch.glyphs.resize(to: scratch.text.count)
        scratch.text.withUnsafeBufferPointer { text in
            var writer = GlyphWriter(font: font, scratch: scratch, text: text)
            for run in scratch.runs where !scratch.checkpoints.isAbandoned {
                writer.shape(run, in: run.start..<run.end, withFile: 0, into: &scratch.glyphs)
            }
            for (offset, unit) in text.enumerated() where unit == CollapsedText.lineFeed {
                scratch.glyphs.advances[offset] = 0
                scratch.glyphs.marks[offset] = .cluster
            }
        }
        if scratch.budget.isExhausted, !isPlain { shapeAll(isPlain: true) }
    }

    /// Returns the advance of a part of the text that is shaped alone; the one that it has in the
    /// whole text if the budget is exhausted.
    func advance(of range: Range<Int>) -> Int64 {
        guard !range.isEmpty else { return 0 }
        guard !scratch.budget.isExhausted, !scratch.checkpoints.isAbandoned else {
            return scratch.glyphs.sum(range)
        }
        scratch.part.resize(to: scratch.text.count)
        var sum: Int64 = 0
        scratch.text.withUnsafeBufferPointer { text in
            var writer = GlyphWriter(font: font, scratch: scratch, text: text)
            for run in runs(in: range) {
                let part = range.clamped(to: run.start..<run.end)
                guard !part.isEmpty else { continue }
                writer.shape(run, in: part, withFile: 0, into: &scratch.part)
                sum &+= scratch.part.sum(part)
            }
        }
        return scratch.budget.isExhausted ? scratch.glyphs.sum(range) : sum
    }

    private func runs(in range: Range<Int>) -> ArraySlice<TextRun> {
        var lower = 0
        var upper = scratch.runs.count
        while lower < upper {
            let middle = (lower + upper) / 2
            if scratch.runs[middle].end <= range.lowerBound {
                lower = middle + 1
            } else {
                upper = middle
            }
        }
        let rest = scratch.runs[lower...]
        return rest.prefix { $0.start < range.upperBound }
    }
}

/// Shaping of a range with one file after the other.
private struct GlyphWriter {
    let font: OpenFont
    let scratch: TextScratch
    let text: UnsafeBufferPointer<UInt16>

    /// The length that a change of the level adds to a line, in HarfBuzz's units.
    ///
    /// Chromium rounds the advance of each level of a line up to 1/64 of a pixel. That is no more
    /// than this length at text sizes from 0.75 on, so that a text fits in its natural width.
    private static let levelChange = Int32(OpenFont.unitsPerPoint / 48)

    /// Shapes a range of a run with a file, and the characters that this file does not have with
    /// the next one.
    ///
    /// A character that no file has is shaped as the missing glyph of the first file. With an
    /// exhausted budget nothing is shaped, nor of an abandoned text.
    ///
    /// - Complexity: O(range) calls of HarfBuzz's own complexity, times the number of files.
    mutating func shape(
        _ run: TextRun, in range: Range<Int>, withFile file: Int, into glyphs: inout GlyphAdvances
    ) {
        let isLast = file == font.faces.count
        guard !scratch.budget.isExhausted, !scratch.checkpoints.isAbandoned else { return }
        callHarfBuzz(run, range, face: font.faces[isLast ? 0 : file])
        let hasMissing = read(run, in: range, withFile: file, isLast: isLast, into: &glyphs)
        scratch.checkpoints.pass(
            TextCheckpoints.call + TextCheckpoints.shapedUnit * range.count)
        guard hasMissing, !isLast else { return }
        if file + 1 == font.faces.count, file == 0 { return }
        var start = range.lowerBound
        while let part = missingPart(from: start, in: range, glyphs) {
            shape(run, in: part, withFile: file + 1, into: &glyphs)
            start = part.upperBound
        }
    }

    private func callHarfBuzz(_ run: TextRun, _ range: Range<Int>, face: OpaquePointer) {
        let functions = scratch.libraries.harfBuzz
        let buffer = scratch.buffer
        functions.pointee.hb_buffer_clear_contents(buffer)
        functions.pointee.hb_buffer_add_utf16(
            buffer, text.baseAddress, Int32(text.count), UInt32(range.lowerBound),
            Int32(range.count))
        if scratch.hasSeparators { replaceSeparators() }
        functions.pointee.hb_buffer_set_direction(
            buffer, run.isRightToLeft ? HB_DIRECTION_RTL : HB_DIRECTION_LTR)
        functions.pointee.hb_buffer_set_script(buffer, run.script)
        functions.pointee.hb_buffer_set_language(buffer, scratch.libraries.language)
        guard !scratch.isPlain else { return shapePlain(face) }
        font.features.withUnsafeBufferPointer {
            functions.pointee.hb_shape(face, buffer, $0.baseAddress, UInt32($0.count))
        }
        // HarfBuzz gives a buffer up in which a font makes more glyphs than it permits.
        let isWhole = functions.pointee.hb_buffer_allocation_successful(buffer) != 0
        let count = functions.pointee.hb_buffer_get_length(buffer)
        scratch.budget.spend(isWhole ? Int(count) : .max, length: range.count)
    }

    /// Replaces the separators in HarfBuzz's buffer by spaces.
    private func replaceSeparators() {
        let functions = scratch.libraries.harfBuzz
        var count: UInt32 = 0
        let infos = functions.pointee.hb_buffer_get_glyph_infos(scratch.buffer, &count)
        guard let infos else { return }
        for index in 0..<Int(count)
        where CollapsedText.separators.contains(infos[index].codepoint) {
            infos[index].codepoint = UInt32(CollapsedText.space)
        }
    }

    /// Replaces each character in HarfBuzz's buffer by its glyph, without the tables of the face.
    private func shapePlain(_ face: OpaquePointer) {
        "fallback".withCString { name in
            _ = scratch.libraries.harfBuzz.pointee.hb_shape_full(
                face, scratch.buffer, nil, 0, [name, nil])
        }
    }

    /// Reads the glyphs of HarfBuzz's buffer; returns whether the file lacks a cluster.
    private func read(
        _ run: TextRun, in range: Range<Int>, withFile file: Int, isLast: Bool,
        into glyphs: inout GlyphAdvances
    ) -> Bool {
        let functions = scratch.libraries.harfBuzz
        var count: UInt32 = 0
        let infos = functions.pointee.hb_buffer_get_glyph_infos(scratch.buffer, &count)
        let positions = functions.pointee.hb_buffer_get_glyph_positions(scratch.buffer, &count)
        let spaceGlyph = isLast || file + 1 == font.faces.count ? 0 : font.spaceGlyphs[file]
        var hasMissing = false
        for offset in range {
            glyphs.advances[offset] = 0
            glyphs.marks[offset] = []
        }
        guard let infos, let positions else { return false }
        glyphs.advances.withUnsafeMutableBufferPointer { advances in
            glyphs.marks.withUnsafeMutableBufferPointer { marks in
                for index in 0..<Int(count) {
                    let offset = Int(infos[index].cluster)
                    guard range.contains(offset) else { continue }
                    var mark: GlyphAdvances.Marks = .cluster
                    if infos[index].mask & HB_GLYPH_FLAG_UNSAFE_TO_BREAK.rawValue != 0 {
                        mark.insert(.unsafe)
                    }
                    let glyph = infos[index].codepoint
                    // A control has no width, and ends kerning as a glyph does. HarfBuzz
                    // substitutes the space for an ideographic one; the next file may have it.
                    let isControl = (0x7F..<0xA0).contains(text[offset])
                    if !isControl, glyph == 0 || glyph == spaceGlyph && text[offset] == 0x3000 {
                        mark.insert(.missing)
                        hasMissing = true
                    }
                    let advance = isControl ? 0 : positions[index].x_advance
                    advances[offset] = advances[offset].addingSaturating(advance)
                    marks[offset].formUnion(mark)
                }
                addSpacing(run, in: range, to: advances, marks: marks)
                if run.changesLevel, range.lowerBound == run.start {
                    advances[run.start] = advances[run.start].addingSaturating(Self.levelChange)
                }
            }
        }
        return hasMissing
    }

    /// Adds the letter spacing to each cluster, except to characters without a width.
    ///
    /// Scripts whose letters join have letter spacing at spaces alone (CSS Text 4, "Cursive
    /// Scripts").
    private func addSpacing(
        _ run: TextRun, in range: Range<Int>, to advances: UnsafeMutableBufferPointer<Int32>,
        marks: UnsafeMutableBufferPointer<GlyphAdvances.Marks>
    ) {
        guard font.letterSpacing != 0 else { return }
        for offset in range where marks[offset].contains(.cluster) && !isZeroWidth(text[offset]) {
            if run.isCursive, text[offset] != CollapsedText.space { continue }
            advances[offset] = advances[offset].addingSaturating(font.letterSpacing)
        }
    }

    /// Returns whether a character never has letter spacing: joiners, direction marks and what else
    /// is ignored by default (Default_Ignorable_Code_Point), and the form feed.
    private func isZeroWidth(_ unit: UInt16) -> Bool {
        switch unit {
        case 0x0C, 0xAD, 0x34F, 0x61C, 0x115F...0x1160, 0x17B4...0x17B5, 0x180B...0x180F,
            0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0x3164, 0xFE00...0xFE0F, 0xFEFF,
            0xFFA0, 0xFFF0...0xFFF8:
            true
        default: false
        }
    }

    /// Returns the next part of a range that the file does not have, from an offset on.
    private func missingPart(
        from start: Int, in range: Range<Int>, _ glyphs: GlyphAdvances
    ) -> Range<Int>? {
        guard
            let first = (start..<range.upperBound).first(where: {
                glyphs.marks[$0].contains(.missing)
            })
        else { return nil }
        let end = (first..<range.upperBound).first {
            glyphs.marks[$0].contains(.cluster) && !glyphs.marks[$0].contains(.missing)
        }
        return first..<(end ?? range.upperBound)
    }
}

extension Int32 {
    @inline(__always)
    func addingSaturating(_ other: Int32) -> Int32 {
        let (sum, isOverflow) = addingReportingOverflow(other)
        return isOverflow ? (other > 0 ? .max : .min) : sum
    }
}
