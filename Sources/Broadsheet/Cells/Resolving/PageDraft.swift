/// A page under construction: the cells, size inputs, kinds and diagnostics of the units so far.
struct PageDraft: Sendable {
    let document: JSONDocument
    /// The page's items, section by section.
    private(set) var cells: [CellInfo] = []
    /// The numbers that the items' size rules read; items with equal numbers share them.
    private(set) var inputs: [Double] = []
    /// The columns that items span, by their indexes; items behind the last one span one column.
    private(set) var spans: [ItemSpan] = []
    private(set) var texts = PageTexts()
    /// The decoded data of the items of Swift types, by the identities of their kinds.
    private(set) var models: [ObjectIdentifier: any CellModels] = [:]
    /// The cell types in use, which items refer to by index.
    private(set) var kinds: [CellKind]
    /// A Boolean value that indicates whether a Swift cell type is in use, which reads its data
    /// later.
    private(set) var needsDocument = false
    /// The first diagnostics.
    private(set) var diagnostics: [UnitDiagnostic] = []
    var diagnosticTotal = 0
    /// The first different unknown unit types.
    private(set) var unknownUnitTypes: [String] = []
    /// The registered unit types that were probably meant by the unknown ones.
    var unknownTypes = UnknownUnitTypes()
    /// The essential sections that cannot be made.
    var missing: [MissingSection] = []
    var variants: PageVariants?
    var isVariant = false
    /// A Boolean value that indicates whether an item was left out because of the limit.
    private(set) var isOverfull = false

    /// The uses of the current unit's data, for edits of the unit; `nil` while a page is resolved.
    var placements: [RecordedPlacement]?

    /// The origins of what the units make; `nil` unless they are all that is wanted of the page.
    var origins: OriginRecorder?

    /// The node of the data of the unit that code configures; `nil` in a built page.
    var unitData: UInt32?
    /// The judge of the data of units and items; `nil` without schemas.
    var judge: SchemaJudge?
    /// The cell types that are drawn instead of those of the catalog; `nil` if all are drawn.
    let drawn: DrawnCells?
    private var codeKinds: [ObjectIdentifier: Int] = [:]
    /// The values of unusable types that have been reported, once a cell type and pointer.
    private var unusableValues: Set<UnusableValue> = []
    private let maxItems: Int
    let maxDiagnostics: Int

    init(
        _ document: JSONDocument, kinds: [CellKind], drawn: DrawnCells? = nil, limits: ScreenLimits
    ) {
        self.document = document
        self.kinds = kinds
        self.drawn = drawn
        maxItems = limits.maxItems
        maxDiagnostics = limits.maxDiagnostics
    }

    /// Returns the index of the kind of a Swift type, and adds the kind if it is new.
    mutating func kind(of type: any CellType.Type, _ contents: ContentTree?) -> Int {
        if let index = codeKinds[ObjectIdentifier(type)] { return index }
        let kind = CellKind(type, contents)
        kinds.append(kind)
        codeKinds[ObjectIdentifier(type)] = kinds.count - 1
        switch kind.sizing {
        case .byModel(let models): self.models[ObjectIdentifier(kind)] = models
        case .byCode: needsDocument = true
        case .byLayout, .byRules, .byContents: break
        }
        return kinds.count - 1
    }

    /// Appends one item with all of `data`, unless `type` has no cell type for it.
    mutating func append(_ data: JSONValue, _ type: PlacementType, from origin: DataOrigin) {
        guard let index = kind(of: type, for: data.node, from: origin), hasCapacity(for: 1) else {
            return
        }
        append(data.node, document, kinds[index], index, from: origin)
    }

    /// Appends one item for each element of `array` that `type` has a cell type for, and that keeps
    /// the schema of that.
    ///
    /// - Complexity: O(elements), and the judgements of schemas.
    mutating func append(
        elementsOf array: JSONValue, _ type: PlacementType, from origin: DataOrigin
    ) {
        switch type {
        case .kind(let index) where origin.isJudged || kinds[index].schema == nil:
            append(elementsOf: array, kind: index, from: origin)
        case .kind(let index):
            append(elementsOf: array, from: origin) { draft, node, origin in
                draft.keepsSchema(node, ofKind: index, from: origin) ? index : nil
            }
        case .choice(let choice):
            append(elementsOf: array, from: origin) { draft, node, origin in
                draft.kind(by: choice, for: node, from: origin)
            }
        }
    }

    @inline(__always)
    private mutating func append(
        elementsOf array: JSONValue, from origin: DataOrigin,
        _ kind: (inout PageDraft, UInt32, DataOrigin) -> Int?
    ) {
        let document = document
        var node = array.node &+ 1
        var origin = origin
        for element in 0..<array.count {
            origin.element = element
            if let index = kind(&self, node, origin) {
                guard hasCapacity(for: 1) else { return }
                append(node, document, kinds[index], index, from: origin)
            }
            node = document.node(after: node)
        }
    }

    private mutating func append(
        elementsOf array: JSONValue, kind index: Int, from origin: DataOrigin
    ) {
        let count = array.count
        guard hasCapacity(for: count) else { return }
        if cells.isEmpty { cells.reserveCapacity(count) }
        let (document, kind) = (document, kinds[index])
        var node = array.node &+ 1
        let shown = shownKind(index)
        guard kinds[shown].dependsOnData || kinds[shown].readsSpan else {
            let (id, unit) = (kind.id, origin.unit.index)
            for element in 0..<count {
                let identity = CellInfo.Identity(
                    of: node, document, id, unit: unit, element: element)
                cells.append(
                    CellInfo(
                        kind: shown, data: document.byteRange(of: node), identity: identity,
                        inputs: 0))
                node = document.node(after: node)
            }
            origins?.add(count, element: 0)
            return
        }
        var origin = origin
        for element in 0..<count {
            origin.element = element
            append(node, document, kind, index, from: origin)
            node = document.node(after: node)
        }
    }

    mutating func kind(
        by choice: CellTypeChoice, for data: UInt32, from origin: DataOrigin
    ) -> Int? {
        let value = choice.pointer.evaluate(on: data, in: document).map(document.value(at:))
        guard let kind = choice.kind(for: value) else {
            report(
                .noCellType(
                    isFlat: origin.unit.isFlat,
                    pointer: origin.pointer(to: choice.pointer.description)),
                at: origin.unit.location)
            return nil
        }
        if let value, !CaseKeys.canSelect(by: value) {
            reportUnusable(choice.pointer, kind: kind, by: .typeChoice, from: origin)
        }
        return keepsSchema(data, ofKind: kind, from: origin) ? kind : nil
    }

    private mutating func hasCapacity(for count: Int) -> Bool {
        if maxItems - cells.count < count { isOverfull = true }
        return !isOverfull
    }

    /// Returns the index of the cell type that is drawn for one that has been judged.
    @inline(__always)
    func shownKind(_ index: Int) -> Int { drawn?.kind(for: index) ?? index }

    /// Takes the item's node, because a `JSONValue` for each would be retained and released.
    private mutating func append(
        _ data: UInt32, _ document: JSONDocument, _ kind: CellKind, _ index: Int,
        from origin: DataOrigin
    ) {
        let identity = CellInfo.Identity(
            of: data, document, kind.id, unit: origin.unit.index, element: origin.element ?? 0)
        let shown = shownKind(index)
        cells.append(
            CellInfo(
                kind: shown, data: document.byteRange(of: data), identity: identity,
                inputs: inputs(
                    of: data, document, shown == index ? kind : kinds[shown], shown,
                    from: origin)))
        origins?.add(element: origin.element)
        if kinds[shown].readsSpan { readSpan(of: document.value(at: data), from: origin) }
    }

    private mutating func readSpan(of data: JSONValue, from origin: DataOrigin) {
        guard let cell = cells.last else { return }
        let kind = kinds[cell.kind]
        do throws(ModelError) {
            let (span, unusable) = try kind.span(
                of: data, models[ObjectIdentifier(kind)], at: cell.inputs)
            if let unusable { reportUnusable(unusable, kind: cell.kind, by: .span, from: origin) }
            guard span != .one else { return }
            spans.append(contentsOf: repeatElement(.one, count: cells.count - 1 - spans.count))
            spans.append(span)
        } catch { report(error, of: data.node, kind: cell.kind, isForSpan: true, from: origin) }
    }

    /// Removes the items from `start` on, those of a section that is left out.
    mutating func removeCells(from start: Int) {
        cells.removeLast(max(0, cells.count - start))
        spans.removeLast(max(0, spans.count - start))
        origins?.removeItems(from: start)
    }

    /// Appends the inputs that the kind at `index` reads from `data`, and returns their first
    /// index.
    mutating func inputs(of data: JSONValue, kind index: Int, from origin: DataOrigin) -> UInt32 {
        inputs(of: data.node, document, kinds[index], index, from: origin)
    }

    private mutating func inputs(
        of data: UInt32, _ document: JSONDocument, _ kind: CellKind, _ index: Int,
        from origin: DataOrigin
    ) -> UInt32 {
        if origins != nil { return 0 }
        if kind.isSizedByCode { return input(of: data, document, kind, index, from: origin) }
        if kind.sizeInputs.isEmpty { return 0 }
        var areUsable = true
        let start =
            kind.measuresText
            ? measuredInputs(of: document.value(at: data), kind, from: origin, &areUsable)
            : inputs(of: document.value(at: data), kind.sizeInputs, &areUsable)
        if !areUsable {
            reportUnusableValues(
                of: document.value(at: data), kind: index, inputs: start, from: origin)
        }
        return UInt32(truncatingIfNeeded: start)
    }

    /// Returns the index of the model of `data` for a Swift type that has one; otherwise the node.
    ///
    /// Inlined, it would take the place of the functions that each item of a catalog needs.
    @inline(never)
    private mutating func input(
        of data: UInt32, _ document: JSONDocument, _ kind: CellKind, _ index: Int,
        from origin: DataOrigin
    ) -> UInt32 {
        var mismatch: ModelError?
        let model = models[ObjectIdentifier(kind)]?
            .append(document.value(at: data)) { mismatch = $0 }
        if let mismatch { report(mismatch, of: data, kind: index, isForSpan: false, from: origin) }
        return model ?? data
    }

    /// Reports data that does not fit the model of a Swift type, unless the same part of the data
    /// of the type has been reported.
    private mutating func report(
        _ mismatch: ModelError, of data: UInt32, kind index: Int, isForSpan: Bool,
        from origin: DataOrigin
    ) {
        guard isFirst(mismatch.pointer, kind: index) else { return }
        let (unit, document, name) = (unitData, document, kinds[index].name)
        // Only the diagnostics that are listed search the unit for the data.
        report(
            .unusableModel(
                isFlat: origin.unit.isFlat,
                pointer: unit.flatMap { document.pointer(from: $0, to: data) }
                    .map { $0 + mismatch.pointer } ?? origin.pointer(to: mismatch.pointer),
                cellType: name, mismatch.detail, isForSpan: isForSpan),
            at: origin.unit.location)
    }

    /// Appends inputs, or shares those of the item before, because consecutive items are often
    /// alike.
    private mutating func inputs(
        of data: JSONValue, _ sources: [SizeInput], _ areUsable: inout Bool
    ) -> Int {
        let start = inputs.count
        for source in sources { inputs.append(source.value(in: data, &areUsable)) }
        return sharedInputs(from: start, count: sources.count)
    }

    private mutating func measuredInputs(
        of data: JSONValue, _ kind: CellKind, from origin: DataOrigin, _ areUsable: inout Bool
    ) -> Int {
        let (start, sources) = (inputs.count, kind.sizeInputs)
        for source in sources {
            guard let text = source.text else {
                inputs.append(source.value(in: data, &areUsable))
                continue
            }
            var losses: [PageTexts.Loss] = []
            let index = texts.index(of: data, text, &areUsable) { losses.append($0) }
            // A text without lines is not there in a content, before any width is known.
            let isThere = kind.contents == nil || index < 0 || texts.all[index].hasLines
            inputs.append(Double(isThere ? index : -1))
            for loss in losses { report(loss.diagnostic(of: text, from: origin)) }
        }
        return sharedInputs(from: start, count: sources.count)
    }

    /// Removes the inputs from `start` on if they are those before, and returns their first index.
    private mutating func sharedInputs(from start: Int, count: Int) -> Int {
        let earlier = start - count
        guard earlier >= 0, inputs[earlier..<start].elementsEqual(inputs[start...]) else {
            return start
        }
        inputs.removeLast(count)
        return earlier
    }

    /// Reports the values of unusable types that the size of `data` depends on, except those of the
    /// same cell type and pointer as an earlier one.
    private mutating func reportUnusableValues(
        of data: JSONValue, kind: Int, inputs start: Int, from origin: DataOrigin
    ) {
        let inputs = kinds[kind].sizeInputs
        let isReported = { [unusableValues] (pointer: JSONPointer) in
            unusableValues.contains(UnusableValue(kind: kind, pointer: pointer.description))
        }
        // Most often all items are alike, so that only the first needs the search for used inputs.
        guard
            !inputs.allSatisfy({ $0.unusablePointers(in: data).allSatisfy(isReported) })
        else { return }
        let scope = SizeScope(inputs: self.inputs, start: start)
        for input in kinds[kind].usedInputs(in: scope).map({ inputs[$0] }) {
            guard let reader = input.reader else { continue }
            for pointer in input.unusablePointers(in: data) {
                let isHuge = reader == .sizeNumber && pointer.evaluate(on: data)?.kind == .number
                reportUnusable(
                    pointer, kind: kind, by: isHuge ? .hugeNumber : reader, from: origin)
            }
        }
    }

    /// Reports a value of an unusable type, unless one of the same cell type and pointer has been
    /// reported.
    private mutating func reportUnusable(
        _ pointer: JSONPointer, kind: Int, by reader: ValueReader, from origin: DataOrigin
    ) {
        guard isFirst(pointer.description, kind: kind) else { return }
        report(
            .unusableValue(
                isFlat: origin.unit.isFlat, pointer: origin.pointer(to: pointer.description),
                by: reader),
            at: origin.unit.location)
    }

    /// Returns whether no value at a pointer in the data of a cell type has been reported before.
    private mutating func isFirst(_ pointer: String, kind: Int) -> Bool {
        unusableValues.insert(UnusableValue(kind: kind, pointer: pointer)).inserted
    }

    /// Reports a unit that is left out, and notes its type if that is unknown.
    mutating func report(leftOut diagnostic: UnitDiagnostic) {
        report(diagnostic)
        guard case .unknownUnitType(let name, _) = diagnostic.kind,
            unknownUnitTypes.count < ResolvedPage.maxUnknownUnitTypes
        else { return }
        if !unknownUnitTypes.contains(name) { unknownUnitTypes.append(name) }
    }

    mutating func report(_ diagnostic: UnitDiagnostic) {
        report(diagnostic.kind, at: diagnostic.location)
    }

    /// Counts a diagnostic, and keeps it if it is among the first.
    mutating func report(
        _ kind: @autoclosure () -> UnitDiagnostic.Kind, at location: UnitLocation
    ) {
        diagnosticTotal += 1
        guard diagnostics.count < maxDiagnostics else { return }
        diagnostics.append(UnitDiagnostic(kind: kind(), location: location))
    }
}
