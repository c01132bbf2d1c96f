import BroadsheetClient
import Testing

@testable import Broadsheet

@Suite("What the layout of a later version takes over") struct ReuseTests {
    private let catalog = #"""
        {"units": {"U": {"cells": {"type": "T"}}},
         "cellTypes": {"T": {"id": "/id", "size": {"width": 50, "height": {"value": "/h"}}}}}
        """#

    /// Returns a page with an own section of one item before and after that of all pages.
    private func page(_ number: Int, items: Int = 300, text: String = "") -> String {
        func section(_ id: String, _ items: [String]) -> String {
            #"{"sectionId": "\#(id)", "units": [{"unitType": "U", "unitData": [\#(items.joined(separator: ","))]}]}"#
        }
        let list = (0..<items).map {
            #"{"id": "\#(number)-\#($0)", "h": \#(20 + $0 % 3), "text": "\#(text)"}"#
        }
        let own = [#"{"id": "a", "h": 10}"#]
        return
            #"{"sections": [\#(section("before \(number)", own)), \#(section("list", list)), \#(section("after \(number)", own))]}"#
    }

    private func layout(
        _ model: PaginatedViewModel, _ registry: CellRegistry, reusing known: ReusableLayout? = nil
    ) -> ReusableLayout {
        ReusableLayout(
            model.merged(
                upTo: nil, below: nil, for: LayoutParameters(), registry: registry,
                reusing: known?.screen),
            LayoutParameters(), reusing: known)
    }

    @Test("Of an appended page, other sections are the same objects and frames are shared")
    func appended() throws {
        let registry = try Catalog(Array(catalog.utf8)).registry
        var model = PaginatedViewModel()
        for number in 0..<8 { try model.load(resolved(page(number), number: number, by: registry)) }
        let known = layout(model, registry)
        try model.load(resolved(page(8), number: 8, by: registry))
        let next = layout(model, registry, reusing: known)
        let (old, new) = (known.screen.sections, next.screen.sections)
        #expect(new.count == old.count + 2)
        for index in old.indices {
            #expect((new[index] === old[index]) == (old[index].id != "list"))
        }
        let list = try #require(old.firstIndex { $0.id == "list" })
        let (frames, newFrames) = (known.frames.sections[list], next.frames.sections[list])
        let shared = ChunkedList<Frame>.chunkCapacity
        #expect(frames.items.sharedCount(from: 0, with: newFrames.items, from: 0) == shared)
        #expect(newFrames.items.count == frames.items.count + 300)
        #expect(next.screen.continues(known.screen) && !known.screen.continues(next.screen))
    }

    @Test("Of an edited page, sections before and after it are the same objects")
    func edited() throws {
        let registry = try Catalog(Array(catalog.utf8)).registry
        var model = PaginatedViewModel()
        for number in 0..<9 { try model.load(resolved(page(number), number: number, by: registry)) }
        let known = layout(model, registry)
        try model.load(resolved(page(7, text: "new"), number: 7, by: registry))
        let next = layout(model, registry, reusing: known)
        let (old, new) = (known.screen.sections, next.screen.sections)
        #expect(new.count == old.count)
        let changed = new.indices.filter { new[$0] !== old[$0] }.map { new[$0].id }
        #expect(changed == ["list", "before 7", "after 7"])
        let list = try #require(old.firstIndex { $0.id == "list" })
        let items = (known.frames.sections[list].items, next.frames.sections[list].items)
        #expect(items.0.sharedCount(from: 0, with: items.1, from: 0) > 0)
        #expect(items.0 == items.1)
    }

    @Test("Of an edited page whose items keep their ids, no id is added to the table again")
    func ids() throws {
        let registry = try Catalog(Array(catalog.utf8)).registry
        var model = PaginatedViewModel()
        for number in 0..<9 { try model.load(resolved(page(number), number: number, by: registry)) }
        var known = layout(model, registry)
        /// Returns the number of items that the version with another page 1 adds to the table.
        func added(by text: String) throws -> Int {
            try model.load(resolved(text, number: 1, by: registry))
            let before = known.screen.sections.first { $0.id == "list" }?.ids?.addedItemCount
            known = layout(model, registry, reusing: known)
            let list = try #require(known.screen.sections.first { $0.id == "list" })
            #expect(Array(list.suffixes) == Array(ItemSuffix.suffixes(in: list.parts)))
            return try #require(list.ids).addedItemCount - (before ?? 0)
        }
        #expect(try added(by: page(1, text: "a")) == 9 * 300)
        for text in ["b", "c"] { #expect(try added(by: page(1, text: text)) == 0) }
        #expect(try added(by: page(1, items: 299)) == 8 * 300 - 1)
        // Ids of page 2, which get suffixes there, and then again their own.
        let others = page(1).replacing(#""id": "1-"#, with: #""id": "2-"#)
        #expect(try added(by: others) == 8 * 300)
        #expect(try added(by: others.replacing(#""text": """#, with: #""text": "b""#)) == 0)
    }

    @Test(
        "Sizes of items that have not changed are not computed again, but for those of a line",
        arguments: SectionLayout.Kind.allCases)
    func sizes(kind: SectionLayout.Kind) throws {
        var layout = SectionLayout()
        layout.kind = kind
        layout.compositional.itemSize = .dynamic
        layout.compositional.direction = .vertical
        let environment = LayoutEnvironment(viewport: Viewport())
        let sizes = (0..<10_100).map { Size(width: Double(30 + $0 % 7), height: 20) }
        let before = CountedSection(Array(sizes.prefix(10_000)), layout)
        let known = ArrangedScreen([before], in: environment)
        for (count, most) in [(10_100, 120), (9_000, 600)] {
            let section = CountedSection(Array(sizes.prefix(count)), layout)
            _ = section.frames(after: before, known, in: environment)
            let measured = section.measuredCount
            #expect(measured <= most && measured >= count - 10_000, "\(measured)")
        }
    }

    @Test("Versions of a section that are made at the same time have their own suffixes")
    func concurrency() async throws {
        let registry = try Catalog(Array(catalog.utf8)).registry
        func page(_ number: Int, _ ids: [Int]) throws -> ResolvedPage {
            let items = ids.map { #"{"id": "\#($0)", "h": 10}"# }.joined(separator: ",")
            return try resolved(
                #"{"sections": [{"sectionId": "S", "units": [{"unitType": "U", "unitData": [\#(items)]}]}]}"#,
                number: number, by: registry)
        }
        var model = PaginatedViewModel()
        try model.load(page(0, Array(0..<50)))
        let first = layout(model, registry)
        try model.load(page(1, Array(40..<90)))
        let known = layout(model, registry, reusing: first)
        let pages = try (0..<8).map { try page(2, Array($0 * 10..<$0 * 10 + 60)) }
        let expected = try pages.map { page in
            var next = model
            try next.load(page)
            return Array(try #require(layout(next, registry).screen.sections.first).suffixes)
        }
        let base = model
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<4 {
                group.addTask {
                    for step in 0..<40 {
                        let index = (task + step) % pages.count
                        var next = base
                        try next.load(pages[index])
                        let made = layout(next, registry, reusing: known)
                        #expect(
                            made.screen.sections.first.map { Array($0.suffixes) } == expected[index]
                        )
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
