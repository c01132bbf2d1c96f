import Broadsheet
import Testing

@Suite("Paginated view model") struct PaginatedViewModelTests {
    private func page(
        _ number: Int, items: Int = 1, sections: [String] = ["A"], hasNext: Bool = false
    ) throws -> ResolvedPage {
        let units = Array(repeating: #"{"unitType": "ONE"}"#, count: items).joined(separator: ",")
        let posted = sections.map { #"{"sectionId": "\#($0)", "units": [\#(units)]}"# }
        return try resolved(
            #"{"hasNext": \#(hasNext), "sections": [\#(posted.joined(separator: ","))]}"#,
            number: number, by: sampleCatalog())
    }

    private func numbers(_ model: PaginatedViewModel) -> [Int] { model.pages.map(\.number) }

    @Test("A new view model is empty")
    func empty() {
        let model = PaginatedViewModel()
        #expect(model.page == 0)
        #expect(!model.hasNext)
        #expect(model.pageCount == 0)
        #expect(!model.hasPageData)
        #expect(model.itemCount == 0)
        #expect(model.sectionCount == 0)
        #expect(model.lowestPage == nil)
        #expect(model.highestPage == nil)
        #expect(model.page(after: -1) == nil)
        #expect(model.pages(containing: "A").isEmpty)
        #expect(model.storedPage(0) == nil)
    }

    @Test("A view model has the last loaded page, the stored pages and their neighbours")
    func state() throws {
        var model = PaginatedViewModel()
        try model.load(page(4, items: 2, sections: ["A", "B"], hasNext: true))
        try model.load(page(1, items: 3, sections: ["B"]))
        #expect(model.page == 1)
        #expect(model.hasNext)
        #expect(model.pageCount == 2)
        #expect(model.hasPageData)
        #expect(model.itemCount == 7)
        #expect(model.sectionCount == 3)
        #expect(model.lowestPage == 1)
        #expect(model.highestPage == 4)
        #expect([0, 1, 3, 4, Int.max].map { model.page(after: $0) } == [1, 4, 4, nil, nil])
        #expect(model.page(after: Int.min) == 1)
        #expect(model.storedPage(4)?.sections.map(\.identifier) == ["A", "B"])
        #expect(model.storedPage(2) == nil)
        #expect(model.pages(containing: "A").map(\.number) == [4])
        #expect(model.pages(containing: "B").map(\.number) == [4, 1])
        #expect(model.pages(containing: "C").isEmpty)
    }

    @Test("A page replaces the page of the same number in all counts")
    func replace() throws {
        var model = PaginatedViewModel()
        try model.load(page(0, items: 5, sections: ["A", "B"], hasNext: true))
        try model.load(page(1, items: 1))
        try model.load(page(0, items: 2, sections: ["C"]))
        #expect(numbers(model) == [0, 1])
        #expect(model.itemCount == 3)
        #expect(model.sectionCount == 2)
        #expect(model.page == 0)
        #expect(model.pages(containing: "B").isEmpty)
    }

    @Test("Replacing all pages keeps equal objects, and beyond a limit all pages that there were")
    func replaceAll() throws {
        var model = PaginatedViewModel(limits: ScreenLimits(maxItems: 6, maxPages: 3))
        for number in [2, 0, 1] { try model.load(page(number, items: 2)) }
        let before = model
        let kept = try #require(model.storedPage(1))
        try model.replacePages(by: [page(7, hasNext: true), kept])
        #expect(numbers(model) == [1, 7])
        #expect(model.storedPage(1) === kept)
        #expect(model.page == 7 && model.hasNext)
        #expect(model.itemCount == 3 && model.sectionCount == 2)
        let tooMuch = try [page(0, items: 6), kept]
        #expect(throws: ViewModelError.tooManyItems(limit: 6)) {
            try model.replacePages(by: tooMuch)
        }
        #expect(numbers(model) == [1, 7] && model.itemCount == 3)
        #expect(numbers(before) == [0, 1, 2] && before.itemCount == 6)
        try model.replacePages(by: [])
        #expect(!model.hasPageData && model.page == 0 && model.byteCount == 0)
    }

    private func removing(_ number: Int, from model: inout PaginatedViewModel) -> Bool {
        model.removePage(number)
    }

    @Test("After the removal of the last loaded page, the highest page takes its place")
    func remove() throws {
        var model = PaginatedViewModel()
        for number in [3, 1, 2] { try model.load(page(number, hasNext: number == 3)) }
        #expect(removing(7, from: &model) == false)
        #expect(removing(1, from: &model) == true)
        #expect(model.page == 2)
        #expect(removing(2, from: &model) == true)
        #expect(model.page == 3)
        #expect(numbers(model) == [3])
        #expect(model.hasNext)
        #expect(removing(3, from: &model) == true)
        #expect(model.page == 0)
        #expect(!model.hasNext)
        #expect(!model.hasPageData)
        #expect(model.itemCount == 0)
        #expect(model.sectionCount == 0)
        #expect(removing(3, from: &model) == false)
    }

    @Test(
        "A page that exceeds a limit is refused without a change; replacing within limits is not",
        arguments: [
            (ScreenLimits(maxPages: 2), ViewModelError.tooManyPages(limit: 2), "--max-pages"),
            (ScreenLimits(maxSections: 4), .tooManySections(limit: 4), "--max-sections"),
            (ScreenLimits(maxItems: 8), .tooManyItems(limit: 8), "--max-items"),
        ])
    func limits(limits: ScreenLimits, error: ViewModelError, flag: String) throws {
        var model = PaginatedViewModel(limits: limits)
        for number in 0..<2 { try model.load(page(number, items: 2, sections: ["A", "B"])) }
        let more = try page(2, items: 2, sections: ["A", "B"])
        #expect(throws: error) { try model.load(more) }
        #expect(error.detail.contains(flag))
        #expect(numbers(model) == [0, 1])
        #expect(model.itemCount == 8)
        #expect(model.sectionCount == 4)
        #expect(model.page == 1)
        try model.load(page(0, items: 2, sections: ["C", "D"]))
        #expect(model.page == 0)
    }

    @Test("A copy is a snapshot that later changes do not affect")
    func snapshots() throws {
        var model = PaginatedViewModel()
        for number in 0..<200 { try model.load(page(number)) }
        let snapshot = model
        try model.load(page(50, items: 3))
        try model.load(page(1_000))
        model.removePage(0)
        #expect(numbers(snapshot) == Array(0..<200))
        #expect(snapshot.itemCount == 200)
        #expect(snapshot.storedPage(50)?.sections.first?.cells.count == 1)
        #expect(numbers(model) == Array(1..<200) + [1_000])
    }
}
