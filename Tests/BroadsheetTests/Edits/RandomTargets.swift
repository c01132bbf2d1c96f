import Broadsheet
import TestSupport
import Testing

/// An item as a page makes it: its id in the tree, the number of its value, and its bytes.
struct MadeItem: Equatable {
    let id: String
    let number: Int?
    let bytes: [UInt8]
}

/// The items of each section of the tree, in their order; those of collapsed sections too.
struct MadeScreen {
    var ids: [String?] = []
    var items: [[MadeItem]] = []

    /// The numbers of the items of each section.
    var numbers: [[Int?]] { items.map { $0.map(\.number) } }

    init(_ model: PaginatedViewModel, _ registry: CellRegistry) throws {
        let collapsed = model.merged(registry: registry)
        let parameters = LayoutParameters(
            expanded: IdentifierList(collapsed.sections.compactMap(\.id)))
        for section in model.merged(for: parameters, registry: registry).sections {
            ids.append(section.id)
            items.append(
                try section.items.map { item in
                    let bytes = Array(item.data.page.bytes[item.data.range])
                    let number = try JSONDocument(bytes).root["n"]?.int
                    return MadeItem(id: item.id, number: number, bytes: bytes)
                })
        }
    }
}

/// The effect of an operation on the lists of items of the sections.
enum RandomEffect {
    /// Nothing is known.
    case unknown
    /// Items of a section are gone.
    case deleted(section: Int, [Int])
    /// Items of a section stand in another one, or the same.
    case moved(Move)
    /// There are new items in a section.
    case inserted(section: Int, index: Int)
    /// An item of a section has other data.
    case changed(section: Int, Int)
    /// The same as these operations, one after the other.
    case split([String])
    /// The sections stay, and the items in them.
    case none

    /// A move of items, beside a neighbour or to the end.
    struct Move {
        let section: Int
        let items: [Int]
        let target: Int
        let neighbour: Int?
        let isAfter: Bool

        /// Returns the lists of a screen after the move.
        func applied(to lists: [[Int?]]) -> [[Int?]] {
            var places = lists.indices.map { section in
                lists[section].indices.map { [section, $0] }
            }
            guard !items.isEmpty else { return lists }
            let moved = items.map { [section, $0] }
            places[section].removeAll { moved.contains($0) }
            var index = places[target].count
            if let neighbour {
                index = places[target].firstIndex(of: [target, neighbour]) ?? 0
                index += isAfter ? 1 : 0
            }
            places[target].insert(contentsOf: moved, at: index)
            return places.map { $0.map { lists[$0[0]][$0[1]] } }
        }
    }
}

/// The operations of docs/edits.md with random names, by the tree that a client has.
struct RandomTargets {
    var catalog: RandomCatalog
    let screen: MadeScreen

    mutating func operation() -> (text: String, effect: RandomEffect) {
        guard !screen.ids.isEmpty else {
            return (#"{"op":"extendSections","sections":[\#(catalog.section())]}"#, .unknown)
        }
        let section = catalog.below(screen.ids.count)
        // A change decides about the schema of an item.
        if catalog.facts.hasItemSchemas, catalog.chance(2) { return change(section) }
        switch catalog.below(14) {
        case 0, 1, 2: return delete(section)
        case 3, 4, 5, 6: return move(section)
        case 7, 8: return insert(section)
        case 9, 10: return change(section)
        case 11: return upsert(section)
        default: return sections(section)
        }
    }

    private mutating func name(ofSection section: Int) -> String {
        guard let id = screen.ids[section], catalog.chance(2) else { return "\(section)" }
        return #""\#(id)""#
    }

    private mutating func name(_ item: Int, of section: Int) -> String {
        catalog.chance(2) ? "\(item)" : #""\#(screen.items[section][item].id)""#
    }

    private mutating func chosen(_ section: Int) -> [Int] {
        let count = screen.items[section].count
        var indexes = Array(0..<count)
        indexes.shuffle(using: &catalog.random)
        if !catalog.chance(8) { indexes = Array(indexes.prefix(1 + catalog.below(4))) }
        if catalog.chance(25), let first = indexes.first { indexes.append(first) }
        return indexes
    }

    private mutating func names(_ items: [Int], _ section: Int) -> String {
        items.map { name($0, of: section) }.joined(separator: ",")
    }

    private mutating func delete(_ section: Int) -> (String, RandomEffect) {
        let items = chosen(section)
        let head = #"{"op":"deleteItems","section":\#(name(ofSection: section)),"#
        guard !catalog.chance(10) else {
            let all = Array(screen.items[section].indices)
            return (head + #""all":true}"#, .deleted(section: section, all))
        }
        return (
            head + #""items":[\#(names(items, section))]}"#, .deleted(section: section, items)
        )
    }

    private mutating func move(_ section: Int) -> (String, RandomEffect) {
        let items = chosen(section)
        let target = catalog.below(screen.ids.count)
        let count = screen.items[target].count
        var place = ""
        var neighbour: Int?
        let isAfter = catalog.chance(2)
        if count > 0, !catalog.chance(3) {
            let chosen = catalog.below(count)
            place = #","\#(isAfter ? "after" : "before")":\#(name(chosen, of: target))"#
            neighbour = chosen
        }
        let text =
            #"{"op":"moveItems","section":\#(name(ofSection: section)),"#
            + #""items":[\#(names(items, section))],"toSection":\#(name(ofSection: target))\#(place)}"#
        let move = RandomEffect.Move(
            section: section, items: items, target: target, neighbour: neighbour,
            isAfter: isAfter)
        return (text, .moved(move))
    }

    private mutating func insert(_ section: Int) -> (String, RandomEffect) {
        let count = screen.items[section].count
        var (place, index) = ("", count)
        if count > 0, !catalog.chance(3) {
            let (neighbour, isAfter) = (catalog.below(count), catalog.chance(2))
            place = #","\#(isAfter ? "after" : "before")":\#(name(neighbour, of: section))"#
            index = neighbour + (isAfter ? 1 : 0)
        }
        let content =
            catalog.chance(2)
            ? #""units":[\#(catalog.units())]"#
            : #""data":[\#(elements(1 + catalog.below(3)))]"#
        let text =
            #"{"op":"insertItems","section":\#(name(ofSection: section)),\#(content)\#(place)}"#
        return (text, .inserted(section: section, index: index))
    }

    private mutating func elements(_ count: Int) -> String {
        (0..<count).map { _ in catalog.element() }.joined(separator: ",")
    }

    private mutating func change(_ section: Int) -> (String, RandomEffect) {
        let count = screen.items[section].count
        let item = count == 0 || catalog.chance(30) ? count : catalog.below(count)
        let target = item < count ? name(item, of: section) : "\(item)"
        let head = #""section":\#(name(ofSection: section)),"item":\#(target),"#
        let other = catalog.one(of: [#"{"id":"r"}"#, "[]", "7", "[{}]"])
        let text =
            switch catalog.below(6) {
            case 0: #"{"op":"replaceItem",\#(head)"data":\#(other)}"#
            case 1: #"{"op":"replaceItem",\#(head)"data":\#(catalog.element())}"#
            case 2: #"{"op":"patchItem",\#(head)"patch":{"kind":"d","title":null}}"#
            case 3: #"{"op":"patchItem",\#(head)"patch":{"list":[\#(elements(2))]}}"#
            case 4: #"{"op":"patchItem",\#(head)"patch":{"id":"i\#(catalog.below(6))"}}"#
            default: #"{"op":"patchItem",\#(head)"patch":{"a":\#(catalog.element())}}"#
            }
        return (text, .changed(section: section, item))
    }

    private mutating func upsert(_ section: Int) -> (String, RandomEffect) {
        let count = catalog.chance(3) ? 20 : 1 + catalog.below(3)
        let head =
            #"{"op":"upsertItems","section":\#(name(ofSection: section)),"#
            + #""unitType":"\#(catalog.typeName())","data":["#
        var data = (0..<count).map { _ in catalog.element() }
        for index in data.indices where catalog.chance(3) && !screen.items[section].isEmpty {
            let items = screen.items[section]
            let id = items[catalog.below(items.count)].id
            data[index] = data[index].replacing(#""id":"i"#, with: #""id":"\#(id)","x":"i"#)
        }
        return (
            head + data.joined(separator: ",") + "]}", .split(data.map { "\(head)\($0)]}" })
        )
    }

    private mutating func sections(_ section: Int) -> (String, RandomEffect) {
        let name = name(ofSection: section)
        let other = self.name(ofSection: catalog.below(screen.ids.count))
        let place = catalog.one(of: ["", #","before":\#(other)"#, #","after":\#(other)"#])
        switch catalog.below(9) {
        case 0:
            guard screen.ids[section] != nil else { return change(section) }
            return (#"{"op":"toggleSection","section":\#(name)}"#, .none)
        case 1: return (#"{"op":"moveSection","section":\#(name)\#(place)}"#, .unknown)
        case 2:
            return (
                #"{"op":"insertSections","sections":[\#(catalog.section())]\#(place)}"#, .unknown
            )
        case 3: return (#"{"op":"deleteSections","sections":[\#(name)]}"#, .unknown)
        case 4: return (#"{"op":"extendSections","sections":[\#(catalog.section())]}"#, .unknown)
        case 5:
            let collapsed = screen.ids[section] == nil ? "" : #""collapsed":true,"#
            let patch = #"{"layout":{"kind":"list"},\#(collapsed)"data":{"v":1}}"#
            return (#"{"op":"patchSection","section":\#(name),"patch":\#(patch)}"#, .none)
        case 6:
            let header = catalog.chance(3) ? "null" : catalog.unit()
            let patch = #"{"header":\#(header)}"#
            return (#"{"op":"patchSection","section":\#(name),"patch":\#(patch)}"#, .unknown)
        case 7:
            let text = #"{"op":"replaceSection","section":\#(catalog.section())\#(place)}"#
            return (text, .split([text, text]))
        default: return (#"{"op":"deleteSections","sections":[\#(name),\#(other)]}"#, .unknown)
        }
    }
}
