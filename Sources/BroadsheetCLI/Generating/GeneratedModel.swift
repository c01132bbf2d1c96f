import Broadsheet

/// A type of data, as all languages have it.
indirect enum DataType: Hashable {
    /// Any JSON value.
    case json
    case bool, string, integer, number
    /// A string that is always the same.
    case literal(String)
    case array(DataType)
    case map(DataType)
    case nullable(DataType)
    /// A type with a declaration, by its index.
    case declared(Int)
}

/// A reason why a schema has no type of its own.
struct TypeNote: Hashable {
    /// The node of the schema.
    let node: UInt32
    let reason: String
}

/// The comment on a declaration.
struct Comment {
    /// The paragraphs, as the catalog has them.
    var lines: [String] = []
    var isDeprecated = false

    var isEmpty: Bool { lines.isEmpty && !isDeprecated }
}

/// A declared type: a type with a name in code.
struct DeclaredType {
    enum Form {
        case object([ObjectMember], additional: DataType?)
        /// Strings, and any other one.
        case strings([StringCase])
        /// Types that a member, or the kind of value, distinguishes, and any other value.
        case union(UnionSelector, [UnionCase])
        /// Another name for a type, while the model is made.
        case alias(DataType)
    }

    var form: Form
    /// The name in code, once the type is reached.
    var name = ""
    var comment = Comment()
    /// The reasons why parts of an alias have no types.
    var notes: [TypeNote] = []
    /// The node of the schema.
    let node: UInt32
}

/// A member of an object.
struct ObjectMember {
    /// The forms of a value that may be missing or null.
    enum Presence {
        case required, requiredNullable, optional, optionalNullable
    }

    /// The name in JSON.
    let name: String
    /// The name in code.
    var identifier = ""
    /// The type, without the null that `presence` says.
    var type: DataType
    var presence: Presence
    /// A Boolean value that indicates whether the value contains its own type in place.
    var isIndirect = false
    /// The only value, if there is one.
    var constant: Constant?
    var comment = Comment()
    var notes: [TypeNote] = []
    /// The node of the schema, or of the object if the member has none.
    let node: UInt32

    var isRequired: Bool { presence == .required || presence == .requiredNullable }

    /// A Boolean value that indicates whether null is kept apart from what is missing.
    var isNullable: Bool { presence == .requiredNullable || presence == .optionalNullable }
}

/// The value of `const`.
enum Constant: Hashable {
    case bool(Bool), integer(Int64), string(String)
    /// A number as the catalog has it.
    case number(String)
}

struct StringCase {
    let value: String
    var identifier = ""
    var comment = Comment()
}

/// The part of a value by which the case of a union is chosen.
enum UnionSelector: Hashable {
    /// The string of a member.
    case member(String)
    /// The kind of JSON value.
    case kind
}

struct UnionCase {
    /// The string of the member, or the name of the kind.
    let value: String
    var identifier = ""
    var type: DataType
}

/// A cell type or a unit type with the type of its data.
struct DataCase {
    /// The name in the catalog.
    let value: String
    let identifier: String
    var type: DataType
    var comment: Comment
}

/// An action of a cell type.
struct GeneratedAction {
    let value: String
    let identifier: String
    /// The type of the input; `nil` if any is accepted, or none.
    var input: DataType?
    var comment = Comment()
}

/// The actions of a cell type.
struct ActionGroup {
    let cellType: String
    /// The spelling of the cell type, and that of the group.
    let cellName: String
    let name: String
    var actions: [GeneratedAction]
}

/// Names of a catalog as constants.
struct ConstantGroup {
    let name: String
    /// The cell type whose parts they are; `nil` for other names.
    var cellName: String?
    let comment: String
    let constants: [(identifier: String, value: String)]
}

/// The types of a catalog, with names and in their order.
struct GeneratedModel {
    /// The first line without its comment sign.
    let header: String
    /// The name of the file's scope.
    let name: String
    /// The package in Kotlin.
    let package: String?
    /// All declared types, by their indexes.
    var declared: [DeclaredType] = []
    /// The indexes of those that are reached, in the order of the file.
    var order: [Int] = []
    var cells: [DataCase] = []
    var units: [DataCase] = []
    var actions: [ActionGroup] = []
    var constants: [ConstantGroup] = []
    /// The names of a unit's type and data in pages.
    var unitMembers: (type: String, data: String) = ("unitType", "unitData")
    /// The reasons why schemas have no types, each once.
    var notes: [TypeNote] = []

    var types: [DeclaredType] { order.map { declared[$0] } }

    /// Returns whether a member of a type has a property.
    func containsMember(where condition: (ObjectMember) -> Bool) -> Bool {
        types.contains { type in
            if case .object(let members, _) = type.form {
                members.contains(where: condition)
            } else {
                false
            }
        }
    }
}
