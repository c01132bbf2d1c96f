import Broadsheet
import Testing

/// Operations with an empty list, on the sections A with the items a and b, and B without any.
@Suite("Updates: empty lists (docs/edits.md, Updates)") struct EmptyListTests {
    private static let pages = [
        #"{"s":[{"id":"A","u":[{"t":"BOX","d":{"list":[{"id":"a"}]}}, {"t":"ONE","id":"b"}]}]}"#,
        #"{"s":[{"id":"B","u":[]} ]}"#,
    ]

    static let operations = [
        #"{"op":"insertItems","section":"A","data":[]}"#,
        #"{"op":"insertItems","section":"A","data":[],"after":"b"}"#,
        #"{"op":"insertItems","section":"A","units":[],"before":1}"#,
        #"{"op":"insertItems","section":"B","data":[],"before":0}"#,
        #"{"op":"upsertItems","section":"B","unitType":"LIST","data":[]}"#,
        #"{"op":"deleteItems","section":0,"items":[]}"#,
        #"{"op":"moveItems","section":"A","items":[],"toSection":"B"}"#,
        #"{"op":"moveItems","section":"B","items":[],"toSection":"A","after":"a"}"#,
        #"{"op":"insertSections","sections":[],"after":"A"}"#,
        #"{"op":"extendSections","sections":[]}"#, #"{"op":"deleteSections","sections":[]}"#,
        #"{"op":"patchSection","section":"A","patch":{}}"#,
        #"{"op":"patchSection","section":"A","patch":{"layout":{}}}"#,
    ]

    @Test("An empty list does nothing", arguments: operations)
    func nothing(_ operation: String) throws {
        let outcome = try updated(Self.pages, operation, by: updateCatalog())
        #expect(outcome == .pages(Self.pages))
    }

    @Test(
        "Names and places beside an empty list are checked",
        arguments: [
            (#"{"op":"insertItems","section":"Z","data":[]}"#, "/section"),
            (#"{"op":"insertItems","section":"A","data":[],"after":"z"}"#, "/after"),
            (#"{"op":"insertItems","section":"A","units":[],"before":3}"#, "/before"),
            (#"{"op":"insertItems","section":"B","units":[],"after":0}"#, "/after"),
            (#"{"op":"upsertItems","section":"Z","unitType":"LIST","data":[]}"#, "/section"),
            (#"{"op":"upsertItems","section":"A","unitType":"NONE","data":[]}"#, "/unitType"),
            (#"{"op":"upsertItems","section":"A","unitType":"TWO","data":[]}"#, "/unitType"),
            (#"{"op":"upsertItems","section":"A","unitType":"HEAD","data":[]}"#, "/unitType"),
            (#"{"op":"deleteItems","section":2,"items":[]}"#, "/section"),
            (#"{"op":"moveItems","section":"Z","items":[]}"#, "/section"),
            (#"{"op":"moveItems","section":"A","items":[],"toSection":"Z"}"#, "/toSection"),
            (#"{"op":"moveItems","section":"A","items":[],"before":"z"}"#, "/before"),
            (
                #"{"op":"moveItems","section":"A","items":[],"toSection":"B","after":0}"#,
                "/after"
            ),
            (#"{"op":"insertSections","sections":[],"before":3}"#, "/before"),
            (#"{"op":"insertSections","sections":[],"after":"Z"}"#, "/after"),
        ])
    func names(_ operation: String, _ pointer: String) throws {
        let outcome = try updated(Self.pages, operation, by: updateCatalog())
        #expect(outcome == .impossible("/operations/0\(pointer)"))
    }

    @Test("A unit type that code registers is checked by its name alone")
    func registeredByCode() throws {
        enum Card: CellType {
            static var id: JSONPointer? { "/id" }
            static func size(with data: JSONValue, constrainedTo container: Container) -> Size? {
                nil
            }
        }
        var registry = CellRegistry()
        registry.register("CARDS") { unit, section in section.cells(Card.self, data: unit.data) }
        let page = #"{"sections":[{"sectionId":"A","units":[]}]}"#
        var model = PaginatedViewModel()
        try model.load(resolved(page, by: registry))
        let changed = try model.updatePages(registry: registry) { updater throws(EditError) in
            try updater.upsertItems(section: "A", unitType: "CARDS", data: [])
        }
        #expect(changed.isEmpty)
        #expect(throws: EditError.self) {
            try model.updatePages(registry: registry) { updater throws(EditError) in
                try updater.upsertItems(section: "A", unitType: "NONE", data: [])
            }
        }
    }
}
