import Broadsheet
import TestSupport
import Testing

@Suite("The work of many operations of one update (docs/edits.md, Cost)") struct UpdateWorkTests {
    private static let count = 1_000

    /// Returns the elements of an array, from `i0` on.
    private func elements(_ count: Int) -> String { elements(0..<count) }

    private func elements(_ numbers: Range<Int>) -> String {
        numbers.map { #"{"id":"i\#($0)","title":"T\#($0)"}"# }.joined(separator: ",")
    }

    private func page(_ type: String, _ data: String) -> String {
        #"{"s":[{"id":"A","u":[{"t":"\#(type)","d":\#(data)}]}]}"#
    }

    /// Applies operations to pages as one update, and returns the work and the pages that were
    /// opened.
    private func work(
        _ pages: [String], _ operations: [String]
    ) throws -> (work: EditWork, opened: Int, pages: [String]) {
        let catalog = try updateCatalog()
        var model = try viewModel(pages, by: catalog)
        let text = #"{"operations": [\#(operations.joined(separator: ","))]}"#
        let update = try ScreenUpdate(
            JSONDocument(Array(text.utf8)), names: catalog.registry.names)
        var (work, opened) = (EditWork(), 0)
        _ = try model.update(
            LayoutParameters(), registry: catalog.registry, limits: EditLimits(),
            reserving: { stage in
                if case .opening = stage { opened += 1 }
                return true
            }
        ) { updater throws(EditError) in
            for operation in update.operations { try updater.apply(operation) }
            work = updater.work
        }
        return (work, opened, texts(model))
    }

    @Test(
        "An element that joins an array of which the unit makes a header too reads the header only",
        arguments: [true, false])
    func elementsThatMakeMore(inOneOperation isOne: Bool) throws {
        let new = (0..<Self.count).map { #"{"id":"n\#($0)","title":"N\#($0)"}"# }
        let data = isOne ? [new.joined(separator: ",")] : new
        let operations = data.map {
            #"{"op":"insertItems","section":"A","before":0,"data":[\#($0)]}"#
        }
        let done = try work([page("FIRST", "[\(elements(Self.count))]")], operations)
        #expect(done.work.rereadBytes == 0)
        #expect(done.work.listedItems <= 2 * Self.count, "\(done.work)")
        let first = isOne ? "n0" : "n\(Self.count - 1)"
        #expect(done.pages[0].contains(#""d":[{"id":"\#(first)""#))
    }

    @Test("A unit that is divided a thousand times is not read again")
    func divisions() throws {
        let operations = (1..<Self.count).map { index in
            #"{"op":"insertItems","section":"A","before":"i\#(index)","#
                + #""units":[]}"#
                .replacing("[]", with: #"[{"t":"ONE","d":{"id":"u\#(index)"}}]"#)
        }
        let done = try work([page("LIST", "[\(elements(Self.count))]")], operations)
        #expect(done.work.rereadBytes == 0)
        #expect(done.work.listedItems == 0)
        #expect(
            done.pages[0].contains(
                #"[{"id":"i7","title":"T7"}]},{"t":"ONE","d":{"id":"u8"}},{"t":"LIST","d":[{"id":"i8""#
            ))
    }

    @Test("Elements that are appended far from the section's end open no page behind theirs")
    func distantArray() throws {
        let others = (0..<40).map { number in
            let units = (0..<20).map { #"{"t":"ONE","d":{"id":"o\#(number)-\#($0)"}}"# }
            return #"{"s":[{"id":"A","u":[\#(units.joined(separator: ","))]}]}"#
        }
        let units = (0..<100).map { #",{"t":"ONE","d":{"id":"k\#($0)"}}"# }.joined()
        let first = #"{"s":[{"id":"A","u":[{"t":"LIST","d":[{"id":"i0"}]}\#(units)]}]}"#
        let operations = (0..<Self.count).map {
            #"{"op":"upsertItems","section":"A","unitType":"LIST","data":[{"id":"n\#($0)"}]}"#
        }
        let done = try work([first] + others, operations)
        #expect(done.opened == 1)
        #expect(done.work.passedUnits <= 101)
        #expect(done.pages[0].contains(#"{"id":"n998"},{"id":"n999"}]}"#))
    }

    @Test(
        "Operations with twenty names each do not list the items of the section",
        arguments: ["deleteItems", "moveItems"], [true, false])
    func names(operation: String, areIds: Bool) throws {
        let (names, items) = (20, 2_000)
        // The last items remain as they are, so that moves have another order as their result.
        let operations = (1..<items / names).map { number in
            let named = (0..<names).map { areIds ? #""i\#((number - 1) * names + $0)""# : "\($0)" }
            let list = named.joined(separator: ",")
            return #"{"op":"\#(operation)","section":"A","items":[\#(list)]}"#
        }
        let done = try work([page("LIST", "[\(elements(items))]")], operations)
        #expect(done.work.listedItems == 0)
        let left = elements(items - names..<items)
        let moved = operation == "moveItems" ? "," + elements(0..<items - names) : ""
        #expect(done.pages[0] == page("LIST", "[\(left)\(moved)]"))
    }

    @Test("Elements that join an array of several placements are read alone")
    func sharedArray() throws {
        let kinds = (0..<Self.count).map { #"{"id":"k\#($0)","kind":"\#(["c", "d"][$0 % 2])"}"# }
        let data = kinds.dropFirst().joined(separator: ",")
        let operation = #"{"op":"insertItems","section":"A","data":[\#(data)],"after":0}"#
        let done = try work([page("TWICE", "[\(kinds[0])]")], [operation])
        #expect(done.work.listedItems == 0)
        #expect(done.work.rereadBytes == 0)
        #expect(done.pages[0] == page("TWICE", "[\(kinds[0]),\(data)]"))
    }

    @Test("An operation with many indexes lists the items of the pages they lead into at most once")
    func indexes() throws {
        let items = 1_000
        let indexes = (1..<items).reversed().map { "\($0)" }.joined(separator: ",")
        let operation = #"{"op":"deleteItems","section":"A","items":[\#(indexes)]}"#
        let pages = ["", elements(items), ""].map { page("LIST", "[\($0)]") }
        let done = try work(pages, [operation])
        #expect(done.work.listedItems <= items)
        #expect(done.opened == 1)
        #expect(done.pages[1] == page("LIST", "[\(elements(1))]"))
    }

    @Test("The items of a screen of a few long pages are found through the directory")
    func fewLongPages() throws {
        let catalog = try updateCatalog()
        let pages = (0..<3).map { number in
            page("LIST", "[\(elements(2_000))]").replacing(#":"i"#, with: #":"p\#(number)-"#)
        }
        var model = try viewModel(pages, by: catalog)
        #expect(model.directory == nil)
        let numbers = try model.updatePages(registry: catalog.registry) {
            updater throws(EditError) in
            try updater.deleteItems(section: "A", .some(["p2-7", "p1-3"]))
        }
        #expect(numbers == [1, 2])
        #expect(model.directory != nil)
    }
}
