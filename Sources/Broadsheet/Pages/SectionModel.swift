/// A unit of a type with a model, for pages without unit types of one's own.
public struct UnitModel: ServerStateUnitRepresentable {
    /// The name of the unit type.
    public var unitType: String
    /// The model; `nil` is posted as null.
    public var unitData: (any Encodable & Sendable)?

    /// Creates a unit.
    public init(_ unitType: String, _ data: (any Encodable & Sendable)?) {
        self.unitType = unitType
        unitData = data
    }
}

/// A section of units with models, for pages without sections of one's own.
public struct SectionModel: ServerStateSectionRepresentable {
    /// The section's identifier; a section without one is never merged.
    public var sectionId: String?
    /// The section's own header.
    public var header: (any ServerStateUnitRepresentable)?
    /// The section's own footer.
    public var footer: (any ServerStateUnitRepresentable)?
    /// A Boolean value that indicates whether items are hidden; `nil` to leave that to other pages.
    public var collapsed: Bool?
    /// The section's units, in their order.
    public var units: [any ServerStateUnitRepresentable]

    /// Creates a section.
    public init(
        _ sectionId: String? = nil, header: UnitModel? = nil, footer: UnitModel? = nil,
        collapsed: Bool? = nil, _ units: UnitModel...
    ) {
        self.sectionId = sectionId
        self.header = header
        self.footer = footer
        self.collapsed = collapsed
        self.units = units
    }
}

/// The stored properties of a section that have the name of a member of the protocol and another
/// type, so that a page would not have them.
enum ShadowedMembers {
    /// Checks that a section has no such property with a value.
    ///
    /// - Throws: An `EncodingError` at the property, with the type to declare.
    static func check(
        _ section: any ServerStateSectionRepresentable, at path: [any CodingKey]
    ) throws {
        let shadowed = [
            ("header", section.header == nil, "(any ServerStateUnitRepresentable)?"),
            ("footer", section.footer == nil, "(any ServerStateUnitRepresentable)?"),
            ("collapsed", section.collapsed == nil, "Bool?"),
            ("data", section.data == nil, "(any Encodable & Sendable)?"),
        ].filter(\.1)
        guard !shadowed.isEmpty else { return }
        var mirror: Mirror? = Mirror(reflecting: section)
        while let current = mirror {
            for child in current.children {
                guard let (name, _, type) = shadowed.first(where: { $0.0 == child.label }),
                    !isNil(child.value)
                else { continue }
                throw EncodingError.invalidValue(
                    section,
                    .init(
                        codingPath: path + [MemberName(stringValue: name)],
                        debugDescription: "the property is of another type than the protocol's; "
                            + "declare it as \(type), or give it another name"))
            }
            mirror = current.superclassMirror
        }
    }

    private static func isNil(_ value: Any) -> Bool {
        let mirror = Mirror(reflecting: value)
        return mirror.displayStyle == .optional && mirror.children.isEmpty
    }
}
