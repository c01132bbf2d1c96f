/// The size rule `text`: the lines of a text in the data, or their width (T1-T4).
///
/// It has no reference, so that evaluating it for each item retains nothing; the font itself is
/// that of the rule's input.
struct TextRule: Sendable, Hashable {
    let font: FontMetrics
    /// The axis of the length: lines below each other, or the longest of them.
    let axis: ScreenAxis
    /// The largest number of lines; `nil` for all.
    let maxLines: Int32?
    /// The number of lines that a height has space for at least.
    let minLines: Int32
    /// The treatment of a word that is wider than the line.
    let overflow: TextRequest.Overflow

    /// Returns the length in points, and notes the lines in the scope.
    ///
    /// - Parameter text: The text; `nil` without a text in the data.
    /// - Complexity: That of breaking the text into lines.
    @inline(__always)
    func length(of text: (any ShapedText)?, in scope: inout SizeScope) -> Double {
        let factor = font.factor(scope.textScale)
        // Across the screen or along it: a height uses the width that is left, a width all of it.
        let width = max(0, axis == .vertical ? scope.width : scope.length)
        let request = request(width: width, factor: factor)
        let lines = text.map { $0.measure(request) } ?? TextMeasurement()
        scope.lines.add(lines)
        if scope.lintMargin > 0, let text, isFragile(text, request, lines, scope.lintMargin) {
            scope.lines.isFragile = true
        }
        guard axis == .vertical else {
            return min(width, scope.roundedUp(Sanitation.size(lines.longestLine)))
        }
        return Length.sanitised(Double(max(lines.lines, Int(minLines))) * font.lineHeight * factor)
    }

    @inline(__always)
    func request(width: Double, factor: Double) -> TextRequest {
        TextRequest(
            width: width, textScale: factor, maxLines: maxLines.map(Int.init), overflow: overflow)
    }

    /// Returns whether the text has another number of lines in a width that differs by `margin`.
    private func isFragile(
        _ text: any ShapedText, _ request: TextRequest, _ lines: TextMeasurement, _ margin: Double
    ) -> Bool {
        [-margin, margin].contains { difference in
            var other = request
            other.width = max(0, request.width + difference)
            let changed = text.measure(other)
            return changed.lines != lines.lines || changed.isTruncated != lines.isTruncated
        }
    }
}

/// The lines of an item's texts, as a tree shows them; 4 bytes, because a screen may have a million
/// items.
package struct ItemLines: Sendable, Hashable {
    private var bits: UInt32

    private static let measuredFlag: UInt32 = 1 << 31
    private static let truncatedFlag: UInt32 = 1 << 30
    private static let fragileFlag: UInt32 = 1 << 29
    private static let maxCount = fragileFlag - 1

    /// The lines of an item whose size is not measured.
    package static let none = ItemLines(bits: 0)

    private init(bits: UInt32) { self.bits = bits }

    /// A Boolean value that indicates whether a text was measured for the item's size.
    @inline(__always)
    package var isMeasured: Bool { bits & Self.measuredFlag != 0 }
    /// The number of lines shown.
    package var count: Int { Int(bits & Self.maxCount) }
    /// A Boolean value that indicates whether `maxLines` cut a text.
    package var isTruncated: Bool { bits & Self.truncatedFlag != 0 }
    /// Lint: a Boolean value that indicates whether a text is close to another number of lines.
    var isFragile: Bool {
        get { bits & Self.fragileFlag != 0 }
        set { bits = newValue ? bits | Self.fragileFlag : bits & ~Self.fragileFlag }
    }

    @inline(__always)
    mutating func add(_ lines: TextMeasurement) {
        let count = UInt32(clamping: min(self.count &+ max(0, lines.lines), Int(Self.maxCount)))
        let flags = bits & ~Self.maxCount | Self.measuredFlag
        bits = flags | count | (lines.isTruncated ? Self.truncatedFlag : 0)
    }
}

/// A text that a size rule measures: its source in a cell's data, and what shaping depends on.
struct TextSource: Sendable, Hashable {
    let parts: [JSONPointer]
    /// The text between two parts, in UTF-8.
    let separator: [UInt8]
    let font: CatalogFont
    let options: ShapingOptions

    /// Appends the text for a cell of `data` in UTF-8.
    ///
    /// - Parameter isUsable: Becomes `false` if a value exists and is of an unusable type.
    /// - Returns: A Boolean value that indicates whether a part is a string or a number.
    /// - Complexity: O(bytes of the text).
    func append(_ data: JSONValue, to text: inout [UInt8], _ isUsable: inout Bool) -> Bool {
        var hasParts = false
        for pointer in parts {
            guard let node = pointer.evaluate(on: data.node, in: data.document) else { continue }
            let value = data.document.value(at: node)
            guard let part = value.text else {
                isUsable = isUsable && value.isNull
                continue
            }
            if hasParts { text += separator }
            hasParts = true
            part.appendUTF8(to: &text)
        }
        return hasParts
    }
}

extension JSONText {
    /// Appends the UTF-8 bytes of the text with its escapes decoded.
    fileprivate func appendUTF8(to bytes: inout [UInt8]) {
        withContent { content in
            if hasEscapes {
                bytes.append(contentsOf: IteratorSequence(JSONUnescaper(content)))
            } else {
                bytes.append(contentsOf: content)
            }
        }
    }
}
