/// A section of a page in a backend's own type.
public protocol ServerStateSectionRepresentable: Sendable {
    /// The section's identifier; a section without one is never merged.
    var sectionId: String? { get }
    /// The section's units, in their order.
    var units: [any ServerStateUnitRepresentable] { get }
    /// The section's own header; `nil` by default.
    var header: (any ServerStateUnitRepresentable)? { get }
    /// The section's own footer; `nil` by default.
    var footer: (any ServerStateUnitRepresentable)? { get }
    /// A Boolean value that indicates whether items are hidden; `nil`, the default, to leave that
    /// to other pages.
    var collapsed: Bool? { get }
    /// The section's data for the client; `nil` by default.
    var data: (any Encodable & Sendable)? { get }
}

extension ServerStateSectionRepresentable {
    /// No header.
    public var header: (any ServerStateUnitRepresentable)? { nil }
    /// No footer.
    public var footer: (any ServerStateUnitRepresentable)? { nil }
    /// Left to other pages.
    public var collapsed: Bool? { nil }
    /// No data.
    public var data: (any Encodable & Sendable)? { nil }
}

/// A unit of a section in a backend's own type.
public protocol ServerStateUnitRepresentable: Sendable {
    /// The name of the unit type.
    var unitType: String { get }
    /// The unit's data; `nil` is posted as null.
    var unitData: (any Encodable & Sendable)? { get }
}

/// The reason for which models are not a page.
public enum ModelPageError: Error, Sendable, Hashable {
    /// A model cannot be written as JSON; the pointer leads into the page.
    case invalidModel(ModelError)
    /// The JSON exceeds a limit.
    case invalidJSON(JSONError)
    /// The JSON breaks the contract or a limit of it.
    case invalidContract(ContractError)
}

extension ModelPageError: CustomStringConvertible {
    /// The pointer or the place, and the reason.
    public var description: String {
        switch self {
        case .invalidModel(let error): error.description
        case .invalidJSON(let error): error.description
        case .invalidContract(let error): error.description
        }
    }
}

extension ServerStatePage {
    /// Creates a page of a backend's own sections and units.
    ///
    /// Equal models give equal bytes, which are `document.bytes`: a page to post, or to resolve.
    ///
    /// - Parameters:
    ///   - number: The page's own number, if it specifies one.
    ///   - hasNext: A Boolean value that indicates whether more pages exist after this one.
    ///   - hasPrevious: A Boolean value that indicates whether more pages exist before this one.
    ///   - sections: The sections in their order.
    ///   - names: The names of the page's members.
    ///   - limits: The limits of the page.
    /// - Complexity: O(bytes).
    public init(
        number: Int? = nil, hasNext: Bool = false, hasPrevious: Bool = false,
        sections: [any ServerStateSectionRepresentable], names: ContractNames = ContractNames(),
        limits: ScreenLimits = ScreenLimits()
    ) throws(ModelPageError) {
        let bytes: [UInt8]
        do throws(ModelError) {
            bytes = try ModelCoding.encode(
                EncodedPage(
                    number: number, hasNext: hasNext, hasPrevious: hasPrevious,
                    sections: sections, names: names))
        } catch { throw .invalidModel(error) }
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(bytes, maxDepth: limits.maxDepth)
        } catch { throw .invalidJSON(error) }
        do throws(ContractError) {
            try self.init(document, names: names, limits: limits)
        } catch { throw .invalidContract(error) }
    }
}

/// A page by the names of its members.
private struct EncodedPage: Encodable {
    let number: Int?
    let hasNext: Bool
    let hasPrevious: Bool
    let sections: [any ServerStateSectionRepresentable]
    let names: ContractNames

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: MemberName.self)
        try members.encodeIfPresent(number, forKey: "page")
        try members.encode(hasNext, forKey: "hasNext")
        if hasPrevious { try members.encode(hasPrevious, forKey: "hasPrevious") }
        try members.encode(
            sections.map { EncodedSection(section: $0, names: names) },
            forKey: MemberName(stringValue: names.sections))
    }
}

/// A section by the names of its members.
struct EncodedSection: Encodable {
    let section: any ServerStateSectionRepresentable
    let names: ContractNames

    func encode(to encoder: any Encoder) throws {
        try ShadowedMembers.check(section, at: encoder.codingPath)
        var members = encoder.container(keyedBy: MemberName.self)
        try members.encodeIfPresent(
            section.sectionId, forKey: MemberName(stringValue: names.sectionId))
        try members.encodeIfPresent(section.collapsed, forKey: "collapsed")
        try members.encodeIfPresent(section.header.map(unit), forKey: "header")
        try members.encodeIfPresent(section.footer.map(unit), forKey: "footer")
        if let data = section.data, let name = names.sectionData {
            try data.encode(to: members.superEncoder(forKey: MemberName(stringValue: name)))
        }
        try members.encode(section.units.map(unit), forKey: MemberName(stringValue: names.units))
    }

    private func unit(_ unit: any ServerStateUnitRepresentable) -> EncodedUnit {
        EncodedUnit(unit: unit, names: names)
    }
}

/// A unit by the names of its members.
struct EncodedUnit: Encodable {
    let unit: any ServerStateUnitRepresentable
    let names: ContractNames

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: MemberName.self)
        try members.encode(unit.unitType, forKey: MemberName(stringValue: names.unitType))
        let data = MemberName(stringValue: names.unitData)
        if let unitData = unit.unitData {
            try unitData.encode(to: members.superEncoder(forKey: data))
        } else {
            try members.encodeNil(forKey: data)
        }
    }
}
