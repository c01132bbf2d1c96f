/// A registered cell type, whether a catalog or a Swift program registered it.
package final class CellKind: Sendable {
    /// The source of an item's size.
    enum Sizing: Sendable {
        /// The layout's default.
        case byLayout
        /// A catalog's rules.
        case byRules(SizeRules)
        /// A Swift type, which receives the item's data.
        case byCode(any CellType.Type)
    }

    /// The name that the client knows the type by.
    package let name: String
    /// The name as a JSON string, quotes included.
    package let nameJSON: [UInt8]
    /// The pointer from an item's data to its identifier.
    let id: JSONPointer?
    /// The source of an item's size.
    let sizing: Sizing

    /// Creates a kind of a catalog.
    init(name: String, id: JSONPointer?, sizing: Sizing) {
        self.name = name
        var writer = JSONWriter()
        writer.string(name)
        nameJSON = writer.bytes
        self.id = id
        self.sizing = sizing
    }

    /// Creates the kind of a Swift type.
    convenience init(_ type: any CellType.Type) {
        self.init(name: type.typeName, id: type.id, sizing: .byCode(type))
    }

    /// A Boolean value that indicates whether two items can differ in size for one request.
    var dependsOnData: Bool {
        switch sizing {
        case .byLayout: false
        case .byRules(let rules): !rules.inputs.isEmpty
        case .byCode: true
        }
    }
}

extension CellKind {
    /// Returns the size in points of an item whose inputs begin at `inputs` in `page`.
    func size(_ request: SizeRequest, inputs: UInt32, in page: ResolvedPage) -> Size {
        switch sizing {
        case .byLayout:
            return request.fallback
        case .byRules(let rules):
            return rules.size(request, inputs: page.inputs, from: Int(inputs))
        case .byCode(let type):
            guard let data = page.document?.value(at: inputs) else { return request.fallback }
            return type.size(with: data, constrainedTo: request.container) ?? request.fallback
        }
    }

    /// Appends the sizes of `cells`, which are all of this type.
    ///
    /// Consecutive cells with the same inputs are sized once.
    ///
    /// - Complexity: O(cells).
    func appendSizes(
        of cells: ArraySlice<CellInfo>, _ request: SizeRequest, in page: ResolvedPage,
        to sizes: inout [Size]
    ) {
        var size = Size.zero
        var inputs: UInt32?
        switch sizing {
        case .byRules(let rules):
            var scope = SizeScope(length: 0, width: 0, inputs: page.inputs, start: 0)
            for cell in cells {
                if cell.inputs != inputs {
                    scope.start = Int(cell.inputs)
                    size = rules.size(request, in: &scope)
                    inputs = cell.inputs
                }
                sizes.append(size)
            }
        case .byLayout, .byCode:
            for cell in cells {
                if cell.inputs != inputs {
                    size = self.size(request, inputs: cell.inputs, in: page)
                    inputs = cell.inputs
                }
                sizes.append(size)
            }
        }
    }
}

/// A layout's request for the size of a cell, a header or a footer, in points.
///
/// The layout provides the defaults, because they differ by layout kind (rules F3, F5, C7, C12, L3,
/// L5); the cell type provides the lengths that it knows. Equal requests of one section are made
/// once for all of its items.
public struct SizeRequest: Sendable, Hashable {
    /// The container that fractions refer to.
    public var container: Container
    /// The resolved cross length in points, which overrides rules (a grid's column); `nil` to use
    /// the cell's own rule.
    public var fixedCross: Double?
    /// The lengths in points for axes that the cell's rules leave out.
    public var absent: Size
    /// The size in points of a cell type that has no size of its own.
    public var fallback: Size

    /// Creates a request; `fallback` is `absent` by default.
    public init(
        container: Container, fixedCross: Double? = nil, absent: Size, fallback: Size? = nil
    ) {
        self.container = container
        self.fixedCross = fixedCross
        self.absent = absent
        self.fallback = fallback ?? absent
    }
}
