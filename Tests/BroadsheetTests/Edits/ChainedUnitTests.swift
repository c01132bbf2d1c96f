import Broadsheet
import Testing

@Suite("Updates of units with fallbacks, and of sections that depend on units (docs/edits.md)")
struct ChainedUnitTests {
    private static let catalog = #"""
        {"contract": {"sections": "s", "sectionId": "id", "units": "u", "unitType": "t",
                      "unitData": "d"},
         "units": {
           "ONE": {"cell": {"type": "C"}},
           "TWO": {"cell": [{"type": "C", "data": "/a"}, {"type": "C", "data": "/b"}]},
           "HEAD": {"header": {"type": "H"}}},
         "cellTypes": {"C": {"id": "/id"}, "H": {}}}
        """#

    private static func page(_ a: String, _ b: String = "") -> String {
        #"{"s":[{"id":"A","u":[\#(a)]},{"id":"B","u":[\#(b)]}]}"#
    }

    /// Units, each of which makes all that it can.
    private static let units = [
        #"{"t":"ONE","d":{"id":"x"},"fallback":null}"#,
        #"{"t":"ONE","d":{"id":"x"},"essential":true}"#,
        #"{"t":"ONE","id":"x","fallback":{"t":"ONE","d":{"id":"y"}}}"#,
        #"{"t":"NONE","fallback":{"t":"ONE","d":{"id":"x"}}}"#,
        #"{"t":"TWO","d":{"a":{"id":"x"},"b":{"id":"z"}},"fallback":{"t":"ONE","d":{"id":"y"}}}"#,
    ]

    @Test("A unit goes, with its fallbacks, if all that it makes is taken", arguments: units)
    func deleted(unit: String) throws {
        let catalog = try Catalog(Array(Self.catalog.utf8))
        let operation = #"{"op":"deleteItems","section":"A","all":true}"#
        let outcome = try updated([Self.page(unit)], operation, by: catalog)
        #expect(outcome == .pages([Self.page("")]))
    }

    @Test("A moved unit keeps its fallbacks, and whether it is essential", arguments: units)
    func moved(unit: String) throws {
        let catalog = try Catalog(Array(Self.catalog.utf8))
        let items = unit.contains("TWO") ? #""x","z""# : #""x""#
        let operation =
            #"{"op":"moveItems","section":"A","items":[\#(items)],"toSection":"B"}"#
        let outcome = try updated([Self.page(unit)], operation, by: catalog)
        #expect(outcome == .pages([Self.page("", unit)]))
    }

    @Test("An essential header that cannot be made leaves its section out of all operations")
    func essentialHeader() throws {
        let catalog = try Catalog(Array(Self.catalog.utf8))
        let hidden =
            #"{"id":"A","u":[],"header":{"t":"NONE","d":1,"essential":true}}"#
        func page(_ v: Int) -> String {
            #"{"s":[\#(hidden),{"id":"B","u":[{"t":"ONE","d":{"id":"x","v":\#(v)}}]}]}"#
        }
        let operations = (1...2).map {
            #"{"op":"patchItem","section":0,"item":0,"patch":{"v":\#($0)}}"#
        }
        let outcome = try updated([page(0)], operations.joined(separator: ","), by: catalog)
        #expect(outcome == .pages([page(2)]))
    }

    @Test(
        "A section that an operation leaves out is not there for the next one",
        arguments: [
            #"{"op":"insertItems","section":"A","units":[{"t":"NONE","d":1,"essential":true}]}"#,
            #"""
            {"op":"patchSection","section":"A",
             "patch":{"header":{"t":"HEAD","d":[],"essential":true}}},
            {"op":"patchSection","section":"A","patch":{"header":{"t":"NONE"}}}
            """#,
        ])
    func leftOut(operations: String) throws {
        let catalog = try Catalog(Array(Self.catalog.utf8))
        let count = operations.contains("},\n") ? 2 : 1
        let page = Self.page(#"{"t":"ONE","d":{"id":"x"}}"#)
        let byId = operations + #",{"op":"toggleSection","section":"A"}"#
        #expect(
            try updated([page], byId, by: catalog) == .impossible("/operations/\(count)/section"))
        let byIndex = operations + #",{"op":"deleteSections","sections":[1]}"#
        #expect(
            try updated([page], byIndex, by: catalog)
                == .impossible("/operations/\(count)/sections/0"))
    }

    @Test("A header that makes nothing is removed and patched like any other")
    func unmadeHeader() throws {
        let catalog = try Catalog(Array(Self.catalog.utf8))
        func page(_ view: String) -> String { #"{"s":[{"id":"A","u":[]\#(view)}]}"# }
        func patched(_ header: String) throws -> UpdateOutcome {
            let patch = #"{"op":"patchSection","section":"A","patch":{"header":\#(header)}}"#
            let unmade = page(#","header":{"t":"HEAD","d":null,"v":1}"#)
            return try updated([unmade], patch, by: catalog)
        }
        #expect(try patched("null") == .pages([page("")]))
        #expect(
            try patched(#"{"d":{"x":1}}"#)
                == .pages([page(#","header":{"t":"HEAD","d":{"x":1},"v":1}"#)]))
    }
}
