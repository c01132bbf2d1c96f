/// The shaped texts of a page under construction.
struct PageTexts: Sendable {
    /// The texts, each once.
    private(set) var all: [any ShapedText] = []
    /// The memory of the texts, in bytes.
    private(set) var byteCount = 0
    /// The length of the longest text, in bytes.
    private(set) var longest = 0
    private var indexes: [ObjectIdentifier: Int] = [:]
    /// The bytes of the text that is being shaped, kept for their capacity.
    private var utf8: [UInt8] = []
    /// The missing characters that were reported, once a font.
    private var missing: Set<MissingCharacter> = []
    /// The sources of texts that are cut, which were reported.
    private var cut: Set<TextSource> = []

    /// A part of a text that is not measured as clients show it.
    enum Loss {
        /// A character that no file of the font has.
        case character(Unicode.Scalar)
        /// The end of a text that is longer than ``TextLimits/maxBytes``.
        case end
    }

    /// Shapes the text of `data`.
    ///
    /// - Parameters:
    ///   - data: The cell's data.
    ///   - source: The source of the text.
    ///   - isUsable: Becomes `false` if a value exists and is of an unusable type.
    ///   - report: Receives the characters that no file of the font has, each once a page, and the
    ///     end of a text that is too long, once a source.
    /// - Returns: The index of the text, or -1 without a string or a number that has characters.
    /// - Complexity: That of shaping the text.
    mutating func index(
        of data: JSONValue, _ source: TextSource, _ isUsable: inout Bool,
        report: (Loss) -> Void
    ) -> Int {
        utf8.removeAll(keepingCapacity: true)
        guard source.append(data, to: &utf8, &isUsable), !utf8.isEmpty else { return -1 }
        if utf8.count > TextLimits.maxBytes {
            utf8.removeLast(utf8.count - TextLimits.end(of: utf8))
            if cut.insert(source).inserted { report(.end) }
        }
        longest = max(longest, utf8.count)
        let text = utf8.withUnsafeBytes { source.font.font.shape($0, source.options) }
        if let index = indexes[ObjectIdentifier(text)] { return index }
        indexes[ObjectIdentifier(text)] = all.count
        all.append(text)
        byteCount += text.byteCount
        for character in text.missingCharacters
        where missing.insert(MissingCharacter(font: source.font, character: character)).inserted {
            report(.character(character))
        }
        return all.count - 1
    }
}

/// A character that no file of a font has.
private struct MissingCharacter: Hashable {
    let font: CatalogFont
    let character: Unicode.Scalar
}

extension PageTexts.Loss {
    func diagnostic(of text: TextSource, from origin: DataOrigin) -> UnitDiagnostic {
        let isFlat = origin.unit.isFlat
        let pointer = origin.pointer(
            to: text.parts.count == 1 ? text.parts[0].description : "")
        let kind: UnitDiagnostic.Kind =
            switch self {
            case .character(let character):
                .noGlyph(isFlat: isFlat, pointer: pointer, character, font: text.font.name)
            case .end: .textCut(isFlat: isFlat, pointer: pointer)
            }
        return UnitDiagnostic(kind: kind, location: origin.unit.location)
    }
}
