/// A length of a box in ``CellContents``: a size rule of docs/catalog.md.
public struct CellLength: Sendable, Hashable {
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
            .object(of: ["value": .string(pointer), "default": .number(other)]))
    }

    /// Creates a fraction of the width that is the ratio of two numbers at pointers into the data,
    /// or a default; for heights.
    public static func ratio(
        height: String, width: String, default other: Double = 0
    ) -> CellLength {
        rule(
            "ratio",
            .object(of: [
                "width": .string(width), "height": .string(height), "default": .number(other),
            ]))
    }

    /// Creates a number at a pointer into the data, or a default.
    public static func value(_ pointer: String, default other: Double = 0) -> CellLength {
        CellLength(json: .object(of: ["value": .string(pointer), "default": .number(other)]))
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
        CellLength(json: .object(of: ["min": min?.json, "max": max?.json, "of": length.json]))
    }

    /// Creates a choice of a length by the value at a pointer into the data; 0 without a case and a
    /// default.
    public static func choice(
        by pointer: String, _ cases: [String: CellLength], default other: CellLength? = nil
    ) -> CellLength {
        let table = cases.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) }
        return CellLength(
            json: .object(of: [
                "switch": .string(pointer), "cases": .object(table), "default": other?.json,
            ]))
    }

    private static func rule(_ name: String, _ value: [UInt8]) -> CellLength {
        CellLength(json: .object(of: [name: value]))
    }
}

extension CellLength: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// Creates a number of points.
    public init(integerLiteral value: Int) { self = .points(Double(value)) }

    /// Creates a number of points.
    public init(floatLiteral value: Double) { self = .points(value) }
}
