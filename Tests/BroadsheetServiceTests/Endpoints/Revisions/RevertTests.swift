import Broadsheet
import BroadsheetHTTP
import BroadsheetStores
import TestSupport
import Testing

@testable import BroadsheetService

@Suite("POST /v1/screens/{screen}/revert (docs/api.md, Taking a revision back)")
struct RevertTests {
    private let path = RevisionsTests.path

    @Test("The pages are those of the revision, byte for byte, and equal ones are not stored again")
    func reverts() async throws {
        let service = try await RevisionsTests.service()
        let bodies = [0, 2, 5].map { ($0, ChangesEndpointTests.page([$0, $0 + 1])) }
        for (page, body) in bodies { try await service.send("PUT", "\(path)/pages/\(page)", body) }
        let then = try await service.send("GET", "\(path)/layout?pages=all&revision=3")
        let tag = try await service.send("GET", "\(path)/pages/2").etag
        try await service.send("PUT", "\(path)/pages/0", ChangesEndpointTests.page([9]))
        try await service.send("DELETE", "\(path)/pages/5")
        try await service.send("PUT", "\(path)/pages/7", ChangesEndpointTests.page([7]))
        let before = try await service.send("GET", "\(path)/layout?pages=all")
        let response = try await service.send("POST", "\(path)/revert", #"{"revision": 3}"#)
        #expect(response.status == 200)
        #expect(response.etag == "\"r7\"")
        for (page, body) in bodies {
            #expect(try await service.send("GET", "\(path)/pages/\(page)").text == body)
        }
        #expect(try await service.send("GET", "\(path)/pages/7").code == "PAGE_NOT_FOUND")
        #expect(try await service.send("GET", "\(path)/pages/2").etag == tag)
        let after = try await service.send("GET", "\(path)/layout?pages=all")
        #expect(try after.itemIds == then.itemIds)
        #expect(
            try ChangesEndpointTests.applied(response, to: before)
                == ChangesEndpointTests.tree(after))
        let list = try await service.send("GET", "\(path)/revisions")
        #expect(try list.string("/revisions/0/operation") == "revertScreen")
        #expect(try list.number("/revisions/0/revertedTo") == 3)
        #expect(
            try #require(try list.value("/revisions/0/pages")).elements
                .compactMap { $0["page"]?.int } == [0, 5, 7])
    }

    @Test("If every page is equal the revision stays, unless the lifetime is set")
    func needless() async throws {
        let service = try await RevisionsTests.service()
        for body in [[1], [2], [1]] {
            try await service.send("PUT", "\(path)/pages/0", ChangesEndpointTests.page(body))
        }
        for revision in [1, 3] {
            let response = try await service.send(
                "POST", "\(path)/revert", #"{"revision": \#(revision)}"#)
            #expect(response.status == 200)
            #expect(response.etag == "\"r3\"")
        }
        let renewed = try await service.send(
            "POST", "\(path)/revert", #"{"revision": 1}"#, headers: [.screenLifetime: "60"])
        #expect(renewed.etag == "\"r4\"")
    }

    @Test("A revision without pages, and a screen without pages, are taken back as well")
    func empty() async throws {
        let service = try await RevisionsTests.service()
        let page = ChangesEndpointTests.page([1])
        try await service.send("PUT", "\(path)/pages/0", page)
        try await service.send("DELETE", "\(path)/pages")
        let back = try await service.send("POST", "\(path)/revert", #"{"revision": 1}"#)
        #expect(back.etag == "\"r3\"")
        #expect(try await service.send("GET", "\(path)/pages/0").text == page)
        let none = try await service.send("POST", "\(path)/revert", #"{"revision": 2}"#)
        #expect(none.etag == "\"r4\"")
        #expect(try await service.send("GET", path).number("/pageCount") == 0)
        let same = try await service.send("POST", "\(path)/revert", #"{"revision": 2}"#)
        #expect(same.etag == "\"r4\"")
    }

    @Test("Conditions, preferences and validation are those of updates")
    func options() async throws {
        let service = try await RevisionsTests.service()
        for ids in [[1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5]] {
            try await service.send("PUT", "\(path)/pages/0", ChangesEndpointTests.page(ids))
        }
        let body = #"{"revision": 1}"#
        let failed = try await service.send(
            "POST", "\(path)/revert", body, headers: [.ifMatch: "\"r1\""])
        #expect(failed.code == "PRECONDITION_FAILED")
        let only = try await service.send("POST", "\(path)/revert?validateOnly=true", body)
        #expect(only.status == 200)
        #expect(try only.value("/stages")?.count ?? 0 > 0)
        #expect(try await service.send("GET", path).number("/revision") == 2)
        let minimal = try await service.send(
            "POST", "\(path)/revert", body,
            headers: [.ifMatch: "\"r2\"", .prefer: "return=minimal"])
        #expect(minimal.status == 204)
        #expect(minimal.etag == "\"r3\"")
    }

    @Test("Pages that PUT would refuse today are 422 with their numbers, and nothing is stored")
    func judged() async throws {
        let service = try await RevisionsTests.service()
        let unknown = #"{"sections":[{"units":[{"unitType":"NO_SUCH","unitData":[]}]}]}"#
        try await service.send("PUT", "\(path)/pages/0", ChangesEndpointTests.page([1]))
        try await service.send("PUT", "\(path)/pages/4", unknown)
        try await service.send("PUT", "\(path)/pages/6", unknown)
        try await service.send("DELETE", "\(path)/pages")
        let response = try await service.send(
            "POST", "\(path)/revert?strict=true", #"{"revision": 3}"#)
        #expect(response.code == "INVALID_CONTRACT")
        #expect(
            try #require(try response.value("/errors")).elements
                .compactMap { $0["page"]?.int } == [4, 6])
        #expect(try response.string("/errors/0/pointer").hasPrefix("/sections/0/units/0"))
        #expect(try await service.send("GET", path).number("/revision") == 4)
        let lenient = try await service.send("POST", "\(path)/revert", #"{"revision": 3}"#)
        #expect(lenient.status == 200)
        #expect(lenient.response.headers[.diagnostics] == "2")
    }

    @Test("A limit of today is one for the pages of an earlier revision: 422 with the page")
    func limited() async throws {
        let store = ScreenStore.inMemory(history: HistoryBounds())
        let service = try await RevisionsTests.service(store)
        for page in 0..<3 {
            try await service.send(
                "PUT", "\(path)/pages/\(page)", ChangesEndpointTests.page([page]))
        }
        try await service.send("DELETE", "\(path)/pages")
        let limited = try await TestService(store: store, limits: ScreenLimits(maxPages: 2))
        let response = try await limited.send("POST", "\(path)/revert", #"{"revision": 3}"#)
        #expect(response.status == 422 && response.code == "INVALID_CONTRACT")
        #expect(try response.number("/errors/0/page") == 2)
        #expect(try response.string("/errors/0/pointer") == "")
        #expect(try await service.send("GET", path).number("/revision") == 4)
        let fits = try await limited.send("POST", "\(path)/revert", #"{"revision": 2}"#)
        #expect(fits.status == 200)
    }

    @Test("A page that is too large, too deep, or has too many items is 422 with its number")
    func limitedPages() async throws {
        let store = ScreenStore.inMemory(history: HistoryBounds())
        let service = try await RevisionsTests.service(store)
        for (page, ids) in [(3, [1]), (5, Array(1...30))] {
            try await service.send(
                "PUT", "\(path)/pages/\(page)", ChangesEndpointTests.page(ids))
        }
        try await service.send("DELETE", "\(path)/pages")
        let body = #"{"revision": 2}"#
        let limited = [
            (5, try await TestService(store: store, limits: ScreenLimits(maxItems: 20))),
            (3, try await TestService(store: store, limits: ScreenLimits(maxDepth: 3))),
            (5, try await TestService(store: store, maxPageBytes: 1000)),
        ]
        for (page, service) in limited {
            let response = try await service.send("POST", "\(path)/revert", body)
            #expect(response.code == "INVALID_CONTRACT", "\(response.text)")
            #expect(try response.number("/errors/0/page") == Double(page), "\(response.text)")
            #expect(try response.value("/errors/0/pointer") != nil)
        }
        let small = try await TestService(store: store, maxScreenBytes: 1000)
        let response = try await small.send("POST", "\(path)/revert", body)
        #expect(response.status == 422 && response.code == "SCREEN_TOO_LARGE")
        #expect(try await service.send("GET", path).number("/revision") == 3)
    }

    @Test("An unknown revision is 404, and a body without one 422 at /revision")
    func problems() async throws {
        let service = try await RevisionsTests.service()
        try await service.send("PUT", "\(path)/pages/0", ChangesEndpointTests.page([1]))
        for body in [#"{"revision": 2}"#, #"{"revision": 999999999999999}"#] {
            let response = try await service.send("POST", "\(path)/revert", body)
            #expect(response.code == "REVISION_NOT_FOUND")
        }
        for body in ["{}", "[]", #"{"revision": "1"}"#, #"{"revision": 0}"#, #"{"revision": 1.5}"#]
        {
            let response = try await service.send("POST", "\(path)/revert", body)
            #expect(response.code == "INVALID_CONTRACT", "\(body)")
            #expect(try response.string("/errors/0/pointer") == "/revision", "\(body)")
        }
        let none = try await service.send(
            "POST", "/v1/screens/none/revert", #"{"revision": 1}"#)
        #expect(none.code == "SCREEN_NOT_FOUND")
        let text = try await service.send("POST", "\(path)/revert", "{")
        #expect(text.code == "INVALID_JSON")
    }

    @Test("A client without the right to read receives no changes")
    func withoutRead() async throws {
        let service = try await RevisionsTests.service(
            access: AccessConfiguration(keys: KeyRing(ofLines: ["k write * never"])))
        for ids in [[1], [2]] {
            try await service.send(
                "PUT", "\(path)/pages/0", ChangesEndpointTests.page(ids), headers: .key("k"))
        }
        let response = try await service.send(
            "POST", "\(path)/revert", #"{"revision": 1}"#, headers: .key("k"))
        #expect(response.status == 204)
        #expect(response.body.isEmpty)
    }
}
