import Broadsheet
import TestSupport
import Testing

/// An item of the plain model: its id and its value.
private struct PlainItem: Equatable {
    let id: String
    var value: Int
}

/// A section of the plain model: a list of items.
private struct PlainSection: Equatable {
    let id: String
    var items: [PlainItem]
    var isCollapsed = false
}

/// A screen as plain lists, which knows nothing of pages, units and bytes.
private struct PlainScreen: Equatable {
    var sections: [PlainSection]

    /// Reads a screen from the merged sections of a view model.
    init(_ model: PaginatedViewModel, _ catalog: Catalog) throws {
        let collapsed = model.merged(registry: catalog.registry)
        let parameters = LayoutParameters(
            expanded: IdentifierList(collapsed.sections.compactMap(\.id)))
        let merged = model.merged(for: parameters, registry: catalog.registry)
        sections = try zip(merged.sections, collapsed.sections).map { section, collapsed in
            var items: [PlainItem] = []
            for part in section.parts {
                for cell in part.cells {
                    let data = try JSONDocument(Array(part.page.bytes[cell.dataRange])).root
                    items.append(
                        PlainItem(
                            id: try #require(data["id"]?.string), value: data["v"]?.int ?? 0))
                }
            }
            return PlainSection(
                id: section.id ?? "", items: items, isCollapsed: collapsed.collapsed)
        }
    }

    /// A place in a list before or after an index, or at its end.
    static func index(_ place: Place, count: Int) -> Int {
        switch place {
        case .before(let index): index
        case .after(let index): index + 1
        case .end: count
        }
    }

    /// A place by an index.
    enum Place {
        case before(Int)
        case after(Int)
        case end
    }
}

/// A generator of random operations, with their effect on the plain model.
private struct RandomOperations {
    var random: SeededGenerator
    private var nextId = 0

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func below(_ count: Int) -> Int { Int(random.next() % UInt64(max(count, 1))) }

    mutating func newId() -> String {
        nextId += 1
        return "n\(nextId)"
    }

    mutating func place(_ count: Int) -> PlainScreen.Place {
        guard count > 0 else { return .end }
        return switch below(3) {
        case 0: .before(below(count))
        case 1: .after(below(count))
        default: .end
        }
    }

    /// Returns the members of a place, by an index or by an id.
    mutating func members(_ place: PlainScreen.Place, ids: [String]) -> String {
        switch place {
        case .before(let index): #","before":\#(name(index, ids))"#
        case .after(let index): #","after":\#(name(index, ids))"#
        case .end: below(2) == 0 ? "" : #","before":\#(ids.count)"#
        }
    }

    mutating func name(_ index: Int, _ ids: [String]) -> String {
        below(2) == 0 ? String(index) : #""\#(ids[index])""#
    }

    /// Returns units that make the items, of random types.
    mutating func units(of items: [PlainItem]) -> String {
        func data(_ item: PlainItem) -> String { #"{"id":"\#(item.id)","v":\#(item.value)}"# }
        let list = items.map(data).joined(separator: ",")
        switch below(4) {
        case 0: return #"{"t":"BOX","d":{"title":1,"list":[\#(list)]}}"#
        case 1: return items.map { #"{"t":"ONE","d":\#(data($0))}"# }.joined(separator: ",")
        case 2:
            return items.map {
                #"{"t":"ONE","id":"\#($0.id)", "v":\#($0.value)}"#
            }.joined(separator: ",")
        default: return #"{"t":"LIST","d":[\#(list)]}"#
        }
    }

    mutating func newItems() -> [PlainItem] {
        (0..<1 + below(3)).map { _ in PlainItem(id: newId(), value: below(100)) }
    }

    /// Returns different random indexes.
    mutating func indexes(_ count: Int) -> [Int] {
        var all = Array(0..<count)
        all.shuffle(using: &random)
        return Array(all.prefix(1 + below(3)))
    }

    /// Returns a page of random sections.
    mutating func page(sectionIds: [String]) -> String {
        let sections = (0..<1 + below(3)).map { _ in
            let id = sectionIds[below(sectionIds.count)]
            let made = (0..<below(4)).map { _ in units(of: newItems()) }
            return #"{"id":"\#(id)","u":[\#(made.joined(separator: ","))]}"#
        }
        return #"{"s":[\#(sections.joined(separator: ", "))]}"#
    }
}

/// Random histories of updates, compared with a plain model of lists.
@Suite("Histories of updates") struct UpdateHistoryTests {
    @Test("Updates do to a screen what the same operations do to plain lists")
    func histories() throws {
        let seed = SeededGenerator.seed(of: "UpdateHistoryTests")
        let catalog = try updateCatalog()
        var (done, failed) = (0, 0)
        for history in 0..<40 {
            var operations = RandomOperations(seed: seed &+ UInt64(history))
            // A screen of many pages is searched by a directory of its items.
            let count = history % 4 == 0 ? 16 : 1 + operations.below(4)
            let pages = (0..<count).map { _ in operations.page(sectionIds: ["A", "B", "C"]) }
            var model = try viewModel(pages, by: catalog)
            var plain = try PlainScreen(model, catalog)
            for step in 0..<25 {
                let comment = Comment("seed \(seed), history \(history), step \(step)")
                let before = plain
                let operation = operations.next(&plain)
                let text = #"{"operations":[\#(operation)]}"#
                let update = try ScreenUpdate(
                    JSONDocument(Array(text.utf8)), names: catalog.registry.names)
                do throws(EditError) {
                    try model.updatePages(registry: catalog.registry) { updater throws(EditError) in
                        for operation in update.operations { try updater.apply(operation) }
                    }
                    done += 1
                } catch {
                    guard case .impossible = error else { throw error }
                    // Elements without an array, and units that cannot be divided.
                    #expect(
                        operation.contains("insertItems") || operation.contains("moveItems"),
                        comment)
                    plain = before
                    failed += 1
                }
                let outcome = try PlainScreen(model, catalog)
                try #require(outcome == plain, "\(comment): \(operation)")
            }
        }
        #expect(done > failed * 3, "seed \(seed): \(done) done, \(failed) failed")
    }

    @Test("Operations in one update leave the same bytes as in updates of their own")
    func batches() throws {
        let seed = SeededGenerator.seed(of: "UpdateHistoryTests")
        let catalog = try updateCatalog()
        for history in 0..<30 {
            var operations = RandomOperations(seed: seed &+ UInt64(history))
            let pages = (0..<1 + operations.below(3)).map { _ in
                operations.page(sectionIds: ["A", "B", "C"])
            }
            var model = try viewModel(pages, by: catalog)
            var plain = try PlainScreen(model, catalog)
            var applied: [String] = []
            for _ in 0..<20 {
                let before = plain
                let operation = operations.next(&plain)
                switch try updated(texts(model), operation, by: catalog) {
                case .pages(let pages):
                    model = try viewModel(pages, by: catalog)
                    applied.append(operation)
                case .impossible: plain = before
                case let other: Issue.record("seed \(seed): \(other): \(operation)")
                }
            }
            guard !applied.isEmpty else { continue }
            let together = try updated(pages, applied.joined(separator: ","), by: catalog)
            #expect(
                together == .pages(texts(model)),
                "seed \(seed), history \(history): \(applied.joined(separator: ","))")
        }
    }
}

extension RandomOperations {
    /// Returns a random operation, and applies it to the plain model.
    fileprivate mutating func next(_ screen: inout PlainScreen) -> String {
        let ids = screen.sections.map(\.id)
        guard !ids.isEmpty else {
            let section = PlainSection(id: newId(), items: [])
            screen.sections.append(section)
            return #"{"op":"insertSections","sections":[{"id":"\#(section.id)","u":[]}]}"#
        }
        let section = below(ids.count)
        let name = name(section, ids)
        switch below(14) {
        case 0, 1, 2: return insertItems(section, name, &screen)
        case 3: return upsertItems(section, name, &screen)
        case 4, 5: return changeItem(section, name, &screen)
        case 6: return deleteItems(section, name, &screen)
        case 7, 8: return moveItems(section, name, &screen)
        case 9:
            screen.sections[section].isCollapsed.toggle()
            return #"{"op":"toggleSection","section":\#(name)}"#
        case 10: return extendSections(section, &screen)
        case 11, 12: return replaceSection(section, &screen)
        default: return moveSection(section, name, &screen)
        }
    }

    private mutating func insertItems(
        _ section: Int, _ name: String, _ screen: inout PlainScreen
    ) -> String {
        let items = screen.sections[section].items
        let (new, place) = (newItems(), place(items.count))
        let members = members(place, ids: items.map(\.id))
        screen.sections[section].items.insert(
            contentsOf: new, at: PlainScreen.index(place, count: items.count))
        let data = new.map { #"{"id":"\#($0.id)", "v":\#($0.value)}"# }.joined(separator: ",")
        let content = below(2) == 0 ? #""data":[\#(data)]"# : #""units":[\#(units(of: new))]"#
        return #"{"op":"insertItems","section":\#(name),\#(content)\#(members)}"#
    }

    private mutating func upsertItems(
        _ section: Int, _ name: String, _ screen: inout PlainScreen
    ) -> String {
        let items = screen.sections[section].items
        guard !items.isEmpty else { return changeItem(section, name, &screen) }
        let index = below(items.count)
        screen.sections[section].items[index].value = 500
        return
            #"{"op":"upsertItems","section":\#(name),"unitType":"LIST","data":[{"id":"\#(items[index].id)","t":"ONE","v":500}]}"#
    }

    private mutating func changeItem(
        _ section: Int, _ name: String, _ screen: inout PlainScreen
    ) -> String {
        let items = screen.sections[section].items
        guard !items.isEmpty else { return #"{"op":"deleteItems","section":\#(name),"all":true}"# }
        let (index, value) = (below(items.count), below(1_000))
        let item = self.name(index, items.map(\.id))
        screen.sections[section].items[index].value = value
        guard below(2) == 0 else {
            return
                #"{"op":"patchItem","section":\#(name),"item":\#(item),"patch":{"v":\#(value)}}"#
        }
        let data = #"{"t":"ONE","id":"\#(items[index].id)","v":\#(value)}"#
        return #"{"op":"replaceItem","section":\#(name),"item":\#(item),"data":\#(data)}"#
    }

    private mutating func deleteItems(
        _ section: Int, _ name: String, _ screen: inout PlainScreen
    ) -> String {
        let items = screen.sections[section].items
        guard !items.isEmpty, below(8) > 0 else {
            screen.sections[section].items = []
            return #"{"op":"deleteItems","section":\#(name),"all":true}"#
        }
        let indexes = indexes(items.count)
        let names = indexes.map { self.name($0, items.map(\.id)) }.joined(separator: ",")
        screen.sections[section].items = items.indices.filter { !indexes.contains($0) }.map {
            items[$0]
        }
        return #"{"op":"deleteItems","section":\#(name),"items":[\#(names)]}"#
    }

    private mutating func moveItems(
        _ section: Int, _ name: String, _ screen: inout PlainScreen
    ) -> String {
        let items = screen.sections[section].items
        guard !items.isEmpty else { return moveSection(section, name, &screen) }
        let indexes = indexes(items.count)
        let names = indexes.map { self.name($0, items.map(\.id)) }.joined(separator: ",")
        let target = below(2) == 0 ? section : below(screen.sections.count)
        let targets = screen.sections[target].items
        let free = targets.indices.filter { target != section || !indexes.contains($0) }
        var place = PlainScreen.Place.end
        var anchor: String?
        if !free.isEmpty, below(3) > 0 {
            let index = free[below(free.count)]
            place = below(2) == 0 ? .before(index) : .after(index)
            anchor = targets[index].id
        }
        let members = members(place, ids: targets.map(\.id))
        let moved = indexes.map { items[$0] }
        screen.sections[section].items.removeAll { moved.contains($0) }
        let left = screen.sections[target].items
        let position = anchor.flatMap { id in left.firstIndex { $0.id == id } }
        let index =
            switch place {
            case .before: position ?? 0
            case .after: (position ?? 0) + 1
            case .end: left.count
            }
        screen.sections[target].items.insert(contentsOf: moved, at: index)
        let toSection = self.name(target, screen.sections.map(\.id))
        return
            #"{"op":"moveItems","section":\#(name),"items":[\#(names)],"toSection":\#(toSection)\#(members)}"#
    }

    private mutating func extendSections(_ section: Int, _ screen: inout PlainScreen) -> String {
        let new = newItems()
        let units = units(of: new)
        guard below(3) > 0 else {
            let ids = screen.sections.map(\.id)
            let (id, place) = (newId(), place(ids.count))
            let members = members(place, ids: ids)
            screen.sections.insert(
                PlainSection(id: id, items: new), at: PlainScreen.index(place, count: ids.count))
            return
                #"{"op":"insertSections","sections":[{"id":"\#(id)","u":[\#(units)]}]\#(members)}"#
        }
        screen.sections[section].items += new
        return
            #"{"op":"extendSections","sections":[{"id":"\#(screen.sections[section].id)","u":[\#(units)]}]}"#
    }

    private mutating func replaceSection(_ section: Int, _ screen: inout PlainScreen) -> String {
        let new = PlainSection(id: screen.sections[section].id, items: newItems())
        let head =
            #"{"op":"replaceSection","section":{"id":"\#(new.id)","u":[\#(units(of: new.items))]}"#
        screen.sections[section] = new
        guard below(2) == 0 else { return head + "}" }
        guard screen.sections.count > 1 else { return head + #","after":0}"# }
        return head + moved(section, &screen) + "}"
    }

    private mutating func moveSection(
        _ section: Int, _ name: String, _ screen: inout PlainScreen
    ) -> String {
        let ids = screen.sections.map(\.id)
        guard ids.count > 2, below(6) > 0 else {
            guard ids.count > 2 else {
                return #"{"op":"moveSection","section":\#(name)\#(end(&screen, section))}"#
            }
            screen.sections.remove(at: section)
            return #"{"op":"deleteSections","sections":[\#(name)]}"#
        }
        return #"{"op":"moveSection","section":\#(name)\#(moved(section, &screen))}"#
    }

    /// Moves a section beside another one, and returns the members of that place.
    private mutating func moved(_ section: Int, _ screen: inout PlainScreen) -> String {
        let ids = screen.sections.map(\.id)
        let others = ids.indices.filter { $0 != section }
        let index = others[below(others.count)]
        let place: PlainScreen.Place = below(2) == 0 ? .before(index) : .after(index)
        let members = members(place, ids: ids)
        let moved = screen.sections.remove(at: section)
        let position = screen.sections.firstIndex { $0.id == ids[index] } ?? 0
        let isBefore = if case .before = place { true } else { false }
        screen.sections.insert(moved, at: isBefore ? position : position + 1)
        return members
    }

    private func end(_ screen: inout PlainScreen, _ section: Int) -> String {
        screen.sections.append(screen.sections.remove(at: section))
        return ""
    }
}
