import Broadsheet

/// A type of data, as all languages have it.
struct DataType: Hashable {
    /// The type within arrays and maps: any JSON value, or one of a kind.
    enum Core: String { case json, bool, string, integer, number, literal, declared }
    enum Layer: String { case array, map, nullable }

    static let json = DataType(core: .json)
    static let bool = DataType(core: .bool)
    static let string = DataType(core: .string)
    static let integer = DataType(core: .integer)
    static let number = DataType(core: .number)

    /// What is around the core, from the outside.
    var layers: [Layer] = []
    var core: Core
    /// The only value of a literal.
    var literal: Identifier?
    /// The index of a declared type.
    var declared: Int?

    var isNullable: Bool { layers.first == .nullable }
    var inner: DataType { with(Array(layers.dropFirst())) }
    var unwrapped: DataType { isNullable ? inner : self }
    /// The index of the declared type that each value of the type is.
    var content: Int? { layers.isEmpty ? declared : nil }

    func within(_ layer: Layer) -> DataType { with([layer] + layers) }

    func with(_ layers: [Layer]) -> DataType {
        DataType(layers: layers, core: core, literal: literal, declared: declared)
    }
}

/// A reason why a schema has no type of its own.
struct TypeNote: Hashable {
    let node: UInt32
    let reason: String
    var text: String { "Not typed: it \(reason)." }
}

/// A type with the reasons why it, or parts of it, are none.
struct Typed: Hashable {
    var type: DataType
    var notes: [TypeNote]

    init(_ type: DataType, _ notes: [TypeNote] = []) { (self.type, self.notes) = (type, notes) }
}

struct Comment {
    var lines: [String] = []
    var isDeprecated = false
}

/// The kind of a JSON value that is not null.
enum ValueKind: String {
    case bool, number, string, array, object

    /// Returns the only one of some kinds; `nil` if there are several.
    init?(_ kinds: ValueKinds) {
        switch kinds {
        case .boolean: self = .bool
        case .integer, .fraction, .number: self = .number
        case .string: self = .string
        case .array: self = .array
        case .object: self = .object
        default: return nil
        }
    }
}

/// A string of the catalog with a name in code: a cell type, a member, a case, an action or a
/// constant.
struct NamedValue {
    /// The string; of a case in a union by kinds, the name of the kind.
    let value: String
    var kind: ValueKind?
    var identifier = ""
    /// The type of the data, of the member or of the input, if it has one.
    var type: DataType?
    var isRequired = false
    /// A Boolean value that indicates whether it stands for all members without a name.
    var isAdditional = false
    /// A Boolean value that indicates whether a member contains the type of its object in place.
    var isIndirect = false
    /// The only value of a member, if there is one.
    var constant: String?
    var comment = Comment()
    var notes: [TypeNote] = []
    /// The node of the schema, or of the object that a member without one is of.
    var node: UInt32 = 0

    var isNullable: Bool { type?.isNullable == true }
}

/// A type with a name in code.
struct DeclaredType {
    enum Form: Hashable {
        case object
        /// Strings, and any other one.
        case strings
        /// Types that the string of a member, or else the kind of value, distinguishes, and any
        /// other value.
        case union(selector: Identifier?)
        /// Another name for a type, while the model is made.
        case alias(Typed)
    }

    var form: Form
    /// The members or cases.
    var parts: [NamedValue]
    var name = ""
    var comment: Comment
    let node: UInt32
}

/// Names of a catalog that stand together in code.
struct NamedGroup {
    enum Kind {
        case cells, units, actions, names, parts
    }

    let kind: Kind
    var name: String
    /// The spelling of the cell type whose actions or parts they are.
    var cellName = ""
    var comment: String
    var values: [NamedValue] = []

    /// A Boolean value that indicates whether the values are cases of one type.
    var isFamily: Bool { kind == .cells || kind == .units }
}

/// The types of a catalog, with names and in their order.
struct GeneratedModel {
    /// The first line without its comment sign.
    let header: String
    /// The name of the file's scope.
    let name: String
    let package: String?
    /// All declared types, by their indexes.
    var declared: [DeclaredType] = []
    /// The types that are reached, in the order of the file.
    var types: [DeclaredType] = []
    var groups: [NamedGroup] = []
    /// The names of a unit's type and data in pages.
    var unitMembers: (type: String, data: String) = ("unitType", "unitData")
    /// The reasons why schemas have no types, each once.
    var notes: [TypeNote] = []
}
