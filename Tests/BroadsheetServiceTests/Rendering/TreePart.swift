import Broadsheet
import Testing

/// The sections of a tree as text, so that two trees can be compared element by element.
struct TreePart {
    /// One line for each section's own members and each element that is shown.
    let sections: [[String]]

    /// Creates the text of a whole tree.
    init(_ received: ReceivedResponse) throws {
        sections = try #require(try received.value("/sections")).elements.map { section in
            Self.lines(of: section) { _ in true }
        }
    }

    /// Creates the text of the elements of a tree that overlap a rectangle, and of their sections;
    /// of a scroller's resting offsets, those at which one of these elements is in view, and the
    /// index of the first of them.
    ///
    /// - Parameters:
    ///   - whole: The tree.
    ///   - rectangle: The rectangle in content coordinates.
    ///   - absolute: The same tree in content coordinates.
    init(
        _ whole: ReceivedResponse, where rectangle: Rectangle, in absolute: ReceivedResponse
    ) throws {
        let sections = try #require(try whole.value("/sections"))
        let placed = try #require(try absolute.value("/sections"))
        let isMirrored = try whole.value("/viewport/direction")?.string == "rtl"
        self.sections = zip(sections.elements, placed.elements).compactMap { section, placed in
            var frames = Self.elements(of: placed).map { $0["frame"] }[...]
            var shown = 0
            var items: [ClosedRange<Double>] = []
            var lines = Self.lines(of: section) { element in
                guard let frame = frames.popFirst().flatMap(Rectangle.init),
                    frame.overlaps(rectangle)
                else { return false }
                shown += 1
                if element["id"] != nil { items.append(frame.x) }
                return true
            }
            if let scroll = section["scroll"], let width = section["frame"]?["width"]?.double {
                lines[4] = Self.scroll(
                    scroll, around: items.map { isMirrored ? $0.mirrored(in: width) : $0 },
                    width: width)
            }
            return shown > 0 ? lines : nil
        }
    }

    /// Returns the text of a scroller with those of its resting offsets at which one of `items`, in
    /// the reading direction from the scroller's start, is in its `width`.
    private static func scroll(
        _ scroll: JSONValue, around items: [ClosedRange<Double>], width: Double
    ) -> String {
        guard let offsets = scroll["snapOffsets"] else { return "scroll: \(scroll.raw)" }
        let start = items.map(\.lowerBound).min() ?? 0
        let end = items.map(\.upperBound).max() ?? 0
        let kept = offsets.elements.enumerated().filter {
            let offset = $0.element.double ?? 0
            return !items.isEmpty && offset < end && offset + width > start
        }
        var list = "[" + kept.map(\.element.raw).joined(separator: ",") + "]"
        if let first = kept.first { list += ",\"firstSnapOffset\":\(first.offset)" }
        return "scroll: " + scroll.raw.replacing(offsets.raw, with: list, maxReplacements: 1)
    }

    private static func elements(of section: JSONValue) -> [JSONValue] {
        func list(_ name: String) -> [JSONValue] {
            section[name].map { Array($0.elements) } ?? []
        }
        return [section["header"]].compactMap(\.self) + list("items")
            + [section["footer"]].compactMap(\.self) + list("decorations")
    }

    private static func lines(
        of section: JSONValue, where isShown: (JSONValue) -> Bool
    ) -> [String] {
        ["id", "index", "frame", "collapsed", "scroll", "paging"].map { name in
            "\(name): \(section[name]?.raw ?? "-")"
        } + elements(of: section).filter(isShown).map(\.raw)
    }
}

/// A rectangle for tests: the ranges between its edges.
struct Rectangle {
    let x: ClosedRange<Double>
    let y: ClosedRange<Double>

    /// Creates a rectangle from `x,y,width,height`.
    init?(_ text: String) {
        let numbers = text.split(separator: ",").compactMap { Double($0) }
        guard numbers.count == 4 else { return nil }
        self.init(numbers)
    }

    /// Creates the rectangle of a frame in a tree.
    init?(_ frame: JSONValue?) {
        let numbers = ["x", "y", "width", "height"].compactMap { frame?[$0]?.double }
        guard numbers.count == 4 else { return nil }
        self.init(numbers)
    }

    private init(_ numbers: [Double]) {
        let (right, bottom) = (numbers[0] + numbers[2], numbers[1] + numbers[3])
        x = min(numbers[0], right)...max(numbers[0], right)
        y = min(numbers[1], bottom)...max(numbers[1], bottom)
    }

    /// Returns whether two rectangles have an area in common (V1).
    func overlaps(_ other: Rectangle) -> Bool {
        min(x.upperBound, other.x.upperBound) > max(x.lowerBound, other.x.lowerBound)
            && min(y.upperBound, other.y.upperBound) > max(y.lowerBound, other.y.lowerBound)
    }
}

extension ClosedRange<Double> {
    /// Returns the mirror image of the range in `width`.
    fileprivate func mirrored(in width: Double) -> Self {
        (width - upperBound)...(width - lowerBound)
    }
}

extension JSONValue {
    /// The bytes of the value in its document.
    var raw: String { String(decoding: document.bytes[byteRange], as: UTF8.self) }
}
