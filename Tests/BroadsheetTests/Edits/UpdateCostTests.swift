import Broadsheet
import TestSupport
import Testing

@Suite("The cost of updates (docs/edits.md, Cost)") struct UpdateCostTests {
    /// Returns a page of one section A of a list.
    private func page(_ ids: [String]) -> String {
        let items = ids.map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
        return #"{"s":[{"id":"A","u":[{"t":"LIST","d":[\#(items)]}]}]}"#
    }

    /// Returns a screen of pages of ten items each, from `i0` on.
    private func screen(pages: Int, by catalog: Catalog) throws -> PaginatedViewModel {
        try viewModel(
            (0..<pages).map { number in page((0..<10).map { "i\(number * 10 + $0)" }) },
            by: catalog)
    }

    @Test("A page is opened, written and resolved once, however many operations touch it")
    func stages() throws {
        let catalog = try updateCatalog()
        var model = try screen(pages: 20, by: catalog)
        let patches = try (0..<1000).map { try value(#"{"v":\#($0)}"#) }
        var (opened, written, resolved) = (0, 0, 0)
        let numbers = try model.update(
            LayoutParameters(), registry: catalog.registry, limits: EditLimits(),
            reserving: { stage in
                switch stage {
                case .opening: opened += 1
                case .writing: written += 1
                case .resolving: resolved += 1
                case .reading, .listing: break
                }
                return true
            }
        ) { updater throws(EditError) in
            for (index, patch) in patches.enumerated() {
                try updater.patchItem(
                    section: "A", item: .id("i\(70 + index % 20)"), patch: patch)
            }
        }
        #expect(numbers == [7, 8])
        #expect((opened, written, resolved) == (2, 2, 2))
        #expect(texts(model)[7].contains(#"{"id":"i79","v":989}"#))
    }

    @Test("The directory of items remains after an update that fails, and copies share it")
    func directory() throws {
        let catalog = try updateCatalog()
        let model = try screen(pages: 20, by: catalog)
        var (copy, other) = (model, model)
        try other.load(resolved(page(["late"]), number: 20, by: catalog))
        #expect(throws: EditError.self) {
            try copy.updatePages(registry: catalog.registry) { updater throws(EditError) in
                try updater.deleteItems(section: "A", .some(["none"]))
            }
        }
        let patch = try value(#"{"v":1}"#)
        let directory = try #require(model.directory)
        #expect(copy.directory === directory)
        #expect(directory.byteCount >= 200 * 16)
        // The other copy had another page before the directory existed.
        #expect(other.directory == nil)
        for (number, name) in [(20, "late"), (3, "i35")] {
            let numbers = try other.updatePages(registry: catalog.registry) {
                updater throws(EditError) in
                try updater.patchItem(section: "A", item: .id(name), patch: patch)
            }
            #expect(numbers == [number])
        }
        try copy.load(resolved(page(["later"]), number: 21, by: catalog))
        #expect(copy.directory === directory)
        let numbers = try copy.updatePages(registry: catalog.registry) {
            updater throws(EditError) in
            try updater.patchItem(section: "A", item: "later", patch: patch)
        }
        #expect(numbers == [21])
    }

    @Test("An id names the item that has it in the tree, whichever items have equal identities")
    func numberedIds() throws {
        let seed = SeededGenerator.seed(of: "UpdateCostTests")
        let catalog = try updateCatalog()
        let patch = try value(#"{"v":1}"#)
        var random = SeededGenerator(seed: seed)
        let choices = [
            "a", "a", "b", "a#2", "a#3", "a#2#2", "a#02", "b#2", "c#2", "#2", "p0.u0.e1",
        ]
        for round in 0..<40 {
            let pages = (0..<(round % 2 == 0 ? 1 : 12)).map { _ in
                page((0..<4).map { _ in choices[Int(random.next() % UInt64(choices.count))] })
            }
            let model = try viewModel(pages, by: catalog)
            let ids = try #require(
                model.merged(registry: catalog.registry).sections.first
            ).idsInTree
            #expect(Set(ids).count == ids.count)
            for (index, id) in ids.enumerated() {
                let outcomes = try [UpdateTarget.id(id), .index(index)].map { target in
                    var edited = model
                    try edited.updatePages(registry: catalog.registry) {
                        updater throws(EditError) in
                        try updater.patchItem(section: "A", item: target, patch: patch)
                    }
                    return texts(edited)
                }
                #expect(outcomes[0] == outcomes[1], "seed \(seed), round \(round): \(id)")
            }
        }
    }

    @Test(
        "Many items of one operation are found by ids, by indexes, and by both", arguments: [2, 30])
    func manyNames(pages: Int) throws {
        let catalog = try updateCatalog()
        let model = try screen(pages: pages, by: catalog)
        let indexes = (0..<pages * 10).filter { $0 % 3 == 0 || $0 > pages * 10 - 5 }.reversed()
        let outcomes = try [0, 1, 2].map { kind in
            var edited = model
            let targets = indexes.map { index in
                kind == 0 || kind == 2 && index.isMultiple(of: 2)
                    ? UpdateTarget.index(index) : .id("i\(index)")
            }
            try edited.updatePages(registry: catalog.registry) { updater throws(EditError) in
                try updater.moveItems(section: "A", items: targets, .before("i1"))
            }
            return texts(edited)
        }
        #expect(outcomes[0] == outcomes[1])
        #expect(outcomes[0] == outcomes[2])
        let moved = indexes.map { #"{"id":"i\#($0)"}"# }.joined(separator: ",")
        #expect(outcomes[0][0].contains(moved + #",{"id":"i1"}"#))
        #expect(throws: EditError.self) {
            var edited = model
            let targets = (0..<20).map { UpdateTarget.index($0 * pages) }
            try edited.updatePages(registry: catalog.registry) { updater throws(EditError) in
                try updater.deleteItems(section: "A", .some(targets + [.index(pages * 10)]))
            }
        }
    }
}

/// Returns the value of a JSON text.
private func value(_ text: String) throws -> JSONValue {
    try JSONDocument(Array(text.utf8)).root
}

extension MergedSection {
    /// The ids of the items as they are in the tree.
    fileprivate var idsInTree: [String] {
        var ids = parts.flatMap { part in
            part.cells.map { String(decoding: part.page.text(of: $0.id), as: UTF8.self) }
        }
        for suffix in suffixes { ids[suffix.item] += "#\(suffix.number)" }
        return ids
    }
}
