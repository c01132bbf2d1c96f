import Broadsheet
import BroadsheetHTTP
import BroadsheetIO

/// Reads the bodies of PUT and POST.
struct PageReading: Sendable {
    /// How much a page may hold.
    let limits: ScreenLimits
    /// Where durations are counted.
    let metrics: ServiceMetrics
    /// Where they are taken from.
    let clock: TimeSource

    /// Indexes a request's body.
    ///
    /// Throws `UNSUPPORTED_MEDIA_TYPE` unless it is sent as plain JSON, `INVALID_JSON` unless it is.
    func document(of request: HTTPRequest) throws(Problem) -> JSONDocument {
        try checkMediaType(of: request.headers)
        do {
            // A stored page keeps these bytes: spare room at their end would be kept with them.
            return try JSONDocument(request.body.trimmed(), maxDepth: limits.maxDepth)
        } catch {
            throw Problem(error)
        }
    }

    /// Reads a request's body as a page; throws `INVALID_CONTRACT` when it is none.
    func page(of request: HTTPRequest, names: ContractNames) throws(Problem) -> ServerStatePage {
        let start = clock.now
        let document = try document(of: request)
        do {
            let page = try ServerStatePage(document, names: names, limits: limits)
            metrics.parseDuration.observe(nanoseconds: clock.now.nanoseconds(since: start))
            return page
        } catch {
            throw Problem(error)
        }
    }

    /// Resolves a page under its number; throws `INVALID_CONTRACT` when it makes too many items.
    func resolve(
        _ page: ServerStatePage, as number: Int, by registry: CellRegistry
    ) throws(Problem) -> ResolvedPage {
        let start = clock.now
        do {
            let resolved = try ResolvedPage(
                page: page, number: number, registry: registry, limits: limits)
            metrics.resolveDuration.observe(nanoseconds: clock.now.nanoseconds(since: start))
            return resolved
        } catch {
            throw Problem(error)
        }
    }

    /// No Content-Type at all is taken as JSON; any coding would have to be undone first.
    private func checkMediaType(of headers: HTTPHeaders) throws(Problem) {
        guard !headers.contains(.contentEncoding) else {
            throw unsupported("Content-Encoding is not understood")
        }
        guard headers.contains(.contentType) else { return }
        guard let type = try? MediaType(contentTypeOf: headers), type.isJSON else {
            throw unsupported("Content-Type is not JSON")
        }
        guard type.charset ?? "utf-8" == "utf-8" else {
            throw unsupported("JSON is UTF-8 here, and its charset is another")
        }
    }

    private func unsupported(_ fault: String) -> Problem {
        Problem(
            .unsupportedMediaType,
            "\(fault); send plain JSON with \"Content-Type: application/json\" and without "
                + "Content-Encoding, as curl --json does.")
    }
}
