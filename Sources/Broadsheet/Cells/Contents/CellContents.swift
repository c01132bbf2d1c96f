/// The content of a cell type from code: a tree of boxes (docs/catalog.md, "Contents").
///
/// It is the same value as a `content` of a catalog, and is checked in the same way:
///
///     .column([.image("/photo", height: .ratio(1), name: "photo"),
///              .text("/title", font: "title", name: "title")], spacing: 4)
///
/// Values are JSON Pointers into the data of an item.
public struct CellContents: Sendable, Hashable {
    /// The members in the order in which they were set, with their values in JSON.
    private var members: [Member] = []

    private struct Member: Sendable, Hashable {
        let name: String
        let json: [UInt8]
    }

    private init() {}

    /// The content as JSON.
    var json: [UInt8] { .object(of: members.map { (name: $0.name, value: $0.json) }) }

    private func with(_ name: String, _ json: [UInt8]?) -> CellContents {
        guard let json else { return self }
        var contents = self
        contents.members.removeAll { $0.name == name }
        contents.members.append(Member(name: name, json: json))
        return contents
    }

    private static func container(
        _ kind: ContentKind, _ boxes: [CellContents]
    ) -> CellContents {
        CellContents().with(kind.rawValue, .array(of: boxes.map(\.json)))
    }
}

/// Boxes.
extension CellContents {
    /// Creates boxes below each other.
    public static func column(
        _ boxes: [CellContents], spacing: Double = 0, padding: Insets = .zero, name: String? = nil
    ) -> CellContents {
        container(.column, boxes).spacing(spacing).padding(padding).name(name)
    }

    /// Creates boxes side by side, from where reading starts.
    public static func row(
        _ boxes: [CellContents], spacing: Double = 0, padding: Insets = .zero, name: String? = nil
    ) -> CellContents {
        container(.row, boxes).spacing(spacing).padding(padding).name(name)
    }

    /// Creates boxes in the same place, later ones in front.
    public static func overlay(
        _ boxes: [CellContents], padding: Insets = .zero, name: String? = nil
    ) -> CellContents {
        container(.overlay, boxes).padding(padding).name(name)
    }

    /// Creates a text of the data in a font of the catalog.
    public static func text(
        _ pointer: String, font: String, maxLines: Int? = nil, minLines: Int? = nil,
        name: String? = nil
    ) -> CellContents {
        text(.string(pointer), font, maxLines, minLines, name)
    }

    /// Creates a text of several values of the data, with a separator between them.
    public static func text(
        joining pointers: [String], by separator: String = "", font: String,
        maxLines: Int? = nil, minLines: Int? = nil, name: String? = nil
    ) -> CellContents {
        let source = CellContents().with("join", .array(of: pointers.map { .string($0) }))
            .with("by", .string(separator))
        return text(source.json, font, maxLines, minLines, name)
    }

    private static func text(
        _ source: [UInt8], _ font: String, _ maxLines: Int?, _ minLines: Int?, _ name: String?
    ) -> CellContents {
        CellContents().with(ContentKind.text.rawValue, source).with("font", .string(font))
            .with("maxLines", maxLines.map { .integer($0) })
            .with("minLines", minLines.map { .integer($0) }).name(name)
    }

    /// Creates an image, which is there if the value at the pointer is.
    public static func image(
        _ pointer: String, width: CellLength? = nil, height: CellLength? = nil, name: String? = nil
    ) -> CellContents {
        leaf(.image, pointer, width, height, name)
    }

    /// Creates a view of the client, which is there if the value at the pointer is.
    public static func box(
        _ pointer: String, width: CellLength? = nil, height: CellLength? = nil, name: String? = nil
    ) -> CellContents {
        leaf(.box, pointer, width, height, name)
    }

    private static func leaf(
        _ kind: ContentKind, _ pointer: String, _ width: CellLength?, _ height: CellLength?,
        _ name: String?
    ) -> CellContents {
        CellContents().with(kind.rawValue, .string(pointer)).with("width", width?.json)
            .with("height", height?.json).name(name)
    }

    /// Creates an empty box with a share of the length that is left in a column or a row.
    public static func space(_ weight: Double = 1) -> CellContents {
        CellContents().with(ContentKind.space.rawValue, .number(weight))
    }

    /// Creates a choice of a box by the value at a pointer; of none without a case and a default.
    public static func choice(
        by pointer: String, _ cases: [String: CellContents], default other: CellContents? = nil
    ) -> CellContents {
        let table = cases.sorted { $0.key < $1.key }.reduce(CellContents()) {
            $0.with($1.key, $1.value.json)
        }
        return CellContents().with(ContentKind.choice.rawValue, .string(pointer))
            .with("cases", table.json).with("default", other?.json)
    }
}

/// Members.
extension CellContents {
    /// Returns the box with the name of a part.
    public func name(_ name: String?) -> CellContents { with("name", name.map { .string($0) }) }

    /// Returns the box for items whose value at a pointer is there.
    public func showing(if pointer: String) -> CellContents { with("if", .string(pointer)) }

    /// Returns the box with rules of its lengths; `nil` leaves one as it is.
    public func size(width: CellLength? = nil, height: CellLength? = nil) -> CellContents {
        with("width", width?.json).with("height", height?.json)
    }

    /// Returns the box with bounds of its width; `nil` leaves one as it is.
    public func width(min: CellLength? = nil, max: CellLength? = nil) -> CellContents {
        with("minWidth", min?.json).with("maxWidth", max?.json)
    }

    /// Returns the box with bounds of its height; `nil` leaves one as it is.
    public func height(min: CellLength? = nil, max: CellLength? = nil) -> CellContents {
        with("minHeight", min?.json).with("maxHeight", max?.json)
    }

    /// Returns the box with a share of the length that is left in its column or row.
    public func fill(_ weight: Double = 1) -> CellContents { with("fill", .number(weight)) }

    /// Returns the box with whether it becomes narrower if its row is too short.
    public func shrink(_ shrinks: Bool) -> CellContents { with("shrink", .bool(shrinks)) }

    /// Returns the box with its own place in its column, row or overlay; `nil` leaves one as it is.
    public func place(
        horizontal: ContentAlignment? = nil, vertical: ContentAlignment? = nil
    ) -> CellContents {
        with("horizontal", horizontal.map { .string($0.rawValue) })
            .with("vertical", vertical.map { .string($0.rawValue) })
    }

    /// Returns the column, row or overlay with the place of the boxes in it; `nil` leaves one as it
    /// is.
    public func align(
        _ alignment: ContentAlignment? = nil, justify: ContentJustification? = nil
    ) -> CellContents {
        with("align", alignment.map { .string($0.rawValue) })
            .with("justify", justify.map { .string($0.rawValue) })
    }

    /// Returns the text with the treatment of long words and of Korean ones; `nil` leaves one as it
    /// is.
    public func breaks(
        overflow: TextRequest.Overflow? = nil, hangul: ShapingOptions.Hangul? = nil
    ) -> CellContents {
        with("overflow", overflow.map { .string($0.rawValue) })
            .with("hangul", hangul.map { .string($0.rawValue) })
    }

    private func spacing(_ spacing: Double) -> CellContents {
        with("spacing", spacing == 0 ? nil : .number(spacing))
    }

    private func padding(_ padding: Insets) -> CellContents {
        guard padding != .zero else { return self }
        let edges = CellContents().with("top", .number(padding.top))
            .with("left", .number(padding.left)).with("bottom", .number(padding.bottom))
            .with("right", .number(padding.right))
        return with("padding", edges.json)
    }
}

/// A length of a box in ``CellContents``: a size rule of docs/catalog.md.
public struct CellLength: Sendable, Hashable {
    /// The rule as JSON.
    let json: [UInt8]

    /// The natural length, to which a box is not stretched; not for bounds.
    public static let natural = CellLength(json: .string("natural"))

    /// Creates a number of points.
    public static func points(_ points: Double) -> CellLength {
        CellLength(json: .number(points))
    }

    /// Creates a fraction of the parent's width inside its padding; of the container for the root.
    public static func fraction(_ fraction: Double) -> CellLength {
        rule("fraction", .number(fraction))
    }

    /// Creates a fraction of the width, for heights.
    public static func ratio(_ ratio: Double) -> CellLength { rule("ratio", .number(ratio)) }

    /// Creates a fraction of the width that is a number at a pointer into the data, or a default;
    /// for heights.
    public static func ratio(value pointer: String, default other: Double = 0) -> CellLength {
        rule(
            "ratio",
            .object(of: [
                (name: "value", value: .string(pointer)), (name: "default", value: .number(other)),
            ]))
    }

    /// Creates a fraction of the width that is the ratio of two numbers at pointers into the data,
    /// or a default; for heights.
    public static func ratio(
        height: String, width: String, default other: Double = 0
    ) -> CellLength {
        rule(
            "ratio",
            .object(of: [
                (name: "width", value: .string(width)), (name: "height", value: .string(height)),
                (name: "default", value: .number(other)),
            ]))
    }

    /// Creates a number at a pointer into the data, or a default.
    public static func value(_ pointer: String, default other: Double = 0) -> CellLength {
        CellLength(
            json: .object(of: [
                (name: "value", value: .string(pointer)), (name: "default", value: .number(other)),
            ]))
    }

    /// Creates the sum of lengths.
    public static func sum(_ lengths: CellLength...) -> CellLength {
        rule("sum", .array(of: lengths.map(\.json)))
    }

    /// Creates a multiple of a length.
    public static func product(_ length: CellLength, _ factor: Double) -> CellLength {
        rule("product", .array(of: [length.json, .number(factor)]))
    }

    /// Creates a length within bounds; `min` has precedence over `max`.
    public static func clamp(
        min: CellLength? = nil, max: CellLength? = nil, _ length: CellLength
    ) -> CellLength {
        CellLength(
            json: .object(of: [
                (name: "min", value: min?.json), (name: "max", value: max?.json),
                (name: "of", value: length.json),
            ]))
    }

    /// Creates a choice of a length by the value at a pointer into the data; 0 without a case and a
    /// default.
    public static func choice(
        by pointer: String, _ cases: [String: CellLength], default other: CellLength? = nil
    ) -> CellLength {
        let table: [(name: String, value: [UInt8]?)] = cases.sorted { $0.key < $1.key }.map {
            (name: $0.key, value: $0.value.json)
        }
        return CellLength(
            json: .object(of: [
                (name: "switch", value: .string(pointer)),
                (name: "cases", value: .object(of: table)),
                (name: "default", value: other?.json),
            ]))
    }

    private static func rule(_ name: String, _ value: [UInt8]) -> CellLength {
        CellLength(json: .object(of: [(name: name, value: value)]))
    }
}

extension CellLength: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// Creates a number of points.
    public init(integerLiteral value: Int) { self = .points(Double(value)) }

    /// Creates a number of points.
    public init(floatLiteral value: Double) { self = .points(value) }
}

/// JSON.
extension [UInt8] {
    fileprivate static func string(_ text: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.string(text)
        return writer.bytes
    }

    /// A number, exactly; null for one that JSON does not have.
    fileprivate static func number(_ value: Double) -> [UInt8] {
        Array((value.isFinite ? "\(value)" : "null").utf8)
    }

    fileprivate static func integer(_ value: Int) -> [UInt8] { Array("\(value)".utf8) }

    fileprivate static func bool(_ value: Bool) -> [UInt8] { Array("\(value)".utf8) }

    fileprivate static func array(of elements: [[UInt8]]) -> [UInt8] {
        [UInt8(ascii: "[")] + elements.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
    }

    /// An object of the members that have a value.
    fileprivate static func object(of members: [(name: String, value: [UInt8]?)]) -> [UInt8] {
        var output = StructuredJSONWriter()
        output.object { output in
            for case (let name, let value?) in members {
                output.member(named: name)
                output.raw(value)
            }
        }
        return output.bytes
    }
}
