import Broadsheet
import BroadsheetClient
import TestSupport
import Testing

/// A screen as plain lists, with the operations of a presenter.
private struct PlainScreen: Equatable {
    struct Section: Equatable {
        var id: String
        var items: [Ware] = []
        var header: String?
        var isCollapsed = false
    }

    struct Missing: Error {}

    var sections: [Section]

    func check(_ isThere: Bool) throws { guard isThere else { throw Missing() } }

    subscript(place: Changes.ItemPlace) -> Ware? {
        guard sections.indices ~= place.section else { return nil }
        let items = sections[place.section].items
        return items.indices ~= place.item ? items[place.item] : nil
    }

    mutating func insert(_ wares: [Ware], at place: Changes.ItemPlace) throws {
        try check(sections.indices ~= place.section)
        try check(0...sections[place.section].items.count ~= place.item)
        sections[place.section].items.insert(contentsOf: wares, at: place.item)
    }

    @discardableResult
    mutating func delete(_ place: Changes.ItemPlace) throws -> Ware {
        try check(self[place] != nil)
        return sections[place.section].items.remove(at: place.item)
    }

    mutating func move(_ place: Changes.ItemPlace, to destination: Changes.ItemPlace) throws {
        let ware = try delete(place)
        try insert([ware], at: destination)
    }

    mutating func extend(by new: [Section]) {
        for section in new {
            if let known = sections.firstIndex(where: { $0.id == section.id }) {
                sections[known].items += section.items
                sections[known].header = section.header ?? sections[known].header
            } else {
                sections.append(section)
            }
        }
    }
}

/// Random operations on a presenter and on plain lists.
private struct RandomEdits {
    var random: SeededGenerator
    var plain = PlainScreen(sections: [])
    var presenter: ScreenPresenter
    private var count = 0

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        presenter = ScreenPresenter(registry: try sampleCatalog().registry)
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &random)
    }

    private mutating func wares() -> [Ware] {
        (0..<number(0...3)).map { _ in
            count += 1
            return Ware(id: "n\(count)", price: count)
        }
    }

    private mutating func section() -> PlainScreen.Section {
        PlainScreen.Section(
            id: "S\(number(0...6))", items: wares(), header: number(0...1) == 0 ? "old" : nil)
    }

    private mutating func sectionIndex() -> Int { number(-1...plain.sections.count) }

    private mutating func place() -> Changes.ItemPlace {
        let section = sectionIndex()
        let items = plain.sections.indices ~= section ? plain.sections[section].items.count : 1
        return .init(section: section, item: number(-1...items + 1))
    }

    /// Appends a page.
    mutating func extend() throws {
        var sections: [PlainScreen.Section] = []
        for _ in 0...number(0...2) {
            let new = section()
            if !sections.contains(where: { $0.id == new.id }) { sections.append(new) }
        }
        plain.extend(by: sections)
        try presenter.extendViewModel(
            hasNext: true,
            sections: sections.map {
                WareSection($0.id, header: $0.header, wares: $0.items)
            })
    }

    /// Applies an operation to both, which succeeds or fails in both.
    mutating func step() throws -> String {
        let operation = operation()
        let (before, earlier) = (plain, presenter)
        let isDone: Bool
        do {
            try operation.plain(&plain)
            isDone = true
        } catch is PlainScreen.Missing {
            plain = before
            isDone = false
        }
        do {
            var tree = earlier.tree
            let changes = try presenter.update { try operation.presenter(&$0) }
            try changes.apply(to: &tree)
            #expect(tree == presenter.tree)
            #expect(isDone, "\(operation.name) is done although the lists do not have it")
        } catch let error as EditError {
            #expect(!isDone, "\(operation.name) fails: \(error)")
        }
        return operation.name
    }

    private struct Operation {
        let name: String
        let plain: (inout PlainScreen) throws -> Void
        let presenter: (inout ScreenUpdater) throws -> Void
    }

    private mutating func operation() -> Operation {
        let choice = number(0...9)
        return choice < 6 ? itemOperation(choice) : sectionOperation(choice)
    }

    private mutating func itemOperation(_ choice: Int) -> Operation {
        let (place, wares) = (place(), wares())
        switch choice {
        case 0:
            return Operation(name: "insert \(wares) at \(place)") {
                try $0.insert(wares, at: place)
            } presenter: {
                try $0.insertItems(contentsOf: wares, at: place)
            }
        case 1:
            return Operation(name: "delete \(place)") {
                try $0.delete(place)
            } presenter: {
                try $0.deleteItem(at: place)
            }
        case 2, 3:
            let destination = self.place()
            return Operation(name: "move \(place) to \(destination)") {
                try $0.move(place, to: destination)
            } presenter: {
                try $0.moveItem(at: place, to: destination)
            }
        case 4:
            return Operation(name: "insert units \(wares) at \(place)") {
                try $0.insert(wares, at: place)
            } presenter: {
                try $0.insertUnits([WareUnit(unitData: wares)], at: place)
            }
        default:
            let ware = Ware(id: "r\(count)")
            let isUnit = number(0...1) == 0
            return Operation(name: "replace \(place) by \(ware), as a unit: \(isUnit)") {
                try $0.delete(place)
                try $0.insert([ware], at: place)
            } presenter: { updater in
                guard isUnit else { return try updater.reconfigureItem(ware, at: place) }
                try updater.updateItem(WareUnit(unitData: [ware]), at: place)
            }
        }
    }

    private mutating func sectionOperation(_ choice: Int) -> Operation {
        let (index, section) = (sectionIndex(), section())
        switch choice {
        case 6:
            return Operation(name: "insert \(section) at \(index)") { plain in
                try plain.check(0...plain.sections.count ~= index)
                try plain.check(!plain.sections.contains { $0.id == section.id })
                plain.sections.insert(section, at: index)
            } presenter: {
                try $0.insertSection(
                    WareSection(section.id, header: section.header, wares: section.items), at: index
                )
            }
        case 7:
            return Operation(name: "delete section \(index)") { plain in
                try plain.check(plain.sections.indices ~= index)
                plain.sections.remove(at: index)
            } presenter: {
                try $0.deleteSection(at: index)
            }
        case 8:
            let destination = sectionIndex()
            return Operation(name: "move section \(index) to \(destination)") { plain in
                try plain.check(plain.sections.indices ~= index)
                try plain.check(plain.sections.indices ~= destination)
                plain.sections.insert(plain.sections.remove(at: index), at: destination)
            } presenter: {
                try $0.moveSection(at: index, to: destination)
            }
        default:
            let isHeader = number(0...1) == 0
            return Operation(name: "header \(isHeader) of \(index), or toggle") { plain in
                try plain.check(plain.sections.indices ~= index)
                guard isHeader else { return plain.sections[index].isCollapsed.toggle() }
                try plain.check(plain.sections[index].header != nil)
                plain.sections[index].header = "new"
            } presenter: {
                guard isHeader else { return try $0.toggleSection(index) }
                try $0.reconfigureHeader("new", at: index)
            }
        }
    }

    /// The screen of the presenter as plain lists.
    func presented() throws -> PlainScreen {
        var expanded = presenter
        expanded.parameters.expanded = IdentifierList(presenter.sectionIds.compactMap { $0 })
        let sections = zip(presenter.screen.sections, expanded.screen.sections)
        return PlainScreen(
            sections: try sections.map { section, shown in
                PlainScreen.Section(
                    id: section.id ?? "", items: try shown.items.map { try $0.data.decode() },
                    header: try section.header?.data.decode(), isCollapsed: section.collapsed)
            })
    }
}

extension WareSection {
    fileprivate init(_ id: String, header: String?, wares: [Ware]) {
        self.init(id, [], header: header)
        units = [WareUnit(unitData: wares)]
    }
}

@Suite("Presenters: a model of plain lists")
struct PresenterModelTests {
    @Test(
        "Any operations do to a screen what they do to lists", arguments: ChangesHistoryTests.seeds)
    func agree(seed: UInt64) throws {
        for round in 0..<5 as Range<UInt64> {
            var edits = try RandomEdits(seed: seed &* 1000 &+ round)
            var steps: [String] = []
            for step in 0..<25 {
                if step % 8 == 0 { try edits.extend() }
                steps.append(try edits.step())
                guard try edits.presented() == edits.plain else {
                    Issue.record("BROADSHEET_SEED=\(seed), round \(round): \(steps)")
                    return
                }
            }
        }
    }
}
