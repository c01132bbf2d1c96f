import Broadsheet
import BroadsheetHTTP
import BroadsheetStores

extension Operation {
    static let getCatalog = Operation(
        id: "getCatalog", method: .get, path: "/v1/catalog", tag: .daemon,
        summary: "Returns the active catalog.",
        access: .daemon(.admin),
        parameters: .catalog,
        responses: [.json("Catalog", "The catalog.")],
        problems: [.invalidParameter],
        handler: DaemonEndpoints.catalog)

    static let getCatalogSchema = Operation(
        id: "getCatalogSchema", method: .get, path: "/v1/catalog/schema", tag: .daemon,
        summary: "Returns a JSON Schema of the pages that strict mode accepts.",
        access: .daemon(.admin),
        parameters: .catalog,
        responses: [
            OpenAPIResponse(
                .ok, "The schema.", content: [(PageSchema.mediaType, .schema("PageSchema"))])
        ],
        problems: [.invalidParameter],
        handler: DaemonEndpoints.catalogSchema)

    static let listCatalogs = Operation(
        id: "listCatalogs", method: .get, path: "/v1/catalogs", tag: .daemon,
        summary: "Lists the names of the catalogs that requests can choose.",
        access: .list,
        permitsReaders: true,
        responses: [.json("CatalogList", "The names.")],
        handler: DaemonEndpoints.catalogNames)

    static let getLiveness = Operation(
        id: "getLiveness", method: .get, path: "/livez", tag: .daemon,
        summary: "Returns 200 while the process runs.",
        access: .open,
        acceptsAnyQuery: true,
        responses: [.text("The process runs.")],
        handler: DaemonEndpoints.liveness)

    static let getReadiness = Operation(
        id: "getReadiness", method: .get, path: "/readyz", tag: .daemon,
        summary: "Returns 200 while requests can be served.",
        access: .open,
        parameters: [.writes],
        acceptsAnyQuery: true,
        responses: [.text("Requests can be served."), .notReady],
        problems: [.invalidParameter, .draining],
        handler: DaemonEndpoints.readiness)

    static let getMetrics = Operation(
        id: "getMetrics", method: .get, path: "/metrics", tag: .daemon,
        summary: "Returns the metrics in the text format of Prometheus.",
        access: .metrics,
        acceptsAnyQuery: true,
        responses: [.text("The metrics.")],
        handler: DaemonEndpoints.metrics)

    static let getOpenAPI = Operation(
        id: "getOpenAPI", method: .get, path: "/openapi.json", tag: .daemon,
        summary: "Returns the OpenAPI document.",
        access: .open,
        responses: [.json("OpenAPIDocument", "This document.")],
        handler: DaemonEndpoints.openAPI)
}

extension OpenAPIResponse {
    /// The response of a service that cannot serve requests; also a problem, when it is overloaded.
    fileprivate static let notReady = OpenAPIResponse(
        .serviceUnavailable, "DRAINING, OVERLOADED, or as text why requests cannot be served.",
        headers: ["Retry-After"],
        content: [
            ("text/plain", OpenAPISchemas.string), (Problem.mediaType, .schema("Problem")),
        ])
}

/// The handlers of `/v1/catalog`, its schema, `/livez`, `/readyz`, `/metrics` and `/openapi.json`.
private enum DaemonEndpoints {
    /// Returns the catalog, byte for byte as it was read.
    static func catalog(
        _ call: Call, _ service: BroadsheetService
    ) async throws(Problem) -> HTTPResponse {
        try await call.json(call.catalog.content)
    }

    static func catalogSchema(
        _ call: Call, _ service: BroadsheetService
    ) async throws(Problem) -> HTTPResponse {
        let catalog = call.catalog
        let schema = try await call.work.perform(cost: catalog.catalog.bytes.count) {
            PageSchema(of: catalog.registry).bytes
        }
        return try await call.json(ConstantContent(schema), as: PageSchema.mediaType)
    }

    /// Returns the names of the catalogs that have one and that the client may name, in byte order.
    static func catalogNames(_ call: Call, _ service: BroadsheetService) -> HTTPResponse {
        var output = StructuredJSONWriter()
        output.object { output in
            output.array("catalogs") { output in
                for catalog in service.catalogs.current.named
                where call.caller.token?.permits(catalog: catalog.name) != false {
                    output.element()
                    output.string(catalog.name?.text)
                }
            }
        }
        return .json(output.bytes)
    }

    /// Returns 200: a process that responds is alive.
    static func liveness(_: Call, _: BroadsheetService) -> HTTPResponse { .text("ok\n") }

    /// Returns 200, or 503 while the store cannot serve requests; with `writes=true` also while it
    /// cannot be written to.
    static func readiness(
        _ call: Call, _ service: BroadsheetService
    ) async throws(Problem) -> HTTPResponse {
        let includesWrites = try ParameterReader(call.query).truth(OpenAPIParameter.writes.name)
        guard service.metrics.draining.value == 0 else { throw .draining }
        let screens = service.screens
        var failure = await screens.readinessFailure()
        if failure == nil, includesWrites == true { failure = await screens.writes.check() }
        guard let failure else { return .text("ok\n") }
        var response = HTTPResponse.text(
            "\(Problem(failure).detail)\n", status: .serviceUnavailable)
        response.headers.append(.retryAfter, String(Problem.retrySeconds))
        return response
    }

    /// Returns the current values of all metrics.
    ///
    /// It asks the store whether it can serve requests. While writes fail it also begins another
    /// check of them, so that the next scrape has the result.
    static func metrics(
        _ call: Call, _ service: BroadsheetService
    ) async throws(Problem) -> HTTPResponse {
        let screens = service.screens
        let failure = await screens.readinessFailure()
        service.metrics.storeUp.set(failure == nil ? 1 : 0)
        if let failure {
            screens.writes.recordUnavailability(failure)
        } else {
            screens.writes.beginCheckIfFailing()
            if let bytes = try? await screens.store.historyByteCount() {
                service.metrics.storeHistoryBytes.set(Int64(bytes))
            }
            await screens.census.update()
        }
        let text = service.metrics.text(sources: service.metricSources)
        return HTTPResponse(
            status: .ok, headers: [.contentType: MetricsText.mediaType], body: Array(text.utf8))
    }

    /// Returns the OpenAPI document, which never changes while the daemon runs.
    static func openAPI(
        _ call: Call, _ service: BroadsheetService
    ) async throws(Problem) -> HTTPResponse {
        try await call.json(service.openAPI)
    }
}
