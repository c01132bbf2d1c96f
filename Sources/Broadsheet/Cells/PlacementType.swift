/// The cell type of a placement (docs/catalog.md, `units`).
enum PlacementType: Sendable {
    /// One cell type for all data, by its index among the kinds.
    case kind(Int)
    /// A cell type for each value in the data.
    case choice(CellTypeChoice)

    var allKinds: [Int] {
        switch self {
        case .kind(let index): [index]
        case .choice(let choice): choice.allKinds
        }
    }

    func kind(of data: JSONValue) -> Int? {
        switch self {
        case .kind(let index): index
        case .choice(let choice): choice.kind(for: choice.pointer.evaluate(on: data))
        }
    }

    /// The indexes of the cell types with the texts of their cases; a plain type, and the default,
    /// have `nil`.
    var kindsByCase: [(key: String?, kind: Int)] {
        switch self {
        case .kind(let index): [(nil, index)]
        case .choice(let choice): choice.kindsByCase
        }
    }

    /// The pointer from the data to the value that selects a cell type; `nil` for a plain type.
    var pointer: JSONPointer? {
        switch self {
        case .kind: nil
        case .choice(let choice): choice.pointer
        }
    }

    func contains(where condition: (Int) -> Bool) -> Bool {
        switch self {
        case .kind(let index): condition(index)
        case .choice(let choice):
            choice.kinds.contains(where: condition) || choice.fallback.map(condition) ?? false
        }
    }
}

/// A choice among cell types by a value in a cell's data.
struct CellTypeChoice: Sendable {
    /// The pointer from the cell's data to the value.
    let pointer: JSONPointer
    /// The index of the cell type for data without a case; `nil` if there is none.
    let fallback: Int?
    fileprivate let keys: CaseKeys
    /// The index of the cell type of each key.
    fileprivate let kinds: [Int]

    var allKinds: [Int] { kinds + (fallback.map { [$0] } ?? []) }

    /// The indexes of the cell types with the texts of their cases; the default has `nil`.
    var kindsByCase: [(key: String?, kind: Int)] {
        zip(keys.texts, kinds).map { ($0, $1) } + (fallback.map { [(nil, $0)] } ?? [])
    }

    func kind(for value: JSONValue?) -> Int? {
        value.flatMap(keys.index(of:)).map { kinds[$0] } ?? fallback
    }
}

/// A reader of the `type` of placements, with the cell types that a catalog has.
struct PlacementTypeReader {
    let kinds: [Identifier: Int]
    /// The names of the first cell types of the catalog.
    let names: [String]
    let maxCases: Int

    /// Reads a type at the collector's path: a name, or a `switch` among names.
    func type(_ value: JSONValue, _ collector: inout ViolationCollector) -> PlacementType? {
        if value.kind == .string { return kind(value, &collector).map(PlacementType.kind) }
        guard value.kind == .object, let members = Members(value, &collector) else {
            return value.expecting(#"a string or an object with "switch""#, nil, &collector)
        }
        return choice(members, &collector).map(PlacementType.choice)
    }

    private func choice(
        _ members: Members, _ collector: inout ViolationCollector
    ) -> CellTypeChoice? {
        members.reportUnknown(among: ["switch", "cases", "default"], &collector)
        let pointer = members.requiredPointer("switch", &collector)
        let table = members.cases(upTo: maxCases, &collector, kind)
        if let total = table?.total, total > maxCases {
            reportExcess(total, of: members, &collector)
        }
        let fallback = members.read("default", &collector, kind)
        guard let pointer, let table else { return nil }
        let kinds = table.values.compactMap { $0 }
        // Without the type of a case the catalog is invalid, and the violation is reported.
        guard kinds.count == table.keys.count else { return nil }
        return CellTypeChoice(
            pointer: pointer, fallback: fallback, keys: table.keys, kinds: kinds)
    }

    private func reportExcess(
        _ total: Int, of members: Members, _ collector: inout ViolationCollector
    ) {
        _ = members.read("cases", &collector) { value, collector -> Void? in
            collector.report(
                "has \(total) cases, of which a type may have at most \(maxCases)", at: value)
        }
    }

    private func kind(_ name: JSONValue, _ collector: inout ViolationCollector) -> Int? {
        guard let text = name.expecting("a string", name.string, &collector) else { return nil }
        if kinds[Identifier(text)] == nil {
            collector.report(
                "names no entry of cellTypes\(NearestName.question(about: text, among: names))",
                at: name)
        }
        return kinds[Identifier(text)]
    }
}
