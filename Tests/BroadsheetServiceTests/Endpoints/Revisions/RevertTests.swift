import Broadsheet
import BroadsheetHTTP
import BroadsheetStores
import TestSupport
import Testing

@testable import BroadsheetService

@Suite("POST /v1/screens/{screen}/revert (docs/api.md, Taking a revision back)")
struct RevertTests {
    private let path = RevisionsTests.path

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
}
