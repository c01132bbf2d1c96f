import Broadsheet
import TestSupport
import Testing

@Suite("The cost of operations on sections (docs/edits.md, Cost)") struct SectionCostTests {
    /// A kind of operation on a screen of many sections, `s0`, `s1` and so on.
    enum Kind: CaseIterable {
        case moveByID, moveByIndex, moveToIndex, replace, replaceAtPlace, deleteAndInsert
        case insertUnits, insertAtIndex, insertInMany, patchAfterMove

        /// Returns the operations of a number on a screen of so many sections.
        fileprivate func operations(_ number: Int, _ count: Int) -> String {
            let (one, other) = (number * 7 % count, (number * 7 + count / 2) % count)
            let section = #"{"id":"s\#(one)","u":[{"t":"LIST","d":[{"id":"n"}]}]}"#
            let move = #"{"op":"moveSection","section":"s\#(one)","after":"s\#(other)"}"#
            return switch self {
            case .moveByID: move
            case .moveByIndex: #"{"op":"moveSection","section":\#(one),"before":\#(other)}"#
            case .moveToIndex:
                // Never the section that is the first one.
                #"{"op":"moveSection","section":"s\#((one + 1) % count)","before":0}"#
            case .replace: #"{"op":"replaceSection","section":\#(section)}"#
            case .replaceAtPlace:
                #"{"op":"replaceSection","section":\#(section),"after":"s\#(other)"}"#
            case .deleteAndInsert:
                #"{"op":"deleteSections","sections":["s\#(one)"]},"#
                    + #"{"op":"insertSections","sections":[\#(section)],"after":"s\#(other)"}"#
            case .insertUnits:
                #"{"op":"insertItems","section":"s0","units":[{"t":"HEAD","d":{}}]}"#
            case .insertAtIndex:
                #"{"op":"insertItems","section":"s0","before":0,"units":[{"t":"LIST","d":[{"id":"n"}]}]}"#
            case .insertInMany:
                #"{"op":"insertItems","section":"s\#(one)","units":[{"t":"HEAD","d":{}}]}"#
            case .patchAfterMove:
                #"\#(move),{"op":"patchItem","section":"s\#(one)","item":0,"patch":{"v":1}}"#
            }
        }
    }

    /// Returns the pages of a screen: one for each section, or one for all.
    private func pages(_ count: Int, isSpread: Bool) -> [String] {
        let sections = (0..<count).map {
            #"{"id":"s\#($0)","u":[{"t":"LIST","d":[{"id":"i"}]}]}"#
        }
        if isSpread { return sections.map { #"{"s":[\#($0)]}"# } }
        return [#"{"s":[\#(sections.joined(separator: ","))]}"#]
    }

    /// Applies operations as one update, and returns their work.
    private func work(
        _ kind: Kind, _ numbers: Range<Int>, on count: Int, isSpread: Bool
    ) throws -> EditWork {
        let catalog = try updateCatalog()
        var model = try viewModel(pages(count, isSpread: isSpread), by: catalog)
        let text = numbers.map { kind.operations($0, count) }.joined(separator: ",")
        let update = try ScreenUpdate(
            JSONDocument(Array(#"{"operations": [\#(text)]}"#.utf8)),
            names: catalog.registry.names)
        var work = EditWork()
        try model.updatePages(registry: catalog.registry) { updater throws(EditError) in
            for operation in update.operations { try updater.apply(operation) }
            work = updater.work
        }
        return work
    }

    @Test(
        "After a few passes over the sections, an operation takes as long among twenty times as many",
        arguments: Kind.allCases, [true, false])
    func scaling(_ kind: Kind, isSpread: Bool) throws {
        let count = 100
        let steps = try [150, 3_000].map { sections in
            let few = try work(kind, 0..<20, on: sections, isSpread: isSpread)
            let many = try work(kind, 0..<20 + count, on: sections, isSpread: isSpread)
            return (many.steps - few.steps) / count
        }
        // A search in a list of chunks grows with their number.
        #expect(steps[1] <= 2 * steps[0] + 500, "\(kind): \(steps)")
    }

    @Test("A section in all pages is moved without a pass over them")
    func sharedSection() throws {
        let catalog = try updateCatalog()
        var passed: [Int] = []
        for count in [50, 1_000] {
            let first = #"{"s":[{"id":"A","u":[]},{"id":"B","u":[]},{"id":"C","u":[]}]}"#
            let others = Array(repeating: #"{"s":[{"id":"A","u":[]}]}"#, count: count)
            var model = try viewModel([first] + others, by: catalog)
            try model.updatePages(registry: catalog.registry) { updater throws(EditError) in
                try updater.moveSection(section: "A", .after("B"))
                try updater.moveSection(section: "A", .after("C"))
                let before = updater.work.passedSections
                for _ in 0..<50 {
                    try updater.moveSection(section: "A", .before("B"))
                    try updater.moveSection(section: "A", .after("C"))
                }
                passed.append(updater.work.passedSections - before)
            }
        }
        #expect(passed[1] <= passed[0] + 100, "\(passed)")
    }

    @Test("Random operations on hundreds of sections leave what they leave of a list")
    func history() throws {
        let seed = SeededGenerator.seed(of: "SectionCostTests")
        var random = SeededGenerator(seed: seed)
        let catalog = try updateCatalog()
        // The ids of the sections of each page.
        var model = [(0..<300).map { "s\($0)" }, ["t0"], (0..<200).map { "u\($0)" }]
        var screen = try viewModel(model.map(Self.page), by: catalog)
        var operations: [String] = []
        func place() -> (page: Int, index: Int)? {
            guard let page = [0, 1, 2, 2, 0].randomElement(using: &random), !model[page].isEmpty
            else { return nil }
            return (page, Int.random(in: 0..<model[page].count, using: &random))
        }
        func name(_ place: (page: Int, index: Int)) -> String {
            let index = model[..<place.page].reduce(0) { $0 + $1.count } + place.index
            return Bool.random(using: &random)
                ? "\(index)" : #""\#(model[place.page][place.index])""#
        }
        for number in 0..<900 {
            guard let one = place(), let other = place(), one != other else { continue }
            let id = model[one.page][one.index]
            let isAfter = Bool.random(using: &random)
            let position = #""\#(isAfter ? "after" : "before")":\#(name(other))"#
            let section = #"{"id":"\#(id)","u":[]}"#
            let otherID = model[other.page][other.index]
            let moves = Int.random(in: 0..<4, using: &random)
            switch moves {
            case 0: operations.append(#"{"op":"moveSection","section":\#(name(one)),\#(position)}"#)
            case 1:
                operations.append(#"{"op":"replaceSection","section":\#(section),\#(position)}"#)
            case 2: operations.append(#"{"op":"deleteSections","sections":[\#(name(one))]}"#)
            default:
                let new = #"{"id":"n\#(number)","u":[]}"#
                operations.append(#"{"op":"insertSections","sections":[\#(new)],\#(position)}"#)
            }
            if moves < 3 { model[one.page].remove(at: one.index) }
            if moves != 2 {
                let index = try #require(model[other.page].firstIndex(of: otherID))
                model[other.page].insert(
                    moves == 3 ? "n\(number)" : id, at: index + (isAfter ? 1 : 0))
            }
        }
        let update = try ScreenUpdate(
            JSONDocument(Array(#"{"operations":[\#(operations.joined(separator: ","))]}"#.utf8)),
            names: catalog.registry.names)
        try screen.updatePages(registry: catalog.registry) { updater throws(EditError) in
            for operation in update.operations { try updater.apply(operation) }
        }
        #expect(texts(screen) == model.map(Self.page), "seed \(seed)")
    }

    private static func page(_ ids: [String]) -> String {
        #"{"s":[\#(ids.map { #"{"id":"\#($0)","u":[]}"# }.joined(separator: ","))]}"#
    }
}
