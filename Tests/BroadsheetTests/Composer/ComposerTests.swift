import Broadsheet
import Testing

@Suite("Composer") struct ComposerTests {
    private let composer = Composer()

    private func compose(_ pages: String...) throws -> JSONValue {
        let tree = try composer.compose(pages.map { Array($0.utf8) })
        return try JSONDocument(tree).root
    }

    private func failure(_ pages: String..., by composer: Composer = Composer()) -> ComposeError? {
        do throws(ComposeError) {
            _ = try composer.compose(pages.map { Array($0.utf8) })
            return nil
        } catch {
            return error
        }
    }

    private static let item = #"{"unitType":"SS_PRODUCT_LIST","unitData":[{"id":"a"}]}"#

    @Test("No pages give an empty tree")
    func noPages() throws {
        let tree = try compose()
        #expect(tree["page"]?.int == 0)
        #expect(tree["pageCount"]?.int == 0)
        #expect(tree["sections"]?.count == 0)
    }

    @Test("Pages merge by number; a page without one gets the next number after those before it")
    func numbers() throws {
        let tree = try compose(
            #"{"page":5,"hasNext":true,"sections":[{"sectionId":"b","units":[]}]}"#,
            #"{"page":1,"sections":[{"sectionId":"a","units":[]}]}"#,
            #"{"sections":[{"sectionId":"c","units":[]}]}"#)
        #expect(tree["page"]?.int == 6)
        #expect(tree["pageCount"]?.int == 3)
        #expect(tree["hasNext"]?.bool == false)
        #expect(tree["sections"]?.elements.map { $0["id"]?.string } == ["a", "b", "c"])
    }

    @Test("Invalid JSON is reported with its page and offset")
    func invalidJSON() {
        let error = failure(#"{"sections":[]}"#, #"{"sections":[}"#)
        guard case .invalidJSON(let invalid, page: 1)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(invalid.offset == 13)
        #expect(error?.page == 1)
        #expect(error?.detail.contains("column 14") == true)
    }

    @Test("Contract violations are reported with their page")
    func invalidContract() {
        let error = failure(#"{"sections":[{"units":7}]}"#)
        guard case .invalidContract(let invalid, page: 0)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(invalid.violations.first?.pointer == "/sections/0/units")
        #expect(error?.detail.hasPrefix("/sections/0/units ") == true)
    }

    @Test("A repeated number and a number above the maximum are refused")
    func repeatedNumbers() {
        let four = #"{"page":4,"sections":[]}"#
        #expect(failure(four, #"{"sections":[]}"#, four) == .repeatedNumber(4, page: 2))
        let last = #"{"page":2147483647,"sections":[]}"#
        #expect(failure(last, #"{"sections":[]}"#) == .noNumberLeft(page: 1))
    }

    @Test("The limits of each page and of all pages together hold")
    func limits() {
        let page = #"{"sections":[{"units":[\#(Self.item)]}]}"#
        let items = Composer(limits: ScreenLimits(maxItems: 1))
        #expect(failure(page, by: items) == nil)
        #expect(failure(page, page, by: items) == .tooMuch(.tooManyItems(limit: 1), page: 1))
        let pages = Composer(limits: ScreenLimits(maxPages: 1))
        #expect(failure(page, page, by: pages) == .tooMuch(.tooManyPages(limit: 1), page: 1))
        let shallow = Composer(limits: ScreenLimits(maxDepth: 3))
        #expect(failure(page, by: shallow)?.page == 0)
    }

    @Test("Requested sections are collapsed")
    func collapsed() throws {
        let page = #"{"sections":[{"sectionId":"x","units":[\#(Self.item)]}]}"#
        let tree = try composer.compose(Array(page.utf8), LayoutParameters(collapsed: ["x"]))
        let section = try JSONDocument(tree).root["sections"]?.elements.first { _ in true }
        #expect(section?["collapsed"]?.bool == true)
        #expect(section?["items"]?.count == 0)
    }

    @Test("Lint is added to the diagnostics on request")
    func lint() throws {
        let page = Array(#"{"sections":[{"sectionId":"x","units":[]}]}"#.utf8)
        let composer = Composer(registry: CellRegistry())
        func codes(_ parameters: LayoutParameters) throws -> [String?] {
            let tree = try JSONDocument(try composer.compose(page, parameters)).root
            return tree["diagnostics"]?.elements.map { $0["code"]?.string } ?? []
        }
        #expect(try codes(LayoutParameters()) == [])
        #expect(try codes(LayoutParameters(lint: true)) == ["EMPTY_SECTION"])
    }

    @Test("Equal pages give equal bytes, and unusual ids and types give valid JSON")
    func repeatable() throws {
        let page = try Fixtures.bytes("hostile/strange-ids.json")
        let tree = try composer.compose(page)
        #expect(try composer.compose(page) == tree)
        #expect(JSONReferenceChecker.accepts(tree))
    }
}
