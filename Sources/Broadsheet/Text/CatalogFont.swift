/// A font of a catalog, which size rules refer to.
///
/// Two fonts are equal if they are the same object, so that a catalog that comes with a request
/// shares the shaped texts of the active one.
final class CatalogFont: Sendable {
    let name: String
    let declaration: FontDeclaration
    let font: any TextFont
    let metrics: FontMetrics

    init(name: String, _ declaration: FontDeclaration, _ font: any TextFont) {
        self.name = name
        self.declaration = declaration
        self.font = font
        metrics = FontMetrics(
            lineHeight: Sanitation.size(declaration.lineHeight ?? font.naturalLineHeight),
            scales: declaration.scales)
    }
}

/// The heights of a font's lines.
struct FontMetrics: Sendable, Hashable {
    /// The height of a line at a text scale of 1, in points; never negative.
    let lineHeight: Double
    /// A Boolean value that indicates whether the reader's text size has an effect.
    let scales: Bool

    @inline(__always)
    func factor(_ textScale: Double) -> Double { scales ? textScale : 1 }
}

extension CatalogFont: Hashable {
    static func == (left: CatalogFont, right: CatalogFont) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

struct FontTable: Sendable {
    private(set) var fonts: [Identifier: CatalogFont] = [:]
    /// The names of fonts that are declared and invalid: rules that name them are no violations.
    private var invalid: Set<Identifier> = []
    /// A Boolean value that indicates whether names of fonts that are not known are no violations.
    var isPartial = false

    subscript(name: String) -> CatalogFont? { fonts[Identifier(name)] }

    mutating func add(_ font: CatalogFont) { fonts[Identifier(font.name)] = font }

    mutating func addInvalid(_ name: String) { invalid.insert(Identifier(name)) }

    func isDeclared(_ name: String) -> Bool {
        isPartial || fonts[Identifier(name)] != nil || invalid.contains(Identifier(name))
    }

    /// The names and the hashes of the contents of all fonts, in the order of the names.
    var contents: [(name: String, hash: UInt64)] {
        fonts.values.map { ($0.name, $0.font.contentHash) }
            .sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
    }
}

enum FontSource: Sendable {
    /// No fonts: the program has no text measurer.
    case none
    case measurer(any TextMeasurer)
    /// The fonts of the active catalog, for a catalog that comes with a request.
    case active(FontTable)
}
