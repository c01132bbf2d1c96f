import BroadsheetClient
import TestSupport
import Testing

@Suite("The batch updates of a collection view (docs/changes.md, \"UICollectionView\")")
struct CollectionViewBatchTests {
    /// A section whose items have index paths of their own, one that scrolls by itself, and a
    /// carousel with copies.
    enum Kind: CaseIterable {
        case items, scroller, copies

        fileprivate var members: [String: TreeValue] {
            switch self {
            case .items: [:]
            case .scroller: ["scroll": ["contentSize": ["width": 400, "height": 80]]]
            case .copies: ["paging": ["copies": 3, "pageLength": 60]]
            }
        }
    }

    private func section(_ kind: Kind, _ ids: String...) -> TreeSection {
        TreeSection(members: kind.members, items: ids.map(item))
    }

    private func item(_ id: String) -> TreeItem {
        TreeItem(
            members: ["id": .string(id)], frame: TreeFrame(x: 0, y: 0, width: 10, height: 10))
    }

    private func place(_ section: Int, _ item: Int) -> Changes.ItemPlace {
        Changes.ItemPlace(section: section, item: item)
    }

    private func changes(_ stages: [Changes.Stage]) -> Changes {
        Changes(
            from: .init(), to: .init(),
            content: .update(Changes.Update(members: [:], stages: stages)))
    }

    /// Returns the batch of a stage alone, whose counts agree.
    private func batch(
        of stage: Changes.Stage, from sections: [TreeSection]
    ) throws -> CollectionViewBatch {
        let before = Tree(members: [:], sections: sections)
        var after = before
        try stage.apply(to: &after)
        let batches = try #require(
            CollectionViewBatch.batches(of: changes([stage]), from: before, to: after))
        let batch = try #require(batches.first)
        #expect(batches.count == 1 && batch.tree == after)
        expectCounts(of: batch, from: before)
        return batch
    }

    /// Expects what UIKit requires: nothing is named twice or beside its section, all places exist,
    /// and each section has as many items after the batch as before, less those that leave, with
    /// those that come.
    private func expectCounts(of batch: CollectionViewBatch, from before: Tree) {
        func counts(_ tree: Tree) -> [Int] {
            let layout = TreeLayout(tree)
            return tree.sections.indices.map { layout.itemCount(in: $0) }
        }
        let (old, new) = (counts(before), counts(batch.tree))
        let leaving = batch.deleteItems + batch.moveItems.map(\.from) + batch.reloadItems
        let coming = batch.insertItems + batch.moveItems.map(\.to)
        #expect(Set(leaving).count == leaving.count && Set(coming).count == coming.count)
        #expect(leaving.allSatisfy { old.indices ~= $0.section && 0..<old[$0.section] ~= $0.item })
        #expect(coming.allSatisfy { new.indices ~= $0.section && 0..<new[$0.section] ~= $0.item })

        let gone = batch.deleteSections + batch.moveSections.map(\.from)
        let named = gone + batch.reloadSections
        #expect(Set(named).count == named.count && named.allSatisfy { old.indices ~= $0 })
        let placed = batch.insertSections + batch.moveSections.map(\.to)
        #expect(old.count - gone.count + placed.count == new.count)
        var rest = old.indices.filter { !gone.contains($0) }[...]
        for section in new.indices where !placed.contains(section) {
            guard let origin = rest.popFirst(), !batch.reloadSections.contains(origin) else {
                continue
            }
            let less = (batch.deleteItems + batch.moveItems.map(\.from)).filter {
                $0.section == origin
            }
            let more = coming.filter { $0.section == section }
            #expect(old[origin] - less.count + more.count == new[section])
        }
        #expect(leaving.allSatisfy { !named.contains($0.section) })
        #expect(coming.allSatisfy { !placed.contains($0.section) })
    }

    @Test("The items of other sections have the places of the stage")
    func places() throws {
        var stage = Changes.Stage()
        stage.deleteItems = [place(0, 0)]
        stage.insertItems = [.init(place: place(1, 1), value: item("n"))]
        stage.moveItems = [.init(from: place(0, 2), to: place(1, 0))]
        let batch = try batch(
            of: stage, from: [section(.items, "a", "b", "c"), section(.items, "d")])
        #expect(batch.deleteItems == [place(0, 0)] && batch.insertItems == [place(1, 1)])
        #expect(batch.moveItems == stage.moveItems && batch.reloadSections.isEmpty)
        var reload = Changes.Stage()
        reload.reloadItems = [.init(place: place(0, 1), value: item("x"))]
        let reloads = try self.batch(of: reload, from: [section(.items, "a", "b")])
        #expect(reloads.reloadItems == [place(0, 1)] && reloads.reloadSections.isEmpty)
    }

    @Test(
        "A section with a scroller or copies is reloaded where its items change",
        arguments: [Kind.scroller, .copies])
    func reloads(kind: Kind) throws {
        let sections = [section(.items, "a"), section(kind, "b", "c")]
        var stages = [Changes.Stage](repeating: .init(), count: 4)
        stages[0].deleteItems = [place(1, 0)]
        stages[1].insertItems = [.init(place: place(1, 2), value: item("n"))]
        stages[2].moveItems = [.init(from: place(1, 0), to: place(1, 1))]
        stages[3].reloadItems = [.init(place: place(1, 1), value: item("x"))]
        for stage in stages {
            let batch = try batch(of: stage, from: sections)
            #expect(batch.reloadSections == [1])
            #expect(batch.deleteItems.isEmpty && batch.insertItems.isEmpty)
            #expect(batch.moveItems.isEmpty && batch.reloadItems.isEmpty)
        }
    }

    @Test("A move out of such a section is an insertion, and one into it a deletion")
    func moves() throws {
        var stage = Changes.Stage()
        stage.moveItems = [
            .init(from: place(0, 0), to: place(1, 0)), .init(from: place(1, 1), to: place(0, 0)),
            .init(from: place(2, 0), to: place(1, 2)),
        ]
        let batch = try batch(
            of: stage,
            from: [section(.items, "a"), section(.copies, "b", "c"), section(.scroller, "d")])
        #expect(batch.deleteItems == [place(0, 0)] && batch.insertItems == [place(0, 0)])
        #expect(batch.moveItems.isEmpty && batch.reloadSections == [1, 2])
    }

    @Test("A section that is reloaded has the index before the batch")
    func indexes() throws {
        var stage = Changes.Stage()
        stage.deleteSections = [1]
        stage.insertSections = [
            .init(place: 0, value: section(.items, "n")),
            .init(place: 1, value: section(.copies, "m")),
        ]
        stage.moveSections = [.init(from: 0, to: 3)]
        stage.insertItems = [.init(place: place(2, 0), value: item("i"))]
        let batch = try batch(
            of: stage,
            from: [section(.copies, "a"), section(.items, "b"), section(.scroller, "c")])
        #expect(batch.reloadSections == [2] && batch.insertItems.isEmpty)
        #expect(batch.deleteSections == [1] && batch.insertSections == [0, 1])
        #expect(batch.moveSections == stage.moveSections)
    }

    /// The members of two states of a section, and whether it is reloaded between them.
    static let members: [(old: [String: TreeValue], new: [String: TreeValue], isReloaded: Bool)] = {
        func view(_ data: TreeValue, height: TreeValue = 10) -> TreeValue {
            [
                "type": "T", "data": data,
                "frame": ["x": 0, "y": 0, "width": 9, "height": height],
            ]
        }
        let scroll = Kind.scroller.members
        return [
            (["header": view(1)], ["header": view(2)], true),
            (["header": view(1)], ["header": view(1, height: 20)], false),
            ([:], ["footer": view(1)], true), (["footer": view(1)], [:], true),
            (["data": 1], ["data": 2], true), (["collapsed": true], ["collapsed": false], true),
            (["frame": [:]], ["frame": ["x": 1]], false),
            (["decorations": []], ["decorations": [1]], false),
            ([:], scroll, true), ([:], Kind.copies.members, true),
            (scroll, ["scroll": ["contentSize": ["width": 500, "height": 80]]], true),
            (Kind.copies.members, ["paging": ["copies": 2, "pageLength": 60]], true),
            (Kind.copies.members, ["paging": ["copies": 3, "pageLength": 90]], false),
        ]
    }()

    @Test("A section with another header, footer, data or scroller is reloaded at the end")
    func sections() throws {
        for (old, new, isReloaded) in Self.members {
            let rest = TreeSection(members: [:], items: [])
            let before = Tree(
                members: [:], sections: [rest, TreeSection(members: old, items: [item("a")])])
            var after = before
            after.sections[1].members = new
            let batches = try #require(
                CollectionViewBatch.batches(of: changes([]), from: before, to: after))
            #expect(batches.map(\.reloadSections) == (isReloaded ? [[1]] : []), "\(old) \(new)")
            for batch in batches {
                #expect(batch.tree == after)
                expectCounts(of: batch, from: before)
            }
        }
    }

    @Test("The frames of items are shown by the scroller around them, and else by the layout")
    func frames() {
        for kind in Kind.allCases {
            let before = Tree(members: [:], sections: [section(kind, "a")])
            var after = before
            after.sections[0].items[0].frame.x = 5
            let batches = CollectionViewBatch.batches(of: changes([]), from: before, to: after)
            #expect(batches?.map(\.reloadSections) == (kind == .scroller ? [[0]] : []))
        }
    }

    @Test("Without changes, and with those of another tree, there are no batches")
    func otherTrees() {
        let tree = Tree(members: [:], sections: [section(.items, "a")])
        let longer = Tree(members: [:], sections: [section(.items, "a", "b")])
        var stage = Changes.Stage()
        stage.insertItems = [.init(place: place(0, 1), value: item("b"))]
        let reset = Changes(from: .init(), to: .init(), content: .reset(tree))
        #expect(CollectionViewBatch.batches(of: nil, from: tree, to: tree) == nil)
        #expect(CollectionViewBatch.batches(of: reset, from: tree, to: tree) == nil)
        let fitting = changes([stage])
        #expect(CollectionViewBatch.batches(of: fitting, from: tree, to: longer)?.count == 1)
        #expect(CollectionViewBatch.batches(of: fitting, from: longer, to: longer) == nil)
        let empty = Tree(members: [:], sections: [])
        #expect(CollectionViewBatch.batches(of: fitting, from: empty, to: longer) == nil)
    }

    @Test("Whatever moves, the numbers of items agree before and after a batch")
    func random() throws {
        let name = "CollectionViewBatchTests.random"
        var random = SeededGenerator(seed: SeededGenerator.seed(of: name))
        for _ in 0..<300 {
            let sections = (0..<Int.random(in: 1...5, using: &random)).map { _ in
                TreeSection(
                    members: Kind.allCases.randomElement(using: &random)?.members ?? [:],
                    items: (0..<Int.random(in: 0...4, using: &random)).map { item("\($0)") })
            }
            let stage = stage(of: sections, using: &random)
            _ = try batch(of: stage, from: sections)
        }
    }

    /// Returns a stage in which sections and items are deleted, inserted and moved.
    private func stage(
        of sections: [TreeSection], using random: inout SeededGenerator
    ) -> Changes.Stage {
        var stage = Changes.Stage()
        var moved: [Int] = []
        // The sections after the stage by their indexes before it; nil for an inserted one.
        var order: [Int?] = []
        for index in sections.indices {
            switch Int.random(in: 0..<6, using: &random) {
            case 0: stage.deleteSections.append(index)
            case 1: moved.append(index)
            default: order.append(index)
            }
        }
        let staying = order.compactMap(\.self)
        for section in moved.map(Optional.some) + [nil] {
            order.insert(section, at: .random(in: 0...order.count, using: &random))
        }
        for (place, section) in order.enumerated() {
            if section == nil {
                stage.insertSections.append(.init(place: place, value: self.section(.copies, "n")))
            } else if let section, moved.contains(section) {
                stage.moveSections.append(.init(from: section, to: place))
            }
        }
        addItems(to: &stage, of: sections, staying, order, using: &random)
        return stage
    }

    /// Deletes, inserts and moves items of the sections that stay.
    private func addItems(
        to stage: inout Changes.Stage, of sections: [TreeSection], _ staying: [Int],
        _ order: [Int?], using random: inout SeededGenerator
    ) {
        // The items after the stage: their places before it, nil for those that are inserted.
        var lists: [Int: [Changes.ItemPlace?]] = [:]
        var moved: [Changes.ItemPlace] = []
        for section in staying {
            for item in sections[section].items.indices {
                switch Int.random(in: 0..<4, using: &random) {
                case 0: stage.deleteItems.append(place(section, item))
                case 1: moved.append(place(section, item))
                default: lists[section, default: []].append(place(section, item))
                }
            }
        }
        for item in moved.map(Optional.some) + [nil] {
            guard let section = staying.randomElement(using: &random) else { continue }
            let count = lists[section]?.count ?? 0
            lists[section, default: []].insert(
                item, at: .random(in: 0...count, using: &random))
        }
        for (after, section) in order.enumerated() {
            for (index, from) in (section.flatMap { lists[$0] } ?? []).enumerated() {
                guard let from else {
                    stage.insertItems.append(.init(place: place(after, index), value: item("n")))
                    continue
                }
                if moved.contains(from) {
                    stage.moveItems.append(.init(from: from, to: place(after, index)))
                }
            }
        }
    }
}
