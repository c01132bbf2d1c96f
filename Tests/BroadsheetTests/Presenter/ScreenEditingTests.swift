import Broadsheet
import BroadsheetClient
import Testing

/// One operation of a presenter, with the items that the sections A, B and C then have.
struct PresenterOperation: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let apply: @Sendable (inout any ScreenEditing) throws -> Void
    let ids: String

    init(
        _ name: String, _ ids: String,
        _ apply: @escaping @Sendable (inout any ScreenEditing) throws -> Void
    ) {
        testDescription = name
        self.ids = ids
        self.apply = apply
    }

    static let new = [Ware(id: "n"), Ware(id: "m")]

    static let items: [PresenterOperation] = [
        .init("append", "abcd xyzn -") { try $0.appendItem(new[0], toSection: 1) },
        .init("append by id", "abcd xyzn -") {
            try $0.appendItem(new[0], firstSectionIdentifier: "B")
        },
        .init("append several", "abcdnm xyz -") {
            try $0.appendItems(contentsOf: new, toSection: 0)
        },
        .init("append several by id", "abcd xyz nm") {
            try $0.appendItems(contentsOf: new, firstSectionIdentifier: "C")
        },
        .init("append to the last", "abcd xyz n") { try $0.appendItemToLastSection(new[0]) },
        .init("append none", "abcd xyz -") {
            try $0.appendItems(contentsOf: [Ware](), toSection: 0)
        },
        .init("insert", "abncd xyz -") {
            try $0.insertItem(new[0], at: .init(section: 0, item: 2))
        },
        .init("insert at the end", "abcd xyzn -") {
            try $0.insertItem(new[0], at: .init(section: 1, item: 3))
        },
        .init("insert by id", "nabcd xyz -") {
            try $0.insertItem(new[0], atRow: 0, firstSectionIdentifier: "A")
        },
        .init("insert several", "abcd xnmyz -") {
            try $0.insertItems(contentsOf: new, at: .init(section: 1, item: 1))
        },
        .init("append a unit", "abcdnm xyz -") {
            try $0.appendUnits([WareUnit(unitData: new)], toSection: 0)
        },
        .init("append a unit by id", "abcd xyz n") {
            try $0.appendUnits(
                [WareUnit(unitType: "ONE", unitData: new[0])], firstSectionIdentifier: "C")
        },
        .init("insert a unit into another", "abcd xynz -") {
            try $0.insertUnits(
                [WareUnit(unitType: "ONE", unitData: new[0])], at: .init(section: 1, item: 2))
        },
        .init("update", "abcd xnz -") {
            try $0.updateItem(
                WareUnit(unitType: "ONE", unitData: new[0]), at: .init(section: 1, item: 1))
        },
        .init("update by id", "abcn xyz -") {
            try $0.updateItem(
                WareUnit(unitType: "ONE", unitData: new[0]), atRow: 3, firstSectionIdentifier: "A")
        },
        .init("reconfigure", "abcd nyz -") {
            try $0.reconfigureItem(new[0], at: .init(section: 1, item: 0))
        },
        .init("reconfigure by id", "abnd xyz -") {
            try $0.reconfigureItem(new[0], atRow: 2, firstSectionIdentifier: "A")
        },
        .init("delete", "abd xyz -") { try $0.deleteItem(at: .init(section: 0, item: 2)) },
        .init("delete by id", "abcd xy -") {
            try $0.deleteItem(atRow: 2, firstSectionIdentifier: "B")
        },
        .init("delete all", "- xyz -") { try $0.deleteAllItems(inSection: 0) },
        .init("delete all by id", "abcd - -") {
            try $0.deleteAllItems(firstSectionIdentifier: "B")
        },
        .init("move down", "bcad xyz -") {
            try $0.moveItem(at: .init(section: 0, item: 0), to: .init(section: 0, item: 2))
        },
        .init("move up", "abcd zxy -") {
            try $0.moveItem(atRow: 2, toRow: 0, firstSectionIdentifier: "B")
        },
        .init("move nowhere", "abcd xyz -") {
            try $0.moveItem(at: .init(section: 0, item: 1), to: .init(section: 0, item: 1))
        },
        .init("move to another section", "acd xybz -") {
            try $0.moveItem(at: .init(section: 0, item: 1), to: .init(section: 1, item: 2))
        },
        .init("move to an empty section", "abcd xz y") {
            try $0.moveItem(at: .init(section: 1, item: 1), to: .init(section: 2, item: 0))
        },
    ]

    static let sections: [PresenterOperation] = [
        .init("append a section", "abcd xyz - nm") {
            try $0.appendSection(WareSection("D", ["n", "m"]))
        },
        .init("append sections", "abcd xyz - n m") {
            try $0.appendSections(contentsOf: [WareSection("D", ["n"]), WareSection(nil, ["m"])])
        },
        .init("insert a section", "abcd n xyz -") {
            try $0.insertSection(WareSection("D", ["n"]), at: 1)
        },
        .init("insert a section at the end", "abcd xyz - n") {
            try $0.insertSection(WareSection("D", ["n"]), at: 3)
        },
        .init("replace a section", "n xyz -") { try $0.replaceSection(WareSection("A", ["n"])) },
        .init("replace a section that is not there", "abcd xyz - n") {
            try $0.replaceSection(WareSection("D", ["n"]))
        },
        .init("delete a section", "xyz -") { try $0.deleteSection(at: 0) },
        .init("delete a section by id", "abcd -") {
            try $0.deleteSection(firstSectionIdentifier: "B")
        },
        .init("move a section down", "xyz - abcd") { try $0.moveSection(at: 0, to: 2) },
        .init("move a section up", "abcd - xyz") { try $0.moveSection(at: 2, to: 1) },
        .init("move a section nowhere", "abcd xyz -") { try $0.moveSection(at: 2, to: 2) },
        .init("toggle", "abcd - -") { try $0.toggleSection(1) },
        .init("toggle by id", "- xyz -") { try $0.toggleSection(firstSectionIdentifier: "A") },
    ]

    /// Operations on what the screen does not have.
    static let impossible: [PresenterOperation] = [Int.min, -1, 3, 4, Int.max].flatMap(impossible)

    private static func impossible(_ index: Int) -> [PresenterOperation] {
        let place = Changes.ItemPlace(section: index, item: index)
        let row = Changes.ItemPlace(section: 1, item: index)
        var all: [PresenterOperation] = [
            .init("append \(index)", "") { try $0.appendItem(new[0], toSection: index) },
            .init("insert \(index)", "") { try $0.insertItem(new[0], at: place) },
            .init("unit \(index)", "") { try $0.appendUnits([WareUnit()], toSection: index) },
            .init("update \(index)", "") { try $0.updateItem(WareUnit(unitData: new), at: place) },
            .init("update row \(index)", "") {
                try $0.updateItem(WareUnit(unitData: new), at: row)
            },
            .init("reconfigure \(index)", "") { try $0.reconfigureItem(new[0], at: row) },
            .init("delete \(index)", "") { try $0.deleteItem(at: row) },
            .init("delete by id \(index)", "") {
                try $0.deleteItem(atRow: index, firstSectionIdentifier: "B")
            },
            .init("delete all \(index)", "") { try $0.deleteAllItems(inSection: index) },
            .init("move from \(index)", "") {
                try $0.moveItem(at: row, to: .init(section: 1, item: 0))
            },
            .init("move to \(index)", "") {
                try $0.moveItem(at: .init(section: 1, item: 0), to: row)
            },
            .init("move \(index)", "") { try $0.moveItem(at: row, to: row) },
            .init("move across \(index)", "") {
                try $0.moveItem(at: .init(section: 1, item: 0), to: place)
            },
            .init("delete section \(index)", "") { try $0.deleteSection(at: index) },
            .init("move section \(index)", "") { try $0.moveSection(at: index, to: index) },
            .init("move section from \(index)", "") { try $0.moveSection(at: index, to: 0) },
            .init("move section to \(index)", "") { try $0.moveSection(at: 0, to: index) },
            .init("toggle \(index)", "") { try $0.toggleSection(index) },
            .init("header \(index)", "") { try $0.reconfigureHeader("new", at: index) },
            .init("unknown id \(index)", "") {
                try $0.deleteAllItems(firstSectionIdentifier: "\(index)")
            },
        ]
        if index != 3 {
            all += [
                .init("insert section \(index)", "") {
                    try $0.insertSection(WareSection("D", []), at: index)
                },
                .init("insert row \(index)", "") { try $0.insertItem(new[0], at: row) },
            ]
        }
        return all
    }

    /// Operations that the contract or the data does not permit.
    static let refused: [PresenterOperation] = [
        .init("a known id", "") { try $0.appendSection(WareSection("A", [])) },
        .init("a section without an id", "") { try $0.replaceSection(WareSection(nil, [])) },
        .init("no header", "") { try $0.reconfigureHeader("new", at: 1) },
        .init("no footer", "") { try $0.reconfigureFooter("new", firstSectionIdentifier: "C") },
        .init("not JSON", "") {
            try $0.reconfigureItem(Double.infinity, at: .init(section: 0, item: 0))
        },
    ]
}

@Suite("Presenters: edits")
struct ScreenEditingTests {
    private func text(_ presenter: ScreenPresenter) -> String {
        presenter.ids.map { $0.isEmpty ? "-" : $0.joined() }.joined(separator: " ")
    }

    /// Applies an operation in an update, which is compared with that alone.
    private func applied(_ operation: PresenterOperation) throws -> ScreenPresenter {
        var (alone, updated) = (try samplePresenter(), try samplePresenter())
        var editing: any ScreenEditing = alone
        try operation.apply(&editing)
        alone = try #require(editing as? ScreenPresenter)
        var tree = updated.tree
        let changes = try updated.update { updater in
            var editing: any ScreenEditing = updater
            defer { updater = editing as? ScreenUpdater ?? updater }
            try operation.apply(&editing)
        }
        try changes.apply(to: &tree)
        #expect(tree == alone.tree)
        #expect(updated.tree == alone.tree)
        return alone
    }

    @Test("Each operation does what it does to a list", arguments: PresenterOperation.items)
    func items(_ operation: PresenterOperation) throws {
        #expect(text(try applied(operation)) == operation.ids)
    }

    @Test("Sections: each operation", arguments: PresenterOperation.sections)
    func sections(_ operation: PresenterOperation) throws {
        #expect(text(try applied(operation)) == operation.ids)
    }

    @Test(
        "What the screen does not have is an error that names it, and nothing changes",
        arguments: PresenterOperation.impossible + PresenterOperation.refused)
    func impossible(_ operation: PresenterOperation) throws {
        let presenter = try samplePresenter()
        var editing: any ScreenEditing = presenter
        let error = #expect(throws: EditError.self) { try operation.apply(&editing) }
        guard case .impossible(let pointer, let detail) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(pointer.hasPrefix("/operations/"))
        #expect(!detail.isEmpty)
        #expect((editing as? ScreenPresenter)?.tree == presenter.tree)
        // Without the error, which a caller may drop, the update has no effect either.
        var updated = presenter
        #expect(throws: EditError.self) {
            try updated.update { updater in
                var editing: any ScreenEditing = updater
                defer { updater = editing as? ScreenUpdater ?? updater }
                try? operation.apply(&editing)
            }
        }
        #expect(updated.tree == presenter.tree)
    }

    @Test("Headers and footers get other data, in the part that shows them")
    func views() throws {
        var presenter = try samplePresenter()
        try presenter.reconfigureHeader("new", at: 0)
        try presenter.reconfigureFooter(["text": "last"], firstSectionIdentifier: "A")
        let section = presenter.screen.sections[0]
        #expect(try section.header?.data.decode(String.self) == "new")
        #expect(try section.footer?.data.decode([String: String].self) == ["text": "last"])
        #expect(section.header?.page.number == 0)
        #expect(section.footer?.page.number == 1)
    }

    @Test("A header that a unit makes gets other data in the unit, whose items remain")
    func viewsOfUnits() throws {
        struct Both: Encodable {
            var title: String?
            var items: [Ware]
        }
        var presenter = try samplePresenter()
        let both = Both(title: "old", items: [Ware(id: "n")])
        try presenter.appendUnits([WareUnit(unitType: "BOTH", unitData: both)], toSection: 1)
        try presenter.reconfigureHeader("new", at: 1)
        #expect(presenter.ids[1] == ["x", "y", "z", "n"])
        #expect(try presenter.screen.sections[1].header?.data.decode(String.self) == "new")
        // Without a title the unit makes no header.
        try presenter.appendUnits(
            [WareUnit(unitType: "BOTH", unitData: Both(items: []))], toSection: 2)
        #expect(throws: EditError.self) { try presenter.reconfigureHeader("new", at: 2) }
    }

    @Test("Data is replaced, not merged, and null in it stays")
    func replaced() throws {
        struct Open: Encodable {
            var id = "n"
            func encode(to encoder: any Encoder) throws {
                var values = encoder.container(keyedBy: Key.self)
                try values.encode(id, forKey: .id)
                try values.encodeNil(forKey: .price)
            }
            enum Key: CodingKey { case id, price }
        }
        var presenter = try samplePresenter()
        try presenter.reconfigureItem(Open(), at: .init(section: 1, item: 1))
        let bytes = presenter.screen.sections[1].items[1].data.bytes
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"id":"n","price":null}"#)
    }

    @Test("A section says whether it is then collapsed, for a header that shows it")
    func toggle() throws {
        var presenter = try samplePresenter()
        let states = [
            try presenter.toggleSection(0), try presenter.toggleSection(0),
            try presenter.toggleSection(2),
        ]
        #expect(states == [true, false, true])
    }

    @Test("An update with an error of its caller changes nothing, and has that error")
    func foreignError() throws {
        struct Stopped: Error {}
        var presenter = try samplePresenter()
        #expect(throws: Stopped.self) {
            try presenter.update { updater in
                try updater.deleteSection(at: 0)
                throw Stopped()
            }
        }
        #expect(presenter.sectionIds == ["A", "B", "C"])
    }

    @Test("Sections of an empty screen are appended to no page")
    func noPages() {
        var presenter = ScreenPresenter()
        #expect(throws: EditError.self) { try presenter.appendSection(WareSection("A", [])) }
        #expect(throws: EditError.self) { try presenter.appendItemToLastSection(1) }
    }
}
