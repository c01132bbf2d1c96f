import Broadsheet
import BroadsheetClient
import TestSupport
import Testing

@Suite("Presenters: pages")
struct ScreenPresenterTests {
    @Test("Pages merge by the ids of their sections, and each can be replaced and removed")
    func pages() throws {
        var presenter = try samplePresenter()
        #expect(presenter.ids == [["a", "b", "c", "d"], ["x", "y", "z"], []])
        #expect((presenter.page, presenter.pageCount) == (1, 2))
        #expect(presenter.hasPageData && !presenter.hasNext)
        try presenter.loadPage(1, hasNext: true, sections: [WareSection("A", ["e"])])
        #expect(presenter.ids == [["a", "b", "e"], ["x", "y", "z"]])
        #expect(presenter.hasNext)
        let removals = [presenter.removePage(0), presenter.removePage(0)]
        #expect(removals == [true, false])
        #expect(presenter.ids == [["e"]])
        presenter.removeAllPages()
        #expect(presenter.ids.isEmpty && !presenter.hasPageData && !presenter.hasNext)
    }

    @Test("Sections of one page, and the page of a section")
    func queries() throws {
        let presenter = try samplePresenter()
        let sections = try #require(presenter.sections(forPage: 1))
        #expect(sections.map(\.id) == ["A", "C"])
        #expect(try sections[0].items[1].data.decode(Ware.self) == Ware(id: "d"))
        #expect(presenter.sections(forPage: 2) == nil)
        #expect(presenter.findPage(containing: "A") == 1)
        #expect(presenter.findPage(containing: "B") == 0)
        #expect(presenter.findPage(containing: "D") == nil)
    }

    @Test("An extension is a page behind all others")
    func extend() throws {
        var presenter = ScreenPresenter(registry: try sampleCatalog().registry)
        try presenter.extendViewModel(hasNext: true, sections: [WareSection("A", ["a"])])
        try presenter.extendViewModel(
            page: 7, hasNext: true, sections: [WareSection("B", ["b"]), WareSection("A", ["c"])])
        try presenter.extendViewModel(hasNext: false, sections: [WareSection(nil, ["d"])])
        #expect(presenter.ids == [["a", "c"], ["b"], ["d"]])
        #expect(presenter.viewModel.pages.map(\.number) == [0, 7, 8])
        #expect(throws: PresenterError.notBehind(7, highest: 8)) {
            try presenter.extendViewModel(page: 7, hasNext: true, sections: [])
        }
        #expect(presenter.pageCount == 3)
    }

    @Test("A page that does not fit is refused with the reason, and nothing changes")
    func refused() throws {
        let limits = EditLimits(page: ScreenLimits(maxItems: 3))
        var presenter = ScreenPresenter(registry: try sampleCatalog().registry, limits: limits)
        try presenter.loadPage(0, hasNext: true, sections: [WareSection("A", ["a", "b"])])
        let page = try ServerStatePage(number: 4, sections: [])
        #expect(throws: PresenterError.tooMuch(.tooManyItems(limit: 3))) {
            try presenter.loadPage(1, hasNext: true, sections: [WareSection("A", ["c", "d"])])
        }
        #expect(throws: PresenterError.invalidNumber(3)) { try presenter.loadPage(3, page) }
        let unnumbered = try ServerStatePage(sections: [])
        for number in [-1, Int.min, ServerStatePage.maxNumber + 1, .max] {
            #expect(throws: PresenterError.invalidNumber(number)) {
                try presenter.loadPage(number, unnumbered)
            }
            let error = #expect(throws: PresenterError.self) {
                try presenter.loadPage(number, hasNext: true, sections: [])
            }
            #expect(error?.detail.hasPrefix("/page ") == true)
        }
        let endless = #expect(throws: PresenterError.self) {
            try presenter.loadPage(
                1, hasNext: true, sections: [WareSection(units: [WareUnit(unitData: [0.0 / 0])])])
        }
        #expect(endless?.detail.hasPrefix("/sections/0/units/0/unitData/0 is not JSON") == true)
        #expect(presenter.ids == [["a", "b"]])
        try presenter.loadPage(ServerStatePage.maxNumber, unnumbered)
        #expect(throws: PresenterError.self) {
            try presenter.extendViewModel(hasNext: true, sections: [])
        }
    }

    @Test("An action of an item is handled")
    func handle() async throws {
        var presenter = try samplePresenter()
        let tap = ClientEvent(action: "remove", section: "B", item: "y")
        let unhandled = try await presenter.handle([tap])
        for index in [Int.min, -1, 3, .max] {
            let event = ClientEvent(
                action: "remove", section: .index(index), item: .index(index))
            let other = ClientEvent(action: "remove", section: "B", item: .index(index))
            try await presenter.handle([event, other])
        }
        #expect(presenter.ids[1] == ["x", "y", "z"])
        var registry = presenter.registry
        registry.handle("remove", of: "Item") { action in
            [.deleteItems(section: action.section, .some([action.item]))]
        }
        let before = presenter
        presenter = ScreenPresenter(registry: registry)
        presenter.viewModel = before.viewModel
        let changes = try await presenter.handle([tap])
        #expect(presenter.ids[1] == ["x", "z"])
        #expect(changes.content == presenter.changes(since: before).content)
        #expect(changes.content != unhandled.content)
    }

    @Test("Parameters apply at once, and a copy is a snapshot")
    func snapshots() throws {
        var presenter = try samplePresenter()
        let before = presenter
        presenter.parameters.collapsed = ["B"]
        try presenter.deleteItem(at: .init(section: 0, item: 0))
        #expect(presenter.ids == [["b", "c", "d"], [], []])
        #expect(before.ids == [["a", "b", "c", "d"], ["x", "y", "z"], []])
        var tree = before.tree
        try presenter.changes(since: before).apply(to: &tree)
        #expect(tree == presenter.tree)
        let first = try #require(presenter.laidOut.sections.first)
        let heights: [Double] = first.items.map(\.frame.height)
        #expect(heights == [20, 20, 20])
    }

    @Test("P12: the next page is requested once until it is loaded, or could not be loaded")
    func nextPage() throws {
        var presenter = try samplePresenter()
        let requested = Recorder<Int>()
        presenter.onNextRequest { requested.record($0.page + 1) }
        let atTheLast = presenter.scrolled(to: 1000, contentLength: 1000)
        try presenter.loadPage(1, hasNext: true, sections: [WareSection("A", ["c"])])
        let isDue = [0.0, 1, 1].map { presenter.scrolled(to: $0, contentLength: 3 * 844) }
        presenter.isLoading = false
        let again = presenter.scrolled(to: 1, contentLength: 3 * 844)
        try presenter.extendViewModel(hasNext: true, sections: [])
        let loaded = presenter.scrolled(to: 1, contentLength: 3 * 844)
        #expect(!atTheLast)
        #expect(isDue == [false, true, false])
        #expect(again && loaded)
        #expect(requested.values == [2, 2, 3])
    }

    @Test("P12: without sections, or in content of any length that is not finite")
    func nextPageOfNothing() throws {
        var presenter = ScreenPresenter(
            registry: CellRegistry(screen: .init(direction: .horizontal)))
        let unset = presenter.scrolled(to: .nan, contentLength: .infinity)
        presenter.onNextRequest { _ in }
        let withoutNext = presenter.scrolled(to: 0, contentLength: 0)
        try presenter.loadPage(0, hasNext: true, sections: [])
        let withoutSections = presenter.scrolled(to: .nan, contentLength: .infinity)
        #expect(!unset && !withoutNext && withoutSections)
    }

    @Test("P11: the pages of a carousel appear and disappear in order")
    func pageEvents() {
        var presenter = ScreenPresenter()
        let events = Recorder<String>()
        presenter.onPageWillAppear { events.record("will appear \($0)") }
        presenter.onPageDidAppear { events.record("did appear \($0)") }
        presenter.onPageWillDisappear { events.record("will disappear \($0)") }
        presenter.onPageDidDisappear { events.record("did disappear \($0)") }
        presenter.pageDragBegan()
        presenter.pageScrolled(to: 1)
        presenter.pageScrolled(to: 1)
        presenter.pageCameToRest()
        #expect(presenter.currentPage == 1)
        #expect(
            events.values == [
                "will disappear 0", "did disappear 0", "will appear 1", "did appear 1",
            ])
    }
}

extension WareSection {
    /// Creates an unnamed section of units.
    fileprivate init(units: [WareUnit]) {
        self.init(nil, [])
        self.units = units
    }
}
