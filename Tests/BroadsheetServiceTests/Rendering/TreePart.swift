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

    /// Creates the text of the elements of a tree that overlap a rectangle, and of their sections.
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
        self.sections = zip(sections.elements, placed.elements).compactMap { section, placed in
            var frames = Self.elements(of: placed).map { $0["frame"] }[...]
            var shown = 0
            let lines = Self.lines(of: section) { _ in
                let isShown = frames.popFirst().flatMap(Rectangle.init)?.overlaps(rectangle)
                shown += isShown == true ? 1 : 0
                return isShown == true
            }
            return shown > 0 ? lines : nil
        }
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

extension JSONValue {
    /// The bytes of the value in its document.
    var raw: String { String(decoding: document.bytes[byteRange], as: UTF8.self) }
}
