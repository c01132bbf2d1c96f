/// A registered cell type as the rest of the house sees it, wherever it was written down.
package final class CellKind: Sendable {
    /// How items of the type are sized.
    enum Sizing: Sendable {
        /// As the layout's default says.
        case byLayout
        /// By a catalog's rules.
        case byRules(SizeRules)
        /// By a Swift type's code, which is handed the item's data.
        case byCode(any CellType.Type)
    }

    /// The name by which the client knows the type.
    package let name: String
    /// The name as a JSON string, quotes included.
    package let nameJSON: [UInt8]
    /// Where in the data the item is identified.
    let id: JSONPointer?
    /// How items are sized.
    let sizing: Sizing

    init(name: String, id: JSONPointer?, sizing: Sizing) {
        self.name = name
        var writer = JSONWriter()
        writer.string(name)
        nameJSON = writer.bytes
        self.id = id
        self.sizing = sizing
    }

    /// The kind that a Swift type is.
    convenience init(_ type: any CellType.Type) {
        self.init(name: type.typeName, id: type.id, sizing: .byCode(type))
    }

    /// Whether two items of the type can differ in size under one request.
    var dependsOnData: Bool {
        switch sizing {
        case .byLayout: false
        case .byRules(let rules): !rules.inputs.isEmpty
        case .byCode: true
        }
    }
}
