import Broadsheet
import TestSupport
import Testing

/// A generator of operations that name items by their ids, and of the same operations by indexes.
private struct NamedOperations {
    /// One operation in both forms.
    struct Operation {
        let byIds: String
        let byIndexes: String
    }

    /// The names of items: their ids, or their indexes.
    private struct Names {
        /// The ids; `nil` for indexes.
        let ids: [String]?

        func callAsFunction(_ index: Int) -> String {
            ids.map { #""\#($0[index])""# } ?? "\(index)"
        }
    }

    /// Identities that repeat each other, and that look like ids that others get.
    private static let identities = [
        "a", "a", "a", "b", "a#2", "a#3", "a#2#2", "a#2#2#2", "a#02", "b#2", "c#2", "#2",
        "p0.u0.e1", "p0.u1.e0", "a#x", "\\u0061#2", "a\\u00232",
    ]

    var random: SeededGenerator
    private var newItems = 0

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func below(_ count: Int) -> Int { Int(random.next() % UInt64(max(count, 1))) }

    private mutating func identity() -> String {
        Self.identities[below(Self.identities.count)]
    }

    private mutating func item() -> String {
        newItems += 1
        guard below(12) > 0 else { return #"{"n":\#(newItems)}"# }
        return #"{"id":"\#(identity())","n":\#(newItems),"kind":"\#(["c", "d"][below(2)])"}"#
    }

    private mutating func unit() -> String {
        let items = (0..<below(4)).map { _ in item() }.joined(separator: ",")
        return switch below(9) {
        case 0: #"{"t":"ONE","d":\#(item())}"#
        case 1: #"{"t":"ONE","id":"\#(identity())","n":0}"#
        case 2: #"{"t":"BOX","d":{"title":"T","list":[\#(items)]}}"#
        case 3: #"{"t":"TWO","d":{"a":\#(item()),"b":\#(item())}}"#
        case 4: #"{"t":"TWICE","d":[\#(items)]}"#
        case 5: #"{"t":"HEAD","d":{"title":"T"}}"#
        case 6: #"{"t":"FIRST","d":[\#(items)]}"#
        default: #"{"t":"LIST","d":[\#(items)]}"#
        }
    }

    private mutating func units() -> String {
        (0..<below(4)).map { _ in unit() }.joined(separator: ",")
    }

    private mutating func section(_ id: String) -> String {
        below(5) == 0 && id == "A"
            ? #"{"id":"A","u":[],"footer":{"t":"HEAD","d":{"title":"F"}}}"#
            : #"{"id":"\#(id)","u":[\#(units())]}"#
    }

    mutating func page() -> String {
        let sections = (0..<1 + below(3)).map { _ in section(["A", "B", "C"][below(3)]) }
        return #"{"s":[\#(sections.joined(separator: ","))]}"#
    }

    /// Returns an operation on a screen, by the ids that its tree has.
    mutating func next(_ screen: MadeScreen) -> Operation {
        guard !screen.ids.isEmpty, below(10) > 0 else { return onSections(screen) }
        let index = below(screen.ids.count)
        let (section, ids) = (screen.ids[index] ?? "", screen.items[index].map(\.id))
        let named = ids.indices.shuffled(using: &random).prefix(1 + below(4))
        func operation(_ members: (Names) -> String) -> Operation {
            func text(_ names: Names) -> String { #"{"section":"\#(section)",\#(members(names))}"# }
            return Operation(byIds: text(Names(ids: ids)), byIndexes: text(Names(ids: nil)))
        }
        let (new, place) = ((0..<below(3)).map { _ in item() }.joined(separator: ","), below(3))
        let neighbour = ids.isEmpty ? nil : below(ids.count)
        func at(_ name: Names) -> String {
            guard place > 0, let neighbour else { return "" }
            return #","\#(place == 1 ? "before" : "after")":\#(name(neighbour))"#
        }
        switch below(ids.isEmpty ? 2 : 9) {
        case 0: return operation { #""op":"insertItems","data":[\#(new)]\#(at($0))"# }
        case 1:
            let units = units()
            return operation { #""op":"insertItems","units":[\#(units)]\#(at($0))"# }
        case 2, 3:
            let id = identity()
            let patch = below(2) == 0 ? #"{"v":\#(newItems)}"# : #"{"id":"\#(id)","v":1}"#
            return operation { #""op":"patchItem","item":\#($0(named[0])),"patch":\#(patch)"# }
        case 4:
            let data = item()
            return operation { #""op":"replaceItem","item":\#($0(named[0])),"data":\#(data)"# }
        case 5:
            return operation { name in
                #""op":"deleteItems","items":[\#(named.map { name($0) }.joined(separator: ","))]"#
            }
        case 6: return operation { _ in #""op":"upsertItems","unitType":"LIST","data":[\#(new)]"# }
        default:
            let target = screen.ids[below(screen.ids.count)] ?? ""
            let to = target == section || place > 0 ? "" : #","toSection":"\#(target)""#
            return operation { name in
                let items = named.map { name($0) }.joined(separator: ",")
                return #""op":"moveItems","items":[\#(items)]\#(to)\#(at(name))"#
            }
        }
    }

    private mutating func onSections(_ screen: MadeScreen) -> Operation {
        let id = ["A", "B", "C", "D"][below(4)]
        let text =
            switch below(5) {
            case 0: #"{"op":"insertSections","sections":[\#(section(id))],"before":0}"#
            case 1: #"{"op":"extendSections","sections":[\#(section(id))]}"#
            case 2: #"{"op":"replaceSection","section":\#(section(id))}"#
            case 3: #"{"op":"moveSection","section":"\#(id)","before":0}"#
            default: #"{"op":"toggleSection","section":"\#(id)"}"#
            }
        return Operation(byIds: text, byIndexes: text)
    }
}

@Suite("The index of items during an update") struct ItemIndexTests {
    /// Limits with which the items are indexed after so many searches.
    private func limits(searches: Int) -> EditLimits {
        var limits = EditLimits()
        limits.searchesBeforeIndex = searches
        return limits
    }

    @Test(
        "Operations by ids in one update do what those by indexes do in updates of their own",
        arguments: [0, 1, 1 << 30])
    func histories(searches: Int) throws {
        let seed = SeededGenerator.seed(of: "ItemIndexTests")
        let catalog = try updateCatalog()
        var (done, failed) = (0, 0)
        for history in 0..<20 {
            var operations = NamedOperations(seed: seed &+ UInt64(history))
            // A screen of many pages has a directory as well.
            let count = history % 4 == 0 ? 10 : 1 + operations.below(3)
            let pages = (0..<count).map { _ in operations.page() }
            var model = try viewModel(pages, by: catalog)
            var applied: [String] = []
            for _ in 0..<25 {
                let operation = operations.next(try MadeScreen(model, catalog.registry))
                let outcome = try updated(texts(model), operation.byIndexes, by: catalog)
                guard case .pages(let pages) = outcome else {
                    failed += 1
                    continue
                }
                model = try viewModel(pages, by: catalog)
                applied.append(operation.byIds)
            }
            done += applied.count
            let together = try updated(
                pages, applied.joined(separator: ","), by: catalog,
                limits: limits(searches: searches))
            try #require(
                together == .pages(texts(model)),
                "seed \(seed), history \(history): \(pages) \(applied.joined(separator: ","))")
        }
        #expect(done > failed, "seed \(seed): \(done) done, \(failed) failed")
    }
}
