/// A compiled catalog: the registered unit types, cell types and layouts as JSON (docs/catalog.md).
public struct Catalog: Sendable {
    /// The JSON of the catalog.
    public let bytes: [UInt8]
    /// The registry that the catalog describes.
    public let registry: CellRegistry
    /// The unknown members of the catalog and the layout members without effect, with pointers into
    /// the catalog; the first 100 unknown names, and one more about the number of the others.
    public let diagnostics: [Diagnostic]
    /// A text that changes with the code of the types that are registered in Swift; `nil` if there
    /// are none.
    package let codeVersion: String?

    /// Compiles a catalog from `bytes`, a JSON document.
    ///
    /// - Parameters:
    ///   - bytes: The document.
    ///   - measurer: The measurer that opens the catalog's fonts; without one, a catalog with fonts
    ///     has violations.
    ///   - sizeRules: The size rules that the catalog may use besides those of docs/catalog.md.
    /// - Throws: All violations, not only the first.
    /// - Complexity: O(bytes), and what the measurer takes to open fonts.
    public init(
        _ bytes: [UInt8], measuringWith measurer: (any TextMeasurer)? = nil,
        sizeRules: [CustomSizeRule] = []
    ) throws(CatalogError) {
        try self.init(
            bytes, limits: CatalogLimits(), measuringWith: measurer, sizeRules: sizeRules)
    }

    package init(
        _ bytes: [UInt8], limits: CatalogLimits,
        measuringWith measurer: (any TextMeasurer)? = nil, sizeRules: [CustomSizeRule] = []
    ) throws(CatalogError) {
        try self.init(
            bytes, limits,
            CatalogCompiler(
                at: "", limits: limits, measurer.map { .measurer($0) } ?? .none, sizeRules))
    }

    /// Compiles the catalog in a file, in which a member at most two letters off `units`, or
    /// another member of a catalog, is a violation: without that part, the catalog would be valid,
    /// and no page would have cells.
    ///
    /// - Throws: All violations, not only the first.
    package init(
        ofFile bytes: [UInt8], limits: CatalogLimits, measuringWith measurer: any TextMeasurer
    ) throws(CatalogError) {
        var compiler = CatalogCompiler(at: "", limits: limits, .measurer(measurer), [])
        compiler.refusesMisspellings = true
        try self.init(bytes, limits, compiler)
    }

    private init(
        _ bytes: [UInt8], _ limits: CatalogLimits, _ compiler: CatalogCompiler
    ) throws(CatalogError) {
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(bytes, maxDepth: limits.maxDepth)
        } catch {
            throw .invalidJSON(error)
        }
        let compiled = try Catalog(document.root, compiler)
        self.init(
            bytes: bytes, registry: compiled.registry, diagnostics: compiled.diagnostics)
    }

    /// Compiles a catalog from `value`, which may be part of a larger document.
    ///
    /// - Parameters:
    ///   - value: The catalog.
    ///   - pointer: The pointer to `value` in its document; the pointers of violations begin with
    ///     it.
    ///   - measurer: The measurer that opens the catalog's fonts.
    ///   - sizeRules: The size rules that the catalog may use besides those of docs/catalog.md.
    /// - Throws: All violations, not only the first.
    public init(
        _ value: JSONValue, at pointer: String = "",
        measuringWith measurer: (any TextMeasurer)? = nil, sizeRules: [CustomSizeRule] = []
    ) throws(CatalogError) {
        try self.init(
            value, at: pointer, limits: CatalogLimits(), measuringWith: measurer,
            sizeRules: sizeRules)
    }

    package init(
        _ value: JSONValue, at pointer: String = "", limits: CatalogLimits,
        measuringWith measurer: (any TextMeasurer)? = nil, sizeRules: [CustomSizeRule] = []
    ) throws(CatalogError) {
        try self.init(
            value,
            CatalogCompiler(
                at: pointer, limits: limits, measurer.map { .measurer($0) } ?? .none, sizeRules))
    }

    /// Compiles a catalog that comes with a request: it may use the fonts of `active` alone, and
    /// the size rules that `active` was compiled with.
    package init(
        _ value: JSONValue, at pointer: String, limits: CatalogLimits = CatalogLimits(),
        usingFontsOf active: CellRegistry
    ) throws(CatalogError) {
        try self.init(
            value,
            CatalogCompiler(
                at: pointer, limits: limits, .active(active.fonts), active.sizeRules))
    }

    private init(_ value: JSONValue, _ compiler: CatalogCompiler) throws(CatalogError) {
        var compiler = compiler
        let registry = compiler.registry(of: value)
        let collector = compiler.collector
        guard let registry, collector.total == 0 else {
            throw .violations(collector.violations, total: collector.total)
        }
        self.init(
            bytes: Array(value.document.bytes[value.byteRange]), registry: registry,
            diagnostics: collector.memberDiagnostics.diagnostics(ofCatalogAt: compiler.pointer))
    }

    package var isBuiltIn: Bool { bytes == Self.storefrontBytes }

    init(
        bytes: [UInt8], registry: CellRegistry, diagnostics: [Diagnostic] = [],
        codeVersion: String? = nil
    ) {
        self.bytes = bytes
        self.registry = registry
        self.diagnostics = diagnostics
        self.codeVersion = codeVersion
    }

    /// Creates the catalog of a Swift program.
    ///
    /// - Parameters:
    ///   - registry: The program's registry.
    ///   - base: A catalog that the registry adds to; for a unit type and a section that both have,
    ///     the registry's applies. `nil` for none; the JSON is then an empty catalog.
    ///   - version: A text that changes with the code of the registry.
    package init(_ registry: CellRegistry, over base: Catalog?, version: String) {
        var all = base?.registry ?? registry
        all.takeOver(registry)
        self.init(
            bytes: base?.bytes ?? Array("{}".utf8), registry: all,
            diagnostics: base?.diagnostics ?? [], codeVersion: version)
    }
}

/// The reason for which a catalog cannot be used.
public enum CatalogError: Error, Sendable, Hashable {
    /// The catalog is not valid JSON.
    case invalidJSON(JSONError)
    /// The catalog breaks its contract: the first violations in document order, at most
    /// `CatalogLimits.maxViolations`, and the number of all.
    case violations([ContractViolation], total: Int)
}

/// A compiler of a catalog's JSON to a registry, which collects all violations.
private struct CatalogCompiler {
    private(set) var collector: ViolationCollector

    let pointer: String

    /// A Boolean value that indicates whether a member of the catalog with nearly the name of a
    /// known one is a violation.
    var refusesMisspellings = false

    private let limits: CatalogLimits
    private let source: FontSource
    private let sizeRules: [CustomSizeRule]
    private var fonts = FontTable()
    private var forms = SizeRuleForm.all
    private var kinds: [CellKind] = []
    private var kindsByName: [Identifier: Int] = [:]
    private var references = CatalogReferences()
    /// The names of the fallbacks of cell types, by the indexes of these.
    private var fallbacks: [Int: JSONValue] = [:]
    /// The rest of what the schemas of the catalog may take together.
    private var schemas: SchemaBudget
    /// The work of judging the inputs of actions that contents send.
    private var inputCost = SchemaCost(limits: .ofCatalog)

    init(
        at pointer: String, limits: CatalogLimits, _ source: FontSource,
        _ sizeRules: [CustomSizeRule]
    ) {
        collector = ViolationCollector(at: pointer, keeping: limits.maxViolations)
        self.pointer = pointer
        self.limits = limits
        self.source = source
        self.sizeRules = sizeRules
        schemas = SchemaBudget(limits)
    }

    /// Returns the registry that `value` describes, which is valid only without violations.
    ///
    /// - Complexity: O(bytes).
    mutating func registry(of value: JSONValue) -> CellRegistry? {
        guard let members = Members(value, &collector) else { return nil }
        let memberNames = KnownNames(
            ["screen", "contract", "fonts", "sections", "units", "cellTypes"])
        if refusesMisspellings { members.refuseMisspelt(among: memberNames, &collector) }
        members.reportUnknown(among: memberNames, &collector)
        let screen = members.object("screen", &collector, ScreenLayout.init)
        let names = members.object("contract", &collector, ContractNames.init)
        fonts = FontReader(source).table(members, limits, &collector)
        forms += CustomSizeRule.forms(of: sizeRules, value, &collector)
        compileCellTypes(members, names ?? ContractNames())
        var registry = CellRegistry(
            names: names ?? ContractNames(), screen: screen ?? ScreenLayout(), kinds: kinds)
        registry.setFonts(fonts, sizeRules)
        registry.cellFallbacks = CellFallbacks(kinds, compileFallbacks())
        members.table("sections", &collector) { id, value, collector in
            collector.checkName(id, of: value)
            guard let layout = SectionLayout(registered: value, &collector) else { return }
            registry.setLayout(layout, forSection: id)
            references.sections.append(id)
            references.sectionLayouts[Identifier(id)] = CatalogValue(
                value, at: collector.path.pointerFromBase)
        }
        compileUnits(members, into: &registry)
        registry.patternParts = schemas.patterns.partsTaken
        references.sectionNames = SectionNames(references.sections)
        registry.references = references
        return registry
    }

    private mutating func compileCellTypes(_ members: Members, _ names: ContractNames) {
        let (limits, fonts, forms) = (limits, fonts, forms)
        members.table("cellTypes", &collector) { name, value, collector in
            collector.checkName(name, of: value)
            guard let type = Members(value, &collector) else { return }
            type.reportUnknown(
                among: KnownNames(
                    [
                        "id", "size", "content", "span", "picture", "since", "fallback", "schema",
                        "actions", "can", "style",
                    ],
                    aliases: ["minVersion": "since"]), &collector)
            _ = collector.takePointers()
            let id = type.pointer("id", &collector)
            let size = type.object("size", &collector) { size, collector in
                SizeRules(size, limits, fonts, forms, &collector)
            }
            let (contents, uses) = ContentReader.content(
                of: type, limits, fonts, forms, &collector)
            let picture = type.object("picture", &collector, CellPicture.init)
            let span = type.read("span", &collector, SpanRule.init)
            span?.check(beside: size, contents, limits, value, &collector)
            let pointers = collector.takePointers()
            references.cellTypes.append(
                CatalogReferences.CellType(
                    id: id == nil ? nil : pointers.first,
                    others: Array(pointers.dropFirst(id == nil ? 0 : 1))))
            let since = type.read("since", &collector, Condition.since)
            let behavior = CellBehavior(of: type, names, &collector) { schema, collector in
                UnitSchema(schema, limits, budget: &schemas, &collector)
            }
            for use in uses { use.check(among: behavior.actions, &inputCost, &collector) }
            let schema = type.read("schema", &collector) { value, collector in
                UnitSchema(value, limits, budget: &schemas, &collector)
            }
            let style = type.read("style", &collector, StyleNames.read) ?? []
            if !style.isEmpty, !type.has("content") {
                collector.reportWithoutEffect("style", "has no effect without \"content\"")
            }
            fallbacks[kinds.count] = type.value("fallback", &collector)
            kindsByName[Identifier(name)] = kinds.count
            kinds.append(
                CellKind(
                    name: name, id: id, picture: picture, since: since, behavior: behavior,
                    schema: schema, style: style,
                    sizing: contents.map { .byContents($0) } ?? size.map { .byRules($0) }
                        ?? .byLayout,
                    span: span ?? .fixed(.one)))
        }
    }

    /// Returns the indexes of the fallbacks of cell types; reports those that do not exist, circles
    /// and chains that are too long.
    private mutating func compileFallbacks() -> [Int: Int] {
        var indexes: [Int: Int] = [:]
        for (kind, value) in fallbacks.sorted(by: { $0.key < $1.key }) {
            collector.path.descend(to: "cellTypes")
            collector.path.descend(to: kinds[kind].name)
            collector.path.descend(to: "fallback")
            if let name = value.expecting("a string", value.string, &collector) {
                indexes[kind] = kindsByName[Identifier(name)]
                if indexes[kind] == nil {
                    let names = kinds.lazy.map(\.name)
                    collector.report(
                        "names no entry of cellTypes"
                            + NearestName.question(about: name, among: names), at: value)
                }
            }
            for _ in 0..<3 { collector.path.ascend() }
        }
        reportLongChains(of: indexes)
        return indexes
    }

    private mutating func reportLongChains(of indexes: [Int: Int]) {
        for (kind, value) in fallbacks.sorted(by: { $0.key < $1.key }) {
            var (next, count) = (indexes[kind], 0)
            while let index = next, index != kind, count < CatalogLimits.maxFallbacks {
                (next, count) = (indexes[index], count + 1)
            }
            guard let next else { continue }
            collector.report(
                next == kind
                    ? "leads back to its own cell type"
                    : "is followed by a circle, or by more than \(CatalogLimits.maxFallbacks - 1) "
                        + "fallbacks",
                at: value,
                below: JSONPointer.appending("/cellTypes", kinds[kind].name) + "/fallback")
        }
    }

    private mutating func compileUnits(_ members: Members, into registry: inout CellRegistry) {
        let limits = limits
        let types = PlacementTypeReader(
            kinds: kindsByName, names: kinds.prefix(NearestName.maxCandidates).map(\.name),
            maxCases: limits.maxCases)
        members.table("units", &collector) { type, value, collector in
            collector.checkName(type, of: value)
            _ = collector.takePointers()
            let rules = UnitTypeRules(value, types, &collector) { schema, collector in
                UnitSchema(schema, limits, budget: &schemas, &collector)
            }
            let placements = rules.placements
            if placements.count > limits.maxPlacements {
                collector.report(
                    "has \(placements.count) placements, of which a unit type may have at most "
                        + "\(limits.maxPlacements)", at: value)
            }
            references.addUnitType(type, placements, reading: collector.takePointers())
            references.unitLayouts[Identifier(type)] = rules.layoutSource
            registry.register(type, by: rules)
        }
    }
}

extension CatalogError: CustomStringConvertible {
    /// The violations, one a line, or the place that is not JSON.
    public var description: String {
        switch self {
        case .invalidJSON(let error): error.description
        case .violations(let violations, let total):
            ContractError(violations: violations, total: total).description
        }
    }
}
