public import BroadsheetClient

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

    var json: [UInt8] { .object(members.map { ($0.name, $0.json) }) }

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
        let parts: [UInt8] = .array(of: pointers.map { .string($0) })
        let source: [UInt8] = .object(of: ["join": parts, "by": .string(separator)])
        return text(source, font, maxLines, minLines, name)
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
        let table = cases.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) }
        return CellContents().with(ContentKind.choice.rawValue, .string(pointer))
            .with("cases", .object(table)).with("default", other?.json)
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
        let edges: [UInt8] = .object(of: [
            "top": .number(padding.top), "left": .number(padding.left),
            "bottom": .number(padding.bottom), "right": .number(padding.right),
        ])
        return with("padding", edges)
    }
}

/// Members that say what a box is, for people who do not see it, and that no frame depends on.
extension CellContents {
    /// Returns the box with the text of the data that is read aloud for it.
    public func label(_ pointer: String) -> CellContents { with("label", .string(pointer)) }

    /// Returns the box with a text of several parts that is read aloud for it.
    public func label(joining parts: [LabelPart], by separator: String = "") -> CellContents {
        let parts: [UInt8] = .array(of: parts.map(\.json))
        return with("label", .object(of: ["join": parts, "by": .string(separator)]))
    }

    /// Returns the box with a text that is read aloud for it, whatever the data is.
    public func label(constant text: String) -> CellContents {
        with("label", LabelPart.constant(text).json)
    }

    /// Returns the box with a role.
    public func role(_ role: Role) -> CellContents {
        guard case .heading(let level) = role else { return with("role", .string(role.name)) }
        return with("role", .string(role.name)).with("level", .integer(level))
    }

    /// Returns the box as decoration, with all that is in it.
    public func hidden() -> CellContents { with("hidden", .bool(true)) }

    /// Returns the box as a control that sends an action of its cell type.
    ///
    /// - Parameters:
    ///   - name: The name of the action.
    ///   - input: The input of the event; `nil` for none.
    public func action(_ name: String, input: TreeValue? = nil) -> CellContents {
        with("action", .string(name)).with("input", input?.json)
    }

    /// Returns the box as a control that leads to a URL of the data.
    public func link(_ pointer: String) -> CellContents { with("link", .string(pointer)) }

    /// Returns the image with the template of its URL, and the widths in pixels in which it is
    /// there; without widths, in all.
    public func url(_ template: String, widths: [Int] = []) -> CellContents {
        with("url", .string(template)).with(
            "widths", widths.isEmpty ? nil : .array(of: widths.map { .integer($0) }))
    }

    /// Returns the image with the pointer to what clients may show until it is loaded.
    public func placeholder(_ pointer: String) -> CellContents {
        with("placeholder", .string(pointer))
    }

    /// A part of a label: a value of the data, which a string literal is the pointer of, or a
    /// constant.
    public enum LabelPart: Sendable, Hashable, ExpressibleByStringLiteral {
        /// The value at a pointer.
        case value(String)
        /// A text.
        case constant(String)

        /// Creates the value at a pointer.
        public init(stringLiteral pointer: String) { self = .value(pointer) }

        fileprivate var json: [UInt8] {
            switch self {
            case .value(let pointer): .string(pointer)
            case .constant(let text): .object(of: ["constant": .string(text)])
            }
        }
    }

    /// The role of a box.
    public enum Role: Sendable, Hashable {
        /// A heading of a level from 1 to 6.
        case heading(level: Int = 3)
        /// An image.
        case image
        /// Nothing that has a meaning.
        case none
        /// A button.
        case button
        /// A link.
        case link

        fileprivate var name: String {
            let role: ContentMeaning.Role =
                switch self {
                case .heading: .heading
                case .image: .image
                case .none: .nothing
                case .button: .button
                case .link: .link
                }
            return role.rawValue
        }
    }
}
