/// The limits of a catalog.
///
/// Clients can send a catalog with a page (`POST /v1/layout`). The limits keep the work for each
/// unit and each item in proportion to the page.
package struct CatalogLimits: Sendable, Hashable {
    /// The largest depth of nested containers; the document's own is 1.
    package var maxDepth = 128
    /// The largest number of placements of one unit type.
    package var maxPlacements = 16
    /// The largest number of cases of one placement's type.
    package var maxCases = 256
    /// The largest number of rules in one cell type's size, the nested ones included.
    package var maxRules = 256
    /// The largest number of values of a cell's data that one cell type's size reads.
    package var maxInputs = 16
    /// The largest number of boxes and rules in one cell type's content, all cases included.
    package var maxContentBoxes = 256
    /// The largest number of different pointers in one cell type's content.
    package var maxContentPointers = 32
    /// The largest number of boxes of a content within each other.
    package var maxContentDepth = 16
    package var maxFonts = 64
    package var maxFontFiles = 16
    package var maxFontAxes = 16
    package var maxFontFeatures = 32
    /// The largest number of subschemas of one schema.
    package var maxSubschemas = 10_000
    /// The largest number of subschemas of all schemas together.
    package var maxCatalogSubschemas = 100_000
    /// The largest number of references one after another that do not go into the value.
    package var maxReferences = 128
    /// The largest number of states of all patterns of one schema.
    package var maxPatternStates = 50_000
    /// The largest number of states, and of ranges of code points, of all patterns of all schemas.
    package var maxPatternParts = 2_000_000
    /// The largest number of violations in an error.
    package var maxViolations = 1_000

    /// The largest number of fallbacks of a cell type, one after another; fixed.
    package static let maxFallbacks = 8
    /// The largest number of bytes of the name of a section, a unit type, a cell type, or a member
    /// of the contract; fixed, because trees repeat names.
    package static let maxNameBytes = 256
    /// The largest number of bytes of a JSON Pointer; fixed, because diagnostics repeat pointers.
    package static let maxPointerBytes = 1024
    /// The largest number of bytes of the path of a font's file; fixed.
    package static let maxPathBytes = 1024
    /// The largest size and line height of a font in points; fixed.
    package static let maxFontLength = 1000.0
    /// The largest magnitude of the letter spacing of a font in points; fixed.
    package static let maxLetterSpacing = 100.0
    /// The largest index of a font in a collection; fixed.
    package static let maxFontIndex = 65_535
    /// The largest magnitude of the value of a font's axis; fixed: that of OpenType's numbers.
    package static let maxAxisValue = 32_768.0
    /// The weights with which boxes of a content share what is left; fixed.
    package static let contentWeights = 1.0...1000.0
    /// The largest number of bytes of the name of a box of a content; fixed, because each item
    /// repeats names.
    package static let maxPartNameBytes = 64
    /// The largest number of bytes of the input of an action that a box of a content sends; fixed.
    package static let maxActionInputBytes = 4096
    /// The largest number of lines that a rule may limit or require; fixed.
    package static let maxTextLines = 10_000

    package init() {}
}

extension ViolationCollector {
    mutating func checkName(_ name: String, of value: JSONValue) {
        guard name.utf8.count > CatalogLimits.maxNameBytes else { return }
        report(
            "has a name of \(name.utf8.count) bytes, which may have at most "
                + "\(CatalogLimits.maxNameBytes)", at: value)
    }
}
