import Broadsheet
import BroadsheetHTTP
import BroadsheetStores
import Testing

@testable import BroadsheetService

@Suite("Cell types that an app cannot draw, fallbacks and essential parts (docs/clients.md)")
struct EssentialTests {
    private let path = "/v1/screens/home/layout"

    private static let catalog = """
        {"cellTypes": {
           "Reel": {"id": "/id", "since": {"ios": "5.2", "web": null}, "fallback": "Video"},
           "Video": {"id": "/id", "since": {"ios": "4"}},
           "Row": {"id": "/id"}},
         "units": {
           "REEL": {"cells": {"type": "Reel"}}, "ROW": {"cell": {"type": "Row"}},
           "TITLE": {"header": {"type": "Row"}},
           "VIDEO": {"cell": {"type": "Video", "data": "/video"}}}}
        """

    private func service(_ sections: String) async throws -> TestService {
        let service = try await TestService(catalog: Self.catalog)
        let put = try await service.send(
            "PUT", "/v1/screens/home/pages/0", #"{"sections": [\#(sections)]}"#)
        #expect(put.status == 201, "\(put.text)")
        return service
    }

    @Test("An unsupported app costs one layout, however often it asks")
    func cost() async throws {
        let service = try await service(
            #"{"essential": true, "units": [{"unitType": "REEL", "unitData": [{}]}]}"#)
        for number in 0..<50 {
            let response = try await service.send("GET", "\(path)?client=ios/3.\(number)")
            #expect(response.status == 406)
        }
        let metrics = try await service.send("GET", "/metrics").text
        #expect(metrics.contains(#"broadsheet_layout_cache_misses_total{kind="layout"} 1"#))
    }
}
