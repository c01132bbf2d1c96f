import Broadsheet
import BroadsheetHTTP
@testable import BroadsheetService
import Testing

@Suite("Strict mode (docs/api.md)") struct StrictTests {
    private let path = "/v1/screens/home/pages/0"

    private static let items = #"""
        {"units": {"P": {"cells": {"type": "C", "optional": true}}},
         "cellTypes": {"C": {"id": "/id", "size": {"height": 10},
                             "schema": {"properties": {"rating": {"type": "number"}}}}}}
        """#

    @Test("A stored page is judged by the schemas of a later catalog")
    func laterCatalog() async throws {
        let page =
            #"{"sections":[[{"unitType":"P","unitData":[{"id":"a"},{"id":"b","rating":"5"}]}]]}"#
        let service = try await TestService(
            catalog:
                #"{"units": {"P": {"cells": {"type": "C"}}}, "cellTypes": {"C": {"id": "/id"}}}"#)
        #expect(try await service.send("PUT", path, page).itemIds == [["a", "b"]])
        service.service.reload(catalogs: try CatalogSet(Catalog(Array(Self.items.utf8))))
        #expect(try await service.send("GET", "/v1/screens/home/layout").itemIds == [["a"]])
    }
}
