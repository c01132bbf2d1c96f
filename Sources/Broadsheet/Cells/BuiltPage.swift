/// A section of a page that is built in code, as its calls are recorded.
struct BuiltSection: Sendable {
    let identifier: String?
    let collapsed: Bool?
    let layout: SectionLayout
    var data: JSONValue?
    var calls: [BuiltCall]
}

/// A call on a section builder.
struct BuiltCall: Sendable {
    let role: PlacementRole
    let type: any CellType.Type
    var data: BuiltData?
    let isOptional: Bool
}

/// A section of a built page as the page keeps it, from which it becomes a page of the contract.
struct KeptSection: Sendable {
    let identifier: String?
    let collapsed: Bool?
    let layout: LayoutBox?
    /// The range of the section's data in the page's bytes.
    let data: Range<Int>?
    let calls: [KeptCall]

    init(_ section: BuiltSection) {
        identifier = section.identifier
        collapsed = section.collapsed
        layout = section.layout.isEmpty ? nil : LayoutBox(section.layout)
        data = section.data?.byteRange
        calls = section.calls.map(KeptCall.init)
    }

    /// The custom layout, which JSON cannot name; `nil` for another one.
    var customLayout: SectionLayout? {
        layout.flatMap { $0.layout.custom == nil ? nil : $0.layout }
    }
}

/// A call on a section of a built page as the page keeps it.
struct KeptCall: Sendable {
    let role: PlacementRole
    let type: any CellType.Type
    let isOptional: Bool
    /// The range of the data in the page's bytes; `nil` without data.
    let data: Range<Int>?
    /// The reason why the model is not JSON, if it is not.
    let error: ModelError?

    init(_ call: BuiltCall) {
        role = call.role
        type = call.type
        isOptional = call.isOptional
        switch call.data {
        case .value(let value)?: (data, error) = (value.byteRange, nil)
        case .invalid(let failure)?: (data, error) = (nil, failure)
        case .encoded?, nil: (data, error) = (nil, nil)
        }
    }

    /// The name of the unit type that makes what the call made.
    var unitType: String {
        BuiltUnitType.name(role, type.typeName, isOptional: isOptional)
    }
}

/// The data of a call on a section builder.
enum BuiltData: Sendable {
    case value(JSONValue)
    /// A model as JSON.
    case encoded([UInt8])
    case invalid(ModelError)

    init(encoding model: some Encodable) {
        do throws(ModelError) {
            self = .encoded(try ModelCoding.encode(model))
        } catch {
            self = .invalid(error)
        }
    }
}

extension [BuiltSection] {
    /// Returns the only document that all data belongs to; `nil` if there are several, or models.
    ///
    /// - Parameter fallback: The document of sections without data.
    /// - Complexity: O(calls).
    func document(or fallback: JSONDocument?) -> JSONDocument? {
        var common: JSONDocument?
        for section in self {
            for data in section.calls.map(\.data) + [section.data.map(BuiltData.value)] {
                switch data {
                case .encoded?: return nil
                case .value(let value)?:
                    guard common == nil || common === value.document else { return nil }
                    common = value.document
                case .invalid?, nil: continue
                }
            }
        }
        return common ?? fallback ?? .null
    }

    /// Moves all data into one document, an array of the values, each once, and of the models.
    ///
    /// - Throws: An error if it would be too large.
    /// - Complexity: O(bytes).
    mutating func joinData() throws(JSONError) -> JSONDocument {
        var values = JoinedValues()
        let data = map { values.index(of: $0.data.map(BuiltData.value)) }
        let calls = map { $0.calls.map { values.index(of: $0.data) } }
        let document = try values.document()
        let elements = Array<JSONValue>(document.root.elements)
        for section in indices {
            self[section].data = data[section].map { elements[$0] }
            for (call, index) in calls[section].enumerated() {
                guard let index else { continue }
                self[section].calls[call].data = .value(elements[index])
            }
        }
        return document
    }
}

/// The elements of an array that values of several documents are joined to.
private struct JoinedValues {
    private var bytes = [UInt8(ascii: "[")]
    private var count = 0
    private var indexes: [Source: Int] = [:]

    /// A value of a document.
    private struct Source: Hashable {
        let document: ObjectIdentifier
        let node: UInt32
    }

    /// Adds data unless it is there, and returns its index; `nil` for data that is none.
    mutating func index(of data: BuiltData?) -> Int? {
        switch data {
        case .value(let value)?:
            let source = Source(document: ObjectIdentifier(value.document), node: value.node)
            if let known = indexes[source] { return known }
            indexes[source] = count
            return append(value.bytes)
        case .encoded(let bytes)?: return append(bytes[...])
        case .invalid?, nil: return nil
        }
    }

    private mutating func append(_ value: ArraySlice<UInt8>) -> Int {
        if count > 0 { bytes.append(UInt8(ascii: ",")) }
        bytes += value
        count += 1
        return count - 1
    }

    func document() throws(JSONError) -> JSONDocument {
        try JSONDocument(bytes + [UInt8(ascii: "]")], maxDepth: .max)
    }
}
