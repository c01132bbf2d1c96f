/// A decoration behind a section or behind its items (docs/layout.md, section J `decoration`, rules
/// D1-D4).
public struct DecorationOptions: Sendable, Hashable {
    /// The extent of a decoration (D1).
    public enum Mode: String, Sendable, Hashable, CaseIterable {
        /// The whole section: header, insets and footer included.
        case section
        /// From the first item to the last, across the viewport.
        case items
    }

    /// The name by which the client knows the decoration.
    public var kind: String
    /// The extent; if `nil`, the section in a compositional section, otherwise the items.
    public var mode: Mode?
    /// The inset of the rectangle; negative values enlarge it (D2).
    public var inset: Insets
    /// The z-index (G8); the layout kind's default if `nil`.
    public var zIndex: Int?
    /// The posted JSON for the client, byte for byte.
    public var data: [UInt8]?

    /// Creates a decoration.
    ///
    /// - Parameters:
    ///   - kind: The name by which the client knows the decoration.
    ///   - mode: The extent.
    ///   - inset: The inset of the rectangle.
    ///   - zIndex: The z-index.
    ///   - data: JSON for the client.
    public init(
        kind: String, mode: Mode? = nil, inset: Insets = .zero, zIndex: Int? = nil,
        data: [UInt8]? = nil
    ) {
        self.kind = kind
        self.mode = mode
        self.inset = inset
        self.zIndex = zIndex
        self.data = data
    }
}

extension String {
    fileprivate var isNameOfClients: Bool {
        utf8.count <= CatalogLimits.maxNameBytes && utf8.contains { $0 > UInt8(ascii: " ") }
    }
}

extension DecorationOptions {
    /// Reads the decorations at the collector's path: one, or an array of them.
    static func decorations(
        _ value: JSONValue, _ collector: inout ViolationCollector
    ) -> [DecorationOptions]? {
        guard value.kind == .object || value.kind == .array else {
            return value.expecting("an object or an array of objects", nil, &collector)
        }
        let limit = SectionLayout.maxDecorations
        guard value.kind == .object || value.count <= limit else {
            collector.report(
                "has \(value.count) decorations, of which a section may have at most \(limit)",
                at: value)
            return nil
        }
        return value.eachOrSelf(&collector) { value, collector in
            Members(value, &collector).flatMap { DecorationOptions($0, &collector) }.map { [$0] }
                ?? []
        }
    }

    /// Reads a decoration; its `kind` is required.
    private init?(_ members: Members, _ collector: inout ViolationCollector) {
        members.reportUnknown(
            among: ["kind", "mode", "inset", "zIndex", "data"], &collector)
        let kind = members.required("kind", &collector) { value, collector in
            let kind = value.expecting("a string", value.string, &collector)
            if let kind, !kind.isNameOfClients {
                collector.reportUnusable(
                    "is a kind that no client can know: it is empty, white space, or longer than "
                        + "\(CatalogLimits.maxNameBytes) bytes")
            }
            return kind
        }
        let mode: Mode? = members.choice("mode", &collector)
        let inset = members.insets("inset", &collector)
        let zIndex = members.integer("zIndex", &collector)
        let data = members.posted("data", &collector).map { value in
            Array(value.document.bytes[value.byteRange])
        }
        guard let kind else { return nil }
        self.init(kind: kind, mode: mode, inset: inset ?? .zero, zIndex: zIndex, data: data)
    }
}
