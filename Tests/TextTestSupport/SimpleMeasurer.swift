package import Broadsheet

/// A measurer whose results can be computed on paper: every character is half as wide as the font's
/// size, and lines break at spaces.
///
/// `Tests/Oracle/oracle/text.py` measures in the same way. Runs of spaces and tabs count as one
/// space, and as none at the ends of a line; `\n` ends a line. Characters from U+1F601
/// on are missing in every font. There is no file `missing.ttf`.
package struct SimpleMeasurer: TextMeasurer {
    /// A number that stands for the contents of all files.
    package var contents: UInt64 = 1

    /// Creates a measurer.
    package init() {}

    package func open(_ declaration: FontDeclaration) throws(FontFailure) -> any TextFont {
        for (index, file) in declaration.files.enumerated() where file.path == "missing.ttf" {
            throw FontFailure(pointer: "/files/\(index)", detail: "is not a file")
        }
        return SimpleFont(declaration, contents: contents)
    }
}

private final class SimpleFont: TextFont {
    private let declaration: FontDeclaration
    let contentHash: UInt64

    init(_ declaration: FontDeclaration, contents: UInt64) {
        self.declaration = declaration
        contentHash = contents
    }

    var naturalLineHeight: Double { declaration.size * 1.25 }

    func shape(_ text: UnsafeRawBufferPointer, _ options: ShapingOptions) -> any ShapedText {
        SimpleText(
            String(decoding: text, as: UTF8.self),
            advance: declaration.size / 2 + declaration.letterSpacing)
    }
}

private final class SimpleText: ShapedText {
    /// A word, and its range in the UTF-8 of the text.
    private struct Word {
        var characters: Int
        var start: Int
        var end: Int
    }

    let missingCharacters: [Unicode.Scalar]
    private let paragraphs: [[Word]]
    private let advance: Double

    init(_ text: String, advance: Double) {
        self.advance = advance
        missingCharacters = text.unicodeScalars.filter { $0.value >= 0x1F601 }
        var paragraphs: [[Word]] = [[]]
        var word: Word?
        var offset = 0
        func endWord() {
            if let word { paragraphs[paragraphs.count - 1].append(word) }
            word = nil
        }
        for scalar in text.unicodeScalars {
            let length = UTF8.width(scalar)
            switch scalar {
            case " ", "\t": endWord()
            case "\n":
                endWord()
                paragraphs.append([])
            default:
                word = Word(
                    characters: (word?.characters ?? 0) + 1, start: word?.start ?? offset,
                    end: offset + length)
            }
            offset += length
        }
        endWord()
        // A last line feed adds no line, and a text of spaces has none.
        if paragraphs.last?.isEmpty == true { paragraphs.removeLast() }
        self.paragraphs = paragraphs
    }

    var byteCount: Int { 64 + paragraphs.reduce(0) { $0 + 24 * $1.count } }

    func measure(_ request: TextRequest) -> TextMeasurement {
        let all = lines(request)
        let shown = all.prefix(request.maxLines ?? .max)
        return TextMeasurement(
            lines: shown.count, longestLine: shown.reduce(0) { max($0, $1.advance) },
            isTruncated: shown.count < all.count)
    }

    func lineRanges(_ request: TextRequest) -> [Range<Int>] {
        lines(request).prefix(request.maxLines ?? .max).map(\.range)
    }

    private func lines(_ request: TextRequest) -> [(advance: Double, range: Range<Int>)] {
        let advance = advance * request.textScale
        func fits(_ count: Int) -> Bool {
            (Double(count) * advance * 64).rounded(.down) / 64 <= request.width
        }
        var lines: [(advance: Double, range: Range<Int>)] = []
        for paragraph in paragraphs {
            var (count, start, end) = (0, 0, 0)
            func endLine() { lines.append((Double(count) * advance, start..<end)) }
            for word in paragraph {
                if count > 0, fits(count + 1 + word.characters) {
                    (count, end) = (count + 1 + word.characters, word.end)
                    continue
                }
                if count > 0 { endLine() }
                (count, start, end) = (word.characters, word.start, word.end)
                guard request.overflow == .anywhere else { continue }
                // The ranges of parts of words are those of words of ASCII characters.
                var most = 1
                while most < count, fits(most + 1) { most += 1 }
                while count > most {
                    lines.append((Double(most) * advance, start..<start + most))
                    (count, start) = (count - most, start + most)
                }
            }
            if paragraph.isEmpty { lines.append((0, 0..<0)) } else { endLine() }
        }
        return lines
    }
}
