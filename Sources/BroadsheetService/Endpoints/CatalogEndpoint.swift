import Broadsheet
import BroadsheetHTTP

/// `/v1/catalog`: the catalog in service.
struct CatalogEndpoint: Sendable {
    /// The catalog, byte for byte as it was read.
    func get(_ call: Call) -> HTTPResponse { .json(call.catalog.catalog.bytes) }
}
