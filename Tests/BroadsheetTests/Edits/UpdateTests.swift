import Broadsheet
import Testing

/// One update of a screen, as data.
struct UpdateCase: Sendable, CustomTestStringConvertible {
    let name: String
    let pages: [String]
    let operations: String
    let outcome: UpdateOutcome

    /// Declares an update of one page.
    init(_ name: String, _ page: String, _ operations: String, _ outcome: UpdateOutcome) {
        self.init(name, pages: [page], operations, outcome)
    }

    /// Declares an update of one page that results in one page.
    init(_ name: String, _ page: String, _ operations: String, _ result: String) {
        self.init(name, pages: [page], operations, .pages([result]))
    }

    /// Declares an update of several pages.
    init(_ name: String, pages: [String], _ operations: String, _ outcome: UpdateOutcome) {
        (self.name, self.pages, self.operations) = (name, pages, operations)
        self.outcome = outcome
    }

    var testDescription: String { name }
}

/// Returns a page with one section A of units.
private func a(_ units: String) -> String { #"{"s":[{"id":"A","u":[\#(units)]}]}"# }

/// Returns a unit with a list of the ids.
private func list(_ ids: String...) -> String {
    #"{"t":"LIST","d":[\#(ids.map { #"{"id":"\#($0)"}"# }.joined(separator: ","))]}"#
}

/// Returns an element of an id.
private func item(_ id: String) -> String { #"{"id":"\#(id)"}"# }

@Suite("Updates of items") struct ItemUpdateTests {
    static let inserts: [UpdateCase] = [
        UpdateCase(
            "data before an id", a(list("a", "b")),
            #"{"op":"insertItems","section":"A","before":"b","data":[{"id":"x"},{"id":"y"}]}"#,
            a(list("a", "x", "y", "b"))),
        UpdateCase(
            "data after an index, of a section by its index", a(list("a", "b")),
            #"{"op":"insertItems","section":0,"after":0,"data":[{"id":"x"}]}"#,
            a(list("a", "x", "b"))),
        UpdateCase(
            "data at the end", a(list("a", "b")),
            #"{"op":"insertItems","section":"A","data":[{"id":"x"}]}"#, a(list("a", "b", "x"))),
        UpdateCase(
            "data before the count is at the end", a(list("a", "b")),
            #"{"op":"insertItems","section":"A","before":2,"data":[{"id":"x"}]}"#,
            a(list("a", "b", "x"))),
        UpdateCase(
            "data in a section without items join its last array",
            a(#"{"t":"LIST","d":[]},{"t":"LIST","d":[ ]},{"t":"HEAD","d":1}"#),
            #"{"op":"insertItems","section":"A","data":[{"id":"x"}]}"#,
            a(#"{"t":"LIST","d":[]},{"t":"LIST","d":[{"id":"x"}]},{"t":"HEAD","d":1}"#)),
        UpdateCase(
            "data in a section without an array", a(#"{"t":"HEAD","d":1}"#),
            #"{"op":"insertItems","section":"A","data":[{"id":"x"}]}"#,
            .impossible("/operations/0/data")),
        UpdateCase(
            "data beside an item that is not an element", a(#"{"t":"ONE","id":"a"}"#),
            #"{"op":"insertItems","section":"A","after":"a","data":[{"id":"x"}]}"#,
            .impossible("/operations/0/data")),
        UpdateCase(
            "units at the edges of a unit", a(list("a", "b")),
            #"{"op":"insertItems","section":"A","before":"a","units":[{"t":"ONE","id":"x"}]},"#
                + #"{"op":"insertItems","section":"A","after":"b","units":[{"t":"ONE","id":"y"},{"t":"HEAD","d":1}]}"#,
            a(#"{"t":"ONE","id":"x"},\#(list("a", "b")),{"t":"ONE","id":"y"},{"t":"HEAD","d":1}"#)),
        UpdateCase(
            "units within a unit divide it, and both halves keep its other members",
            a(#"{"x-m":1,"t":"LIST","d":[{"id":"a"}, {"id":"b"}]}"#),
            #"{"op":"insertItems","section":"A","after":"a","units":[\#(list("x"))]}"#,
            a(
                #"{"x-m":1,"t":"LIST","d":[{"id":"a"}]},\#(list("x")),"#
                    + #"{"x-m":1,"t":"LIST","d":[ {"id":"b"}]}"#)),
        UpdateCase(
            "units within a unit that makes a header too",
            a(#"{"t":"FIRST","d":[{"id":"a","title":1},{"id":"b"}]}"#),
            #"{"op":"insertItems","section":"A","after":"a","units":[\#(list("x"))]}"#,
            .impossible("/operations/0")),
        UpdateCase(
            "units within a unit whose array is not its data",
            a(#"{"t":"BOX","d":{"list":[{"id":"a"},{"id":"b"}]}}"#),
            #"{"op":"insertItems","section":"A","after":"a","units":[\#(list("x"))]}"#,
            .impossible("/operations/0")),
        UpdateCase(
            "units in a section without items", a(#"{"t":"HEAD","d":1}"#),
            #"{"op":"insertItems","section":"A","units":[\#(list("x"))]}"#,
            a(#"{"t":"HEAD","d":1},\#(list("x"))"#)),
        UpdateCase(
            "a section and an item that are not there", a(list("a")),
            #"{"op":"insertItems","section":"B","data":[]}"#, .impossible("/operations/0/section")),
        UpdateCase(
            "an item that is not there", a(list("a")),
            #"{"op":"insertItems","section":"A","after":"b","data":[1]}"#,
            .impossible("/operations/0/after")),
        UpdateCase(
            "an index beyond the end", a(list("a")),
            #"{"op":"insertItems","section":"A","after":1,"data":[1]}"#,
            .impossible("/operations/0/after")),
        UpdateCase(
            "a text is an id and a number an index", a(list("1", "0")),
            #"{"op":"insertItems","section":"A","before":"0","data":[{"id":"x"}]}"#,
            a(list("1", "x", "0"))),
        UpdateCase(
            "an id that was posted as a number is its text",
            a(#"{"t":"LIST","d":[{"id":1e2},{"id":100}]}"#),
            #"{"op":"patchItem","section":"A","item":"1e2","patch":{"v":1}}"#,
            a(#"{"t":"LIST","d":[{"id":1e2,"v":1},{"id":100}]}"#)),
        UpdateCase(
            "an id with escapes, and ids that only look alike",
            a(#"{"t":"LIST","d":[{"id":"e\u0301"},{"id":"\u00e9"}]}"#),
            #"{"op":"patchItem","section":"A","item":"é","patch":{"v":1}}"#,
            a(#"{"t":"LIST","d":[{"id":"e\u0301"},{"id":"\u00e9","v":1}]}"#)),
        UpdateCase(
            "ids of places, and ids with numbers",
            a(#"{"t":"BARE","d":[1,2]},\#(list("a", "a", "a#2", "a"))"#),
            #"{"op":"replaceItem","section":"A","item":"p0.u0.e1","data":3},"#
                + #"{"op":"patchItem","section":"A","item":"a#2","patch":{"v":1}},"#
                + #"{"op":"patchItem","section":"A","item":"a#2#2","patch":{"v":2}},"#
                + #"{"op":"patchItem","section":"A","item":"a#3","patch":{"v":3}}"#,
            a(
                #"{"t":"BARE","d":[1,3]},{"t":"LIST","d":[{"id":"a"},{"id":"a","v":1},"#
                    + #"{"id":"a#2","v":2},{"id":"a","v":3}]}"#)),
        UpdateCase(
            "elements without a cell type are no items, but keep their places",
            a(#"{"t":"KINDS","d":[0,{"id":"a","kind":"c"},1,{"id":"b","kind":"c"},2]}"#),
            #"{"op":"insertItems","section":"A","before":1,"data":[{"id":"x","kind":"c"}]},"#
                + #"{"op":"deleteItems","section":"A","items":[0]}"#,
            a(#"{"t":"KINDS","d":[0,1,{"id":"x","kind":"c"},{"id":"b","kind":"c"},2]}"#)),
    ]

    @Test("Updates: insertItems", arguments: inserts) func insert(_ example: UpdateCase) throws {
        #expect(
            try updated(example.pages, example.operations, by: updateCatalog()) == example.outcome)
    }

    static let upserts: [UpdateCase] = [
        UpdateCase(
            "elements replace items of any type, and the others are appended",
            a(#"\#(list("a")),{"t":"ONE","d":{"id":"b"}}"#),
            #"{"op":"upsertItems","section":"A","unitType":"LIST","data":[{"id":"b","v":1},{"id":"c"},{"id":"a","v":2}]}"#,
            a(#"{"t":"LIST","d":[{"id":"a","v":2},{"id":"c"}]},{"t":"ONE","d":{"id":"b","v":1}}"#)),
        UpdateCase(
            "the last unit of the type that has an array, in the last page",
            pages: [a(list("a")), a(list("b") + #",{"t":"LIST","d":1}"#)],
            #"{"op":"upsertItems","section":"A","unitType":"LIST","data":[{"id":"c"}]}"#,
            .pages([a(list("a")), a(list("b", "c") + #",{"t":"LIST","d":1}"#)])),
        UpdateCase(
            "a new unit without such an array", a(#"{"t":"ONE","id":"a"},{"t":"HEAD","d":1}"#),
            #"{"op":"upsertItems","section":"A","unitType":"BOX","data":[{"id":"x"},{"id":"y"}]}"#,
            a(
                #"{"t":"ONE","id":"a"},{"t":"BOX","d":{"list":[{"id":"x"},{"id":"y"}]}},{"t":"HEAD","d":1}"#
            )),
        UpdateCase(
            "a new unit for each element of a type with one cell", a(""),
            #"{"op":"upsertItems","section":"A","unitType":"ONE","data":[{"id":"x"},{"id":"y"}]}"#,
            a(#"{"t":"ONE","d":{"id":"x"}},{"t":"ONE","d":{"id":"y"}}"#)),
        UpdateCase(
            "the same id twice: the second one replaces the first", a(list()),
            #"{"op":"upsertItems","section":"A","unitType":"LIST","data":[{"id":"x"},{"id":"x","v":1}]}"#,
            a(#"{"t":"LIST","d":[{"id":"x","v":1}]}"#)),
        UpdateCase(
            "an element without an id", a(list("a")),
            #"{"op":"upsertItems","section":"A","unitType":"LIST","data":[{"id":"a"},{"v":1}]}"#,
            .impossible("/operations/0/data/1")),
        UpdateCase(
            "a unit type without ids", a(list("a")),
            #"{"op":"upsertItems","section":"A","unitType":"BARE","data":[{"id":"a"}]}"#,
            .impossible("/operations/0/data/0")),
        UpdateCase(
            "a unit type with two cells", a(list("a")),
            #"{"op":"upsertItems","section":"A","unitType":"TWO","data":[{"id":"a"}]}"#,
            .impossible("/operations/0/unitType")),
        UpdateCase(
            "an unknown unit type", a(list("a")),
            #"{"op":"upsertItems","section":"A","unitType":"NONE","data":[{"id":"a"}]}"#,
            .impossible("/operations/0/unitType")),
    ]

    @Test("Updates: upsertItems", arguments: upserts) func upsert(_ example: UpdateCase) throws {
        #expect(
            try updated(example.pages, example.operations, by: updateCatalog()) == example.outcome)
    }

    @Test("Updates: upsertItems of many elements does the same as of one after the other")
    func manyUpserts() throws {
        let catalog = try updateCatalog()
        let pages = [a(list("1", "5", "9") + #",{"t":"ONE","d":{"id":"20"}}"#), a(list("7"))]
        let elements = (0..<40).map { #"{"id":"\#($0 * 7 % 23)","v":\#($0)}"# }
        func upsert(_ elements: [String]) -> String {
            #"{"op":"upsertItems","section":"A","unitType":"ONE","data":[\#(elements.joined(separator: ","))]}"#
        }
        let single = elements.map { upsert([$0]) }.joined(separator: ",")
        let together = try updated(pages, upsert(elements), by: catalog)
        guard case .pages(let after) = together else {
            Issue.record("\(together)")
            return
        }
        #expect(after != pages)
        #expect(try updated(pages, single, by: catalog) == together)
    }

    static let changes: [UpdateCase] = [
        UpdateCase(
            "replaceItem of an element", a(list("a", "b")),
            #"{"op":"replaceItem","section":"A","item":"a","data":{"id":"c"}},"#
                + #"{"op":"replaceItem","section":"A","item":"c","data":7}"#,
            a(#"{"t":"LIST","d":[7,{"id":"b"}]}"#)),
        UpdateCase(
            "replaceItem of an item that is its whole unit", a(#"{"t":"ONE","id":"a"}"#),
            #"{"op":"replaceItem","section":"A","item":"a","data":{"t":"ONE","id":"b"}}"#,
            a(#"{"t":"ONE","id":"b"}"#)),
        UpdateCase(
            "replaceItem with something that is not a unit", a(#"{"t":"ONE","id":"a"}"#),
            #"{"op":"replaceItem","section":"A","item":"a","data":{"id":"b"}}"#,
            .impossible("/operations/0")),
        UpdateCase(
            "patchItem in place", a(#"{"t":"LIST","d":[ {"id":"a", "price":1, "old":2} ]}"#),
            #"{"op":"patchItem","section":"A","item":"a","patch":{"price":3,"old":null}}"#,
            a(#"{"t":"LIST","d":[ {"id":"a", "price":3} ]}"#)),
        UpdateCase(
            "patchItem of an item that is its whole unit", a(#"{"t":"ONE","id":"a"}"#),
            #"{"op":"patchItem","section":"A","item":"a","patch":{"t":null}}"#,
            .impossible("/operations/0")),
        UpdateCase(
            "patchItem of data that is not an object", a(#"{"t":"BARE","d":[1]}"#),
            #"{"op":"patchItem","section":"A","item":0,"patch":{"a":null,"b":1}}"#,
            a(#"{"t":"BARE","d":[{"b":1}]}"#)),
        UpdateCase(
            "patchItem of a second page, of which an item is in a collapsed section",
            pages: [a(list("a")), #"{"s":[{"id":"A","collapsed":true,"u":[\#(list("b"))]}]}"#],
            #"{"op":"patchItem","section":"A","item":1,"patch":{"v":1}}"#,
            .pages([
                a(list("a")),
                #"{"s":[{"id":"A","collapsed":true,"u":[{"t":"LIST","d":[{"id":"b","v":1}]}]}]}"#,
            ])),
    ]

    @Test("Updates: replaceItem and patchItem", arguments: changes)
    func change(_ example: UpdateCase) throws {
        #expect(
            try updated(example.pages, example.operations, by: updateCatalog()) == example.outcome)
    }

    static let deletions: [UpdateCase] = [
        UpdateCase(
            "elements leave their array, which may become empty", a(list("a", "b")),
            #"{"op":"deleteItems","section":"A","items":["b",0]}"#, a(list())),
        UpdateCase(
            "a unit goes with its only item", a(#"{"t":"ONE","id":"a"},{"t":"ONE","id":"b"}"#),
            #"{"op":"deleteItems","section":"A","items":["a"]}"#, a(#"{"t":"ONE","id":"b"}"#)),
        UpdateCase(
            "a unit goes when all that it makes is taken",
            a(#"{"t":"TWO","d":{"a":{"id":"a"},"b":{"id":"b"}}},\#(list("c"))"#),
            #"{"op":"deleteItems","section":"A","items":["a","b"]}"#, a(list("c"))),
        UpdateCase(
            "otherwise it loses the member",
            a(#"{"t":"TWO","d":{"a":{"id":"a"},"b":{"id":"b"},"a":{"id":"c"}}}"#),
            #"{"op":"deleteItems","section":"A","items":["c"]}"#,
            a(#"{"t":"TWO","d":{"b":{"id":"b"}}}"#)),
        UpdateCase(
            "in an array null takes its place", a(#"{"t":"SLOT","d":[{"id":"a"}, {"id":"b"}]}"#),
            #"{"op":"deleteItems","section":"A","items":["a"]}"#,
            a(#"{"t":"SLOT","d":[null, {"id":"b"}]}"#)),
        UpdateCase(
            "a unit that makes a header stays",
            a(#"{"t":"BOX","d":{"title":1,"list":[{"id":"a"}]}}"#),
            #"{"op":"deleteItems","section":"A","all":true}"#,
            a(#"{"t":"BOX","d":{"title":1,"list":[]}}"#)),
        UpdateCase(
            "an item that shares its data", a(#"{"t":"SAME","d":{"a":{"id":1,"b":{"id":2}}}}"#),
            #"{"op":"deleteItems","section":"A","items":["1","2"]}"#,
            .impossible("/operations/0/items/0")),
        UpdateCase(
            "an element that a header is made of",
            a(#"{"t":"FIRST","d":[{"id":"a","title":1},{"id":"b"}]}"#),
            #"{"op":"deleteItems","section":"A","items":["b"]},"#
                + #"{"op":"deleteItems","section":"A","items":["a"]}"#,
            .impossible("/operations/1/items/0")),
        UpdateCase(
            "an item named twice", a(list("a")),
            #"{"op":"deleteItems","section":"A","items":["a",0]}"#,
            .impossible("/operations/0/items/1")),
        UpdateCase(
            "all items of all pages",
            pages: [a(list("a")), a(list("b") + #",{"t":"ONE","id":"c"}"#)],
            #"{"op":"deleteItems","section":"A","all":true}"#, .pages([a(list()), a(list())])),
    ]

    @Test("Updates: deleteItems", arguments: deletions) func delete(_ example: UpdateCase) throws {
        #expect(
            try updated(example.pages, example.operations, by: updateCatalog()) == example.outcome)
    }

    static let moves: [UpdateCase] = [
        UpdateCase(
            "within an array, in the order named", a(list("a", "b", "c", "d")),
            #"{"op":"moveItems","section":"A","items":["d","a"],"after":"b"}"#,
            a(list("b", "d", "a", "c"))),
        UpdateCase(
            "indexes mean the state before", a(list("a", "b", "c", "d")),
            #"{"op":"moveItems","section":"A","items":[0,1],"before":3}"#,
            a(list("c", "a", "b", "d"))),
        UpdateCase(
            "to the end", a(list("a", "b", "c")),
            #"{"op":"moveItems","section":"A","items":[0]}"#, a(list("b", "c", "a"))),
        UpdateCase(
            "all items, to the end", a(list("a", "b", "c")),
            #"{"op":"moveItems","section":"A","items":[2,1,0]}"#, a(list("c", "b", "a"))),
        UpdateCase(
            "to where they are: every byte stays", a(#"{"t":"LIST","d":[ 1, {"id":"b"} ,3 ]}"#),
            #"{"op":"moveItems","section":"A","items":[1],"after":0}"#,
            a(#"{"t":"LIST","d":[ 1, {"id":"b"} ,3 ]}"#)),
        UpdateCase(
            "across sections and pages, into the array of the neighbour",
            pages: [a(list("a", "b")), #"{"s":[{"id":"B","u":[\#(list("c"))]}]}"#],
            #"{"op":"moveItems","section":"A","items":["a"],"toSection":"B","before":"c"}"#,
            .pages([a(list("b")), #"{"s":[{"id":"B","u":[\#(list("a", "c"))]}]}"#])),
        UpdateCase(
            "elements beside an item of another placement get a unit of their type",
            a(
                #"{"t":"BOX","x":1,"d":{"title":1,"list":[{"id":"a"},{"id":"b"}]}},{"t":"ONE","id":"c"}"#
            ),
            #"{"op":"moveItems","section":"A","items":["a","b"],"after":"c"}"#,
            a(
                #"{"t":"BOX","x":1,"d":{"title":1,"list":[]}},{"t":"ONE","id":"c"},"#
                    + #"{"t":"BOX","d":{"list":[{"id":"a"},{"id":"b"}]}}"#)),
        UpdateCase(
            "a whole unit into the middle of another",
            a(list("a", "b") + #",{"t":"ONE","id":"c"}"#),
            #"{"op":"moveItems","section":"A","items":["c"],"before":"b"}"#,
            a(list("a") + #",{"t":"ONE","id":"c"},"# + list("b"))),
        UpdateCase(
            "a unit with two items moves whole in its order",
            a(#"{"t":"TWO","x":1,"d":{"a":{"id":"a"},"b":{"id":"b"}}},{"t":"ONE","id":"c"}"#),
            #"{"op":"moveItems","section":"A","items":["a","b"]}"#,
            a(#"{"t":"ONE","id":"c"},{"t":"TWO","x":1,"d":{"a":{"id":"a"},"b":{"id":"b"}}}"#)),
        UpdateCase(
            "in another order each of its items gets a unit",
            a(#"{"t":"TWO","d":{"a":{"id":"a"},"b":{"id":"b"}}},{"t":"ONE","id":"c"}"#),
            #"{"op":"moveItems","section":"A","items":["b","a"]}"#,
            a(
                #"{"t":"ONE","id":"c"},{"t":"TWO","d":{"b":{"id":"b"}}},{"t":"TWO","d":{"a":{"id":"a"}}}"#
            )),
        UpdateCase(
            "one of two items of a unit gets a unit",
            a(#"{"t":"TWO","d":{"a":{"id":"a"},"b":{"id":"b"}}}"#),
            #"{"op":"moveItems","section":"A","items":["a"]}"#,
            a(#"{"t":"TWO","d":{"b":{"id":"b"}}},{"t":"TWO","d":{"a":{"id":"a"}}}"#)),
        UpdateCase(
            "into a section without items, into its last array of the placement",
            #"{"s":[{"id":"A","u":[\#(list("a"))]},{"id":"B","u":[\#(list()),{"t":"HEAD","d":1}]}]}"#,
            #"{"op":"moveItems","section":"A","items":["a"],"toSection":"B"}"#,
            #"{"s":[{"id":"A","u":[\#(list())]},{"id":"B","u":[\#(list("a")),{"t":"HEAD","d":1}]}]}"#
        ),
        UpdateCase(
            "into a section without anything", #"{"s":[{"id":"A","u":[\#(list("a"))]},[]]}"#,
            #"{"op":"moveItems","section":"A","items":["a"],"toSection":1}"#,
            #"{"s":[{"id":"A","u":[\#(list())]},[\#(list("a"))]]}"#),
        UpdateCase(
            "to a place that is moved", a(list("a", "b")),
            #"{"op":"moveItems","section":"A","items":["a"],"after":0}"#,
            .impossible("/operations/0/after")),
        UpdateCase(
            "an item that shares its data", a(#"{"t":"SAME","d":{"a":{"id":1,"b":{"id":2}}}}"#),
            #"{"op":"moveItems","section":"A","items":["1"]}"#,
            .impossible("/operations/0/items/0")),
    ]

    @Test("Updates: moveItems", arguments: moves) func move(_ example: UpdateCase) throws {
        #expect(
            try updated(example.pages, example.operations, by: updateCatalog()) == example.outcome)
    }
}
