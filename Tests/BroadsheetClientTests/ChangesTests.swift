import BroadsheetClient
import Testing

@Suite("Applying changes (docs/changes.md)")
struct ChangesTests {
    /// Returns a tree of sections whose items have these ids.
    private func tree(_ sections: [[String]]) -> Tree {
        Tree(
            members: ["page": .number(0), "diagnostics": .array([])],
            sections: sections.enumerated().map { index, items in
                TreeSection(
                    members: ["id": .string("s\(index)")], items: items.map { item($0) })
            })
    }

    private func item(_ id: String, y: Double = 0) -> TreeItem {
        TreeItem(
            members: ["id": .string(id)], frame: TreeFrame(x: 0, y: y, width: 10, height: 10))
    }

    private func ids(_ tree: Tree) -> [[String]] {
        tree.sections.map { $0.items.map { $0.members["id"]?.text ?? "?" } }
    }

    private func changes(_ stages: [Changes.Stage]) -> Changes {
        Changes(
            from: Changes.Version(page: 0), to: Changes.Version(page: 0),
            content: .update(Changes.Update(members: ["page": .number(0)], stages: stages)))
    }

    private func place(_ section: Int, _ item: Int) -> Changes.ItemPlace {
        Changes.ItemPlace(section: section, item: item)
    }

    @Test("Places before and after the stage count in one stage of items and sections")
    func oneStage() throws {
        var stage = Changes.Stage()
        stage.deleteSections = [1]
        stage.insertSections = [.init(place: 0, value: tree([["n"]]).sections[0])]
        stage.deleteItems = [place(0, 0)]
        stage.insertItems = [.init(place: place(2, 0), value: item("i"))]
        stage.moveItems = [.init(from: place(0, 2), to: place(1, 0))]
        var result = tree([["a", "b", "c"], ["x"], ["d"]])
        try changes([stage]).apply(to: &result)
        #expect(ids(result) == [["n"], ["c", "b"], ["i", "d"]])
        #expect(result.members["diagnostics"] == .array([]))
    }

    @Test("A moved section takes its items with it")
    func movedSection() throws {
        var stage = Changes.Stage()
        stage.moveSections = [.init(from: 2, to: 0)]
        var result = tree([["a"], ["b"], ["c"]])
        try changes([stage]).apply(to: &result)
        #expect(ids(result) == [["c"], ["a"], ["b"]])
    }

    @Test("A tree, as JSON and back, is the same")
    func roundTrip() {
        let tree = tree([["a", "b"], []])
        #expect(Tree(tree.value) == tree)
    }

    /// A stage that does not fit a tree of the sections ["a", "b"] and ["c"], and its error.
    static let misfits: [(Changes.Stage, ChangesError)] = {
        func stage(_ change: (inout Changes.Stage) -> Void) -> Changes.Stage {
            var stage = Changes.Stage()
            change(&stage)
            return stage
        }
        let first = Changes.ItemPlace(section: 0, item: 0)
        let far = Changes.ItemPlace(section: 0, item: 9)
        let nowhere = Changes.ItemPlace(section: 7, item: 0)
        let item = TreeItem(
            members: [:], frame: TreeFrame(x: 0, y: 0, width: 0, height: 0))
        return [
            (stage { $0.deleteSections = [2] }, .noSection(2)),
            (stage { $0.deleteSections = [-1] }, .noSection(-1)),
            (stage { $0.deleteSections = [1, 1] }, .sectionNamedTwice(1)),
            (stage { $0.moveSections = [.init(from: 0, to: 5)] }, .noSection(5)),
            (stage { $0.deleteItems = [far] }, .noItem(far)),
            (stage { $0.deleteItems = [nowhere] }, .noItem(nowhere)),
            (stage { $0.deleteItems = [first, first] }, .itemNamedTwice(first)),
            (stage { $0.insertItems = [.init(place: far, value: item)] }, .noItem(far)),
            (stage { $0.insertItems = [.init(place: nowhere, value: item)] }, .noSection(7)),
            (stage { $0.reloadItems = [.init(place: far, value: item)] }, .noItem(far)),
            (
                stage {
                    $0.deleteSections = [0]
                    $0.deleteItems = [first]
                }, .itemInChangedSection(0)
            ),
            (
                stage {
                    $0.insertItems = [
                        .init(place: first, value: item), .init(place: first, value: item),
                    ]
                }, .itemNamedTwice(first)
            ),
        ]
    }()

    @Test("Changes that do not fit are an error and leave the tree as it was", arguments: misfits)
    func misfit(stage: Changes.Stage, error: ChangesError) {
        let before = tree([["a", "b"], ["c"]])
        var after = before
        #expect(throws: error) { try changes([stage]).apply(to: &after) }
        #expect(after == before)
    }

    @Test("Frames and members beyond the tree are an error")
    func beyond() {
        let frame = TreeFrame(x: 0, y: 0, width: 0, height: 0)
        let runs = [place(0, 1), place(5, 0), place(0, -1)].map {
            Changes.FrameRun(place: $0, frames: [frame, frame])
        }
        for run in runs {
            var tree = tree([["a", "b"], ["c"]])
            let update = Changes.Update(members: [:], frames: [run])
            #expect(throws: ChangesError.self) {
                try Changes(from: .init(), to: .init(), content: .update(update)).apply(to: &tree)
            }
        }
        var tree = tree([])
        let update = Changes.Update(members: [:], sections: [.init(index: 0, members: [:])])
        #expect(throws: ChangesError.noSection(0)) {
            try Changes(from: .init(), to: .init(), content: .update(update)).apply(to: &tree)
        }
    }
}
