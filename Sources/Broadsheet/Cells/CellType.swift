/// A cell, header or footer type that a Swift program sizes by code.
///
/// It corresponds to an entry of a catalog's `cellTypes`; items of both are treated alike.
public protocol CellType<Input>: Sendable {
    /// The model that an item's data is decoded as, once, when its page is resolved.
    ///
    /// With ``JSONValue``, nothing is decoded. Data that does not fit has the layout's default size
    /// and a diagnostic, ``Diagnostic/Code/unusableValue``, that points to the part.
    associatedtype Input: Decodable & Sendable = JSONValue

    /// The name that the client knows the type by; the Swift type's own name by default.
    static var typeName: String { get }

    /// The pointer from an item's data to the string or number that identifies it in its section.
    ///
    /// With `nil`, or a pointer that finds neither a string nor a number, an item is identified by
    /// its position.
    static var id: JSONPointer? { get }

    /// The parts of an item's data that pictures show, or `nil` for its type and its id.
    static var picture: CellPicture? { get }

    /// The content, from which the size follows instead of ``size(with:constrainedTo:)``; `nil` for
    /// none.
    static var content: CellContents? { get }

    /// The gestures that clients offer for items of the type, or `nil` for a type that restricts
    /// nothing.
    static var can: [CellCapability]? { get }

    /// Returns the size in points for an item's data in a container, or `nil` for the layout's
    /// default.
    ///
    /// The function is called for each item at each layout, on any thread. NaN, infinite and
    /// negative lengths are sanitised (rule G2).
    static func size(with input: Input, constrainedTo container: Container) -> Size?

    /// Returns the number of columns that an item with some data spans in grids and in masonry
    /// (rules F20 and M3).
    ///
    /// The function is called once for each item, when its page is resolved, on any thread.
    static func span(with input: Input) -> CellSpan
}

extension CellType {
    /// The Swift type's own name.
    public static var typeName: String { String(describing: Self.self) }

    /// No pointer: items are identified by their position.
    public static var id: JSONPointer? { nil }

    /// Nothing of the data: pictures show the type and the id.
    public static var picture: CellPicture? { nil }

    /// No content.
    public static var content: CellContents? { nil }

    /// The layout's default size, which a type with a content does not have.
    public static func size(with input: Input, constrainedTo container: Container) -> Size? { nil }

    /// No list: the type restricts nothing.
    public static var can: [CellCapability]? { nil }

    /// One column.
    public static func span(with input: Input) -> CellSpan { .columns(1) }
}

extension CellType where Input: Identifiable, Input.ID: LosslessStringConvertible {
    /// The `id` of the model.
    public static var id: JSONPointer? { "/id" }
}

/// One item of a page: its type, the range of its data, its identity and its size inputs.
///
/// It is 24 bytes of offsets into its page, which provides everything else about it
/// (``ResolvedPage``).
public struct CellInfo: Sendable {
    /// The identity of an item within its section.
    package enum Identity: Sendable, Hashable {
        /// A text in the page's bytes: a string's content between its quotes, or a number's bytes.
        case text(range: Range<UInt32>, hasEscapes: Bool)
        /// The item's position: the unit in its posted section, and the element in its unit.
        case position(unit: Int, element: Int)
    }

    /// The type's index in the page's kinds, and two flags above it.
    private let kindAndFlags: UInt32
    private let dataStart: UInt32
    private let dataEnd: UInt32
    /// The two numbers of the identity: a text's start and end, or a position's unit and element.
    private let identity: (UInt32, UInt32)
    /// The index of the item's first size input in the page; of a Swift type, that of its model, or
    /// the data's tape node.
    let inputs: UInt32

    private static let positionFlag: UInt32 = 1 << 31
    private static let escapesFlag: UInt32 = 1 << 30

    init(kind: Int, data: Range<Int>, identity: Identity, inputs: UInt32) {
        let kind = UInt32(truncatingIfNeeded: kind)
        switch identity {
        case .text(let range, let hasEscapes):
            kindAndFlags = kind | (hasEscapes ? Self.escapesFlag : 0)
            self.identity = (range.lowerBound, range.upperBound)
        case .position(let unit, let element):
            kindAndFlags = kind | Self.positionFlag
            self.identity = (
                UInt32(truncatingIfNeeded: unit), UInt32(truncatingIfNeeded: element)
            )
        }
        dataStart = UInt32(truncatingIfNeeded: data.lowerBound)
        dataEnd = UInt32(truncatingIfNeeded: data.upperBound)
        self.inputs = inputs
    }

    @inline(__always)
    package var kind: Int { Int(kindAndFlags & (Self.escapesFlag - 1)) }

    /// The range of the item's data in its page's bytes.
    @inline(__always)
    package var dataRange: Range<Int> { Int(dataStart)..<Int(dataEnd) }

    /// The identity of the item, before a suffix distinguishes it from equal ones.
    @inline(__always)
    package var id: Identity {
        if kindAndFlags & Self.positionFlag != 0 {
            return .position(unit: Int(identity.0), element: Int(identity.1))
        }
        return .text(
            range: identity.0..<identity.1, hasEscapes: kindAndFlags & Self.escapesFlag != 0)
    }
}

/// A section's header or footer: its type, and the range of its data in its page.
public struct ReusableViewInfo: Sendable {
    /// The index of its type among its page's kinds.
    package let kind: Int
    package let dataRange: Range<Int>
    /// The index of its first size input in the page; of a Swift type, that of its model, or the
    /// data's tape node.
    let inputs: UInt32
    /// The location of the unit that made it.
    package let location: UnitLocation
}

/// A registered cell type, whether a catalog or a Swift program registered it.
package final class CellKind: Sendable {
    /// The source of an item's size.
    enum Sizing: Sendable {
        case byLayout
        case byRules(SizeRules)
        case byContents(ContentTree)
        /// A Swift type, which receives the item's data.
        case byCode(any CellType<JSONValue>.Type)
        /// A Swift type, which receives the item's data as a model: an empty list of its models.
        case byModel(any CellModels)
    }

    /// The name that the client knows the type by.
    package let name: String
    /// The name as a JSON string, quotes included.
    package let nameJSON: [UInt8]
    package let behavior: CellBehavior
    /// The pointer from an item's data to its identifier.
    let id: JSONPointer?
    let idSteps: [JSONPathStep]?
    let picture: CellPicture?
    let sizing: Sizing
    /// The content of the items, if their size follows from one.
    let contents: ContentTree?
    /// The numbers that rules and contents read from an item's data; empty for other sources.
    ///
    /// A copy, because reading it out of ``sizing`` for each item would retain all rules.
    let sizeInputs: [SizeInput]
    let isSizedByCode: Bool
    let measuresText: Bool
    /// The source of the columns that an item spans (F20).
    let span: SpanRule
    /// A copy, because reading ``span`` for each item would retain its pointer.
    let readsSpan: Bool
    /// The clients that can draw the type; `nil` for all.
    let since: Condition?
    let schema: UnitSchema?
    /// The names of the type's styles, which clients give a meaning.
    let style: [String]

    init(
        name: String, id: JSONPointer?, picture: CellPicture? = nil, since: Condition? = nil,
        behavior: CellBehavior = CellBehavior(), schema: UnitSchema? = nil, style: [String] = [],
        sizing: Sizing, span: SpanRule = .fixed(.one)
    ) {
        self.name = name
        self.style = style
        self.since = since
        self.schema = schema
        self.behavior = behavior
        switch sizing {
        case .byLayout: (sizeInputs, isSizedByCode, contents) = ([], false, nil)
        case .byRules(let rules): (sizeInputs, isSizedByCode, contents) = (rules.inputs, false, nil)
        case .byContents(let tree):
            (sizeInputs, isSizedByCode, contents) = (tree.inputs, false, tree)
        case .byCode, .byModel: (sizeInputs, isSizedByCode, contents) = ([], true, nil)
        }
        measuresText = sizeInputs.contains { $0.text != nil }
        var writer = JSONWriter()
        writer.string(name)
        nameJSON = writer.bytes
        self.id = id
        idSteps = id?.steps
        self.picture = picture
        self.sizing = sizing
        self.span = span
        readsSpan = span.dependsOnData
    }

    convenience init(_ type: (some CellType).Type, _ contents: ContentTree?) {
        let json = type as? any CellType<JSONValue>.Type
        self.init(
            name: type.typeName, id: type.id, picture: type.picture,
            behavior: CellBehavior(can: type.can),
            sizing: contents.map { .byContents($0) } ?? json.map { .byCode($0) }
                ?? .byModel(DecodedModels(for: type)),
            span: json.map { .byCode($0) } ?? .byModel(type))
    }

    /// A Boolean value that indicates whether two items can differ in size for one request.
    var dependsOnData: Bool { isSizedByCode || !sizeInputs.isEmpty }

    /// Returns the columns that an item spans (F20), and the pointer to a value in its data that is
    /// no span.
    ///
    /// - Parameters:
    ///   - data: The item's data.
    ///   - models: The models of the page's items of the type, if its size needs models.
    ///   - index: The index of the item's model.
    /// - Throws: The first part of the data that does not fit the model of a type with a content.
    func span(
        of data: JSONValue, _ models: (any CellModels)?, at index: UInt32
    ) throws(ModelError) -> (span: ItemSpan, unusable: JSONPointer?) {
        switch span {
        case .fixed(let span): return (span, nil)
        case .value(let pointer, let fallback):
            guard let found = pointer.evaluate(on: data), !found.isNull else {
                return (fallback, nil)
            }
            return ItemSpan(found).map { ($0, nil) } ?? (fallback, pointer)
        case .byCode(let type): return (ItemSpan(type.span(with: data)), nil)
        case .byModel(let type):
            // The size of a type with a content has no models.
            if contents != nil { return (try type.decodedSpan(of: data), nil) }
            return (models?.span(at: index).map(ItemSpan.init) ?? .one, nil)
        }
    }

    /// The number of values that a page keeps for each item of the type.
    var inputCount: Int { sizeInputs.count + (readsSpan ? 1 : 0) }
}

extension CellKind {
    /// Returns the indexes of the inputs that the size of an item, or its content, depends on.
    ///
    /// - Complexity: O(rules).
    func usedInputs(in scope: SizeScope) -> [Int] {
        switch sizing {
        case .byRules(let rules): rules.inputs(in: scope)
        case .byContents(let tree): tree.inputs(in: scope)
        case .byLayout, .byCode, .byModel: []
        }
    }

    /// Returns the size in points of an item whose inputs begin at `inputs` in `page`.
    func size(_ request: SizeRequest, inputs: UInt32, in page: ResolvedPage) -> Size {
        switch sizing {
        case .byLayout:
            return request.fallback
        case .byRules(let rules):
            var scope = page.scope(request, start: Int(inputs))
            return measuresText
                ? rules.measuredSize(request, in: &scope) : rules.size(request, in: &scope)
        case .byContents(let tree):
            var arranger = ContentArranger(tree, page.scope(request, start: Int(inputs)))
            return arranger.size(request)
        case .byCode(let type):
            guard let data = page.document?.value(at: inputs) else { return request.fallback }
            return type.size(with: data, constrainedTo: request.container) ?? request.fallback
        case .byModel:
            return page.models[ObjectIdentifier(self)]?
                .size(at: inputs, constrainedTo: request.container) ?? request.fallback
        }
    }

    func measured(
        _ request: SizeRequest, inputs: UInt32, in page: ResolvedPage
    ) -> (size: Size, lines: ItemLines) {
        guard case .byRules(let rules) = sizing, measuresText else {
            return (size(request, inputs: inputs, in: page), .none)
        }
        var scope = page.scope(request, start: Int(inputs))
        let size = rules.measuredSize(request, in: &scope)
        return (size, scope.lines)
    }

    /// The `cells` are all of this type; consecutive ones with the same inputs are sized once.
    func appendSizes(
        of cells: ArraySlice<CellInfo>, _ request: SizeRequest, in page: ResolvedPage,
        to items: inout MeasuredItems
    ) {
        var size = Size.zero
        var inputs: UInt32?
        switch sizing {
        case .byRules(let rules) where measuresText:
            appendMeasuredSizes(of: cells, by: rules, request, in: page, to: &items)
        case .byRules(let rules):
            var scope = page.scope(request)
            for cell in cells {
                if cell.inputs != inputs {
                    scope.start = Int(cell.inputs)
                    size = rules.size(request, in: &scope)
                    inputs = cell.inputs
                }
                items.sizes.append(size)
            }
        case .byContents(let tree):
            var arranger = ContentArranger(tree, page.scope(request))
            for cell in cells {
                if cell.inputs != inputs {
                    arranger.scope.start = Int(cell.inputs)
                    size = arranger.size(request)
                    inputs = cell.inputs
                }
                items.sizes.append(size)
            }
        case .byModel:
            let models = page.models[ObjectIdentifier(self)]
            for cell in cells {
                let size = models?.size(at: cell.inputs, constrainedTo: request.container)
                items.sizes.append(size ?? request.fallback)
            }
        case .byLayout, .byCode:
            for cell in cells {
                if cell.inputs != inputs {
                    size = self.size(request, inputs: cell.inputs, in: page)
                    inputs = cell.inputs
                }
                items.sizes.append(size)
            }
        }
    }

    private func appendMeasuredSizes(
        of cells: ArraySlice<CellInfo>, by rules: SizeRules, _ request: SizeRequest,
        in page: ResolvedPage, to items: inout MeasuredItems
    ) {
        items.beginLines()
        var size = Size.zero
        var inputs: UInt32?
        var scope = page.scope(request)
        for cell in cells {
            if cell.inputs != inputs {
                scope.start = Int(cell.inputs)
                size = rules.measuredSize(request, in: &scope)
                inputs = cell.inputs
            }
            items.sizes.append(size)
            items.lines.append(scope.lines)
        }
    }
}
