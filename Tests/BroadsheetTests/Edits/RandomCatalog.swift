import Broadsheet
import TestSupport

/// A generator of catalogs whose placements use overlapping parts of units' data, and of pages and
/// operations for them.
struct RandomCatalog {
    /// The facts of a catalog on which the promises of docs/edits.md depend.
    struct Facts {
        /// A Boolean value that indicates whether a placement names an element by its index, so
        /// that it makes something else after a change of the elements before it.
        var hasIndexes = false
        /// A Boolean value that indicates whether data may be inside of that of another item.
        var isNested = false
        /// A Boolean value that indicates whether the data decides about what is made of it.
        var hasChoices = false
        /// A Boolean value that indicates whether a unit may violate a schema, or be made of its
        /// fallback because one of its items does.
        var hasSchemas = false
        /// A Boolean value that indicates whether an item may violate the schema of its cell type.
        var hasItemSchemas = false
        /// A Boolean value that indicates whether code makes something of units.
        var hasCode = false
        /// A Boolean value that indicates whether a unit may make something else, or nothing, after
        /// some of its items are taken: for some clients only, or with a fallback.
        var hasConditions = false

        /// A Boolean value that indicates whether a change of an item may change other items.
        var isDependent: Bool { hasIndexes || isNested || hasCode || hasSchemas }
    }

    /// A unit type: its name, whether its data is an array, and how much it makes of it.
    private typealias UnitType = (name: String, isArray: Bool, placements: Int)

    private(set) var facts = Facts()
    var random: SeededGenerator
    private(set) var text = ""
    private var types: [UnitType] = []
    /// A Boolean value that indicates whether units have fallbacks, or are essential.
    private var hasChains = true
    /// The number of values so far, each of which has its own.
    private(set) var count = 0

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func below(_ count: Int) -> Int { Int(random.next() % UInt64(max(count, 1))) }

    mutating func chance(_ part: Int) -> Bool { below(part) == 0 }

    mutating func one(of texts: [String]) -> String { texts[below(texts.count)] }

    private mutating func list(_ count: Int, _ element: (inout Self) -> String) -> String {
        (0..<count).map { _ in element(&self) }.joined(separator: one(of: [",", ", ", " ,\n"]))
    }
}

// MARK: - Catalogs

extension RandomCatalog {
    private static let cellTypes = [
        ("C", #""id":"/id""#), ("M", #""id":"/meta/id""#), ("P", #""id":"/n""#), ("N", ""),
        ("D", #""id":"/list/0/id""#), ("H", ""),
    ]

    /// Schemas that the operations of the tests make items keep and violate.
    private static let itemSchemas = [
        #"{"properties":{"kind":{"enum":["c","e"]},"list":{"maxItems":1}}}"#,
        #"{"type":"object","properties":{"kind":{"enum":["c","e"]},"a":{"required":["title"]}}}"#,
        #"{"properties":{"list":{"maxItems":1},"id":{"not":{"const":"i3"}}}}"#,
        ##"{"required":["n"],"properties":{"a":{"$ref":"#"},"kind":{"not":{"const":"d"}}}}"##,
    ]

    /// Returns the cell types of a catalog, some of them with schemas.
    private mutating func cellTypes() -> String {
        let members = Self.cellTypes.map { name, members in
            var all = members.isEmpty ? [] : [members]
            if facts.hasItemSchemas, !chance(4) {
                all.append(#""schema":\#(one(of: Self.itemSchemas))"#)
            }
            let content = all.joined(separator: ",")
            return #""\#(name)":{\#(content)}"#
        }
        return "{\(members.joined(separator: ","))}"
    }

    /// Returns a registry of unit types.
    mutating func registry() throws -> CellRegistry {
        facts.hasItemSchemas = chance(2)
        if facts.hasItemSchemas {
            facts.hasChoices = true
            hasChains = chance(4)
        }
        let units = (0..<1 + below(4)).map { unitType("T\($0)") }.joined(separator: ",\n")
        let text = #"""
            {"contract": {"sections": "s", "sectionId": "id", "units": "u", "unitType": "t",
                          "unitData": "d"},
             "units": {\#(units), "ONE": {"cell": {"type": "C"}}},
             "cellTypes": \#(cellTypes())}
            """#.replacing("\n", with: " ")
        types.append(("ONE", false, 1))
        self.text = text
        var registry = try Catalog(Array(text.utf8)).registry
        guard chance(4) else { return registry }
        facts.hasCode = true
        CodeUnits.register(in: &registry)
        types += CodeUnits.names.map { ($0, false, 2) }
        return registry
    }

    private mutating func unitType(_ name: String) -> String {
        let isArray = chance(3)
        let pointers =
            isArray
            ? ["", "", "", "/0", "/1", "/2", "/0/list", "/1/a", "/0/title"]
            : [
                "", "/list", "/list", "/list", "/a", "/a/list", "/a/b", "/1", "/0", "/hero",
                "/list/0", "/list/1", "/list/0/list", "/0/list", "/list/1/a",
            ]
        var used: [String] = []
        var placements: [String] = []
        for _ in 0..<1 + below(4) {
            let pointer = one(of: pointers)
            let role = one(of: ["cell", "cell", "cells", "cells", "cells", "header", "footer"])
            let optional = chance(2) ? #","optional":true"# : ""
            placements.append(
                #"{"\#(role)":{"type":\#(cellType()),"data":"\#(pointer)"\#(optional)\#(when())}}"#)
            note(pointer, isArray: isArray)
            if placements.last?.contains("when") ?? false { facts.hasConditions = true }
            if used.contains(where: { pointer.hasPrefix($0) || $0.hasPrefix(pointer) }) {
                facts.isNested = true
            }
            used.append(pointer)
        }
        types.append((name, isArray, placements.count))
        if chance(6) {
            facts.hasSchemas = true
            placements[0].removeLast()
            placements[0] += #","schema":{"maxItems":4,"properties":{"list":{"maxItems":3}}}}"#
        }
        return #""\#(name)":[\#(placements.joined(separator: ","))]"#
    }

    private mutating func note(_ pointer: String, isArray: Bool) {
        let path = (isArray ? "/list" : "") + pointer
        if path.contains("/list/") || pointer == "/0/list" { facts.hasIndexes = true }
    }

    private mutating func cellType() -> String {
        guard chance(3) else { return #""\#(one(of: ["C", "C", "C", "M", "P", "N", "D"]))""# }
        facts.hasChoices = true
        let other = chance(3) ? #","default":"N""# : ""
        let kinds = one(of: [#""c":"C""#, #""d":"C""#, #""c":"M","d":"P""#])
        return #"{"switch":"/kind","cases":{\#(kinds)}\#(other)}"#
    }

    private mutating func when() -> String {
        guard chance(10) else { return "" }
        facts.hasChoices = true
        return #","when":{"\#(one(of: ["flags", "without"]))":["x"]}"#
    }
}

// MARK: - Pages

extension RandomCatalog {
    /// Returns an element: an object with a number of its own.
    mutating func element(depth: Int = 0) -> String {
        count += 1
        var members = [#""n":\#(count)"#]
        let id = one(of: ["i\(count)", "i\(count)", "i\(count)", "i\(below(6))", "i1#2"])
        if !chance(8) { members.append(#""id":"\#(id)""#) }
        if chance(3) { members.append(#""meta":{"id":\#(chance(2) ? "\(below(9))" : "\"m\"")}"#) }
        if chance(4) { members.append(#""title":"T""#) }
        if chance(2) { members.append(#""kind":"\#(one(of: ["c", "d", "e"]))""#) }
        guard depth < 2 else { return object(members) }
        for name in ["list", "a", "1", "0"] where chance(4) {
            let isArray = name == "list" || chance(6)
            members.append(#""\#(name)":\#(value(depth: depth + 1, isArray: isArray))"#)
        }
        return object(members)
    }

    private mutating func object(_ members: [String]) -> String {
        let blank = one(of: ["", "", " "])
        return "{\(blank)\(members.joined(separator: ",\(blank)"))\(blank)}"
    }

    private mutating func value(depth: Int, isArray: Bool) -> String {
        if chance(12) { return one(of: ["null", "7", "[]", "{}", #""text""#]) }
        return isArray ? array(depth: depth) : element(depth: depth)
    }

    private mutating func array(depth: Int) -> String {
        let length = chance(40) ? 300 : below(5)
        return "[\(list(length) { $0.element(depth: depth + (length > 9 ? 2 : 0)) })]"
    }

    /// Returns a unit of a random type.
    mutating func unit(depth: Int = 0) -> String {
        let type = types[below(types.count)]
        var members = [#""t":"\#(type.name)""#]
        if type.isArray || chance(10) {
            members.append(#""d":\#(value(depth: 0, isArray: true))"#)
        } else {
            count += 1
            var data = [#""n":\#(count),"id":"u\#(count)""#]
            if chance(2) { data.append(#""kind":"\#(one(of: ["c", "d", "e"]))""#) }
            for name in ["list", "a", "1", "0", "hero"] where !chance(3) {
                let isArray = name == "list" || chance(6)
                data.append(#""\#(name)":\#(value(depth: 1, isArray: isArray))"#)
            }
            if chance(5) { members += data } else { members.append(#""d":\#(object(data))"#) }
        }
        if hasChains, depth < 2, chance(8) {
            facts.hasChoices = true
            facts.hasSchemas = facts.hasSchemas || facts.hasItemSchemas
            facts.hasConditions = facts.hasConditions || type.placements > 1
            let fallback = chance(3) ? "null" : unit(depth: depth + 1)
            members.append(#""fallback":\#(fallback)"#)
        }
        if depth == 0 {
            let when = when()
            if !when.isEmpty { members.append(String(when.dropFirst())) }
        }
        if hasChains, chance(30) {
            facts.hasChoices = true
            facts.hasSchemas = facts.hasSchemas || facts.hasItemSchemas
            facts.hasConditions = facts.hasConditions || type.placements > 1
            members.append(#""essential":true"#)
        }
        return object(members)
    }

    /// Returns the name of a random unit type.
    mutating func typeName() -> String { types[below(types.count)].name }

    mutating func units() -> String { list(below(4)) { $0.unit() } }

    mutating func section() -> String {
        if chance(8) { return "[\(units())]" }
        let view = chance(6) ? #","header":\#(unit())"# : ""
        return #"{"id":"\#(one(of: ["A", "B", "C"]))","u":[\#(units())]\#(view)}"#
    }

    mutating func page() -> String {
        let blank = one(of: ["", " ", "\n"])
        return "\(blank){\"s\":\(blank)[\(list(1 + below(3)) { $0.section() })]}\(blank)"
    }
}

// MARK: - Unit types in code

/// Unit types whose code makes something of any part of a unit.
private enum CodeUnits {
    enum Card: CellType {
        static var id: JSONPointer? { "/id" }
        static func size(with data: JSONValue, constrainedTo container: Container) -> Size? { nil }
    }

    static let names = ["CODE-LIST", "CODE-PARITY", "CODE-FOREIGN", "CODE-SPREAD"]

    static func register(in registry: inout CellRegistry) {
        registry.register("CODE-LIST", cellTypes: Card.self) { unit, section in
            section.header(Card.self, data: unit.data["list"]?.elements.first { _ in true })
            section.cells(Card.self, data: unit.data["list"], optional: true)
        }
        // The number of elements decides about the placements before the elements themselves.
        registry.register("CODE-PARITY", cellTypes: Card.self) { unit, section in
            let count = unit.data["list"]?.count ?? 0
            if count % 2 == 0 { section.cell(Card.self, data: unit.data["a"], optional: true) }
            if count % 3 == 0 { section.cells(Card.self, data: unit.data["1"], optional: true) }
            section.cells(Card.self, data: unit.data["list"], optional: true)
        }
        registry.register("CODE-FOREIGN", cellTypes: Card.self) { unit, section in
            let foreign = try? JSONDocument(Array(#"[{"id":"foreign"}]"#.utf8))
            section.cells(Card.self, data: foreign?.root, optional: true)
            section.cell(Card.self, data: unit.data)
        }
        registry.register("CODE-SPREAD", cellTypes: Card.self) { unit, section in
            guard let list = unit.data["list"] else { return }
            for element in list.elements {
                section.cell(Card.self, data: element, optional: true)
                section.cells(Card.self, data: element["list"], optional: true)
            }
        }
    }
}
