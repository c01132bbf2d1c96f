/// The texts that the sizes of a catalog's cells are measured by, and the boxes of their contents,
/// for estimates of memory and time.
package struct MeasuredTexts: Sendable {
    /// The largest number of texts of one cell; 0 if the catalog measures none.
    package private(set) var maxPerCell = 0
    /// The largest number of different texts that one value of the data is a part of, by its
    /// pointer: a title in three fonts is shaped three times.
    package private(set) var maxPerValue = 0
    /// The largest number of boxes of the content of one cell; 0 without contents.
    package private(set) var maxBoxes = 0

    init(of kinds: [CellKind]) {
        maxBoxes = kinds.reduce(0) { max($0, $1.contents?.boxes.count ?? 0) }
        var sources: Set<TextSource> = []
        var reads: [JSONPointer: Int] = [:]
        for kind in kinds where kind.measuresText {
            let texts = kind.sizeInputs.compactMap(\.text)
            maxPerCell = max(maxPerCell, texts.count)
            for text in texts where sources.insert(text).inserted {
                for part in text.parts { reads[part, default: 0] += 1 }
            }
        }
        maxPerValue = reads.values.max() ?? 0
    }
}
