import Broadsheet
import BroadsheetHTTP
import BroadsheetIO

/// Reads and resolves the pages in the bodies of PUT and POST.
struct PageReader: Sendable {
    /// The limits of a page.
    let limits: ScreenLimits
    /// The metrics that durations are recorded in.
    let metrics: ServiceMetrics
    /// The clock that durations are measured by.
    let clock: TimeSource

    /// Indexes the body of a request.
    ///
    /// - Throws: `UNSUPPORTED_MEDIA_TYPE` unless it is sent as plain JSON; `INVALID_JSON` if it is
    ///   not valid JSON.
    func document(of request: HTTPRequest) throws(Problem) -> JSONDocument {
        try checkMediaType(of: request.headers)
        do {
            // A stored page keeps these bytes, and would keep spare capacity with them.
            return try JSONDocument(request.body.trimmed(), maxDepth: limits.maxDepth)
        } catch {
            throw Problem(error)
        }
    }

    /// Reads the body of a request as a page.
    ///
    /// - Throws: As ``document(of:)``; `INVALID_CONTRACT` if it is not a page.
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

    /// Resolves a page into cells.
    ///
    /// - Throws: `INVALID_CONTRACT` if it has too many items.
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

    /// Accepts JSON without a `Content-Type` too, but no content coding, which would need decoding.
    private func checkMediaType(of headers: HTTPHeaders) throws(Problem) {
        guard !headers.contains(.contentEncoding) else {
            throw unsupported("Content-Encoding is not supported")
        }
        guard headers.contains(.contentType) else { return }
        guard let type = try? MediaType(contentTypeOf: headers), type.isJSON else {
            throw unsupported("Content-Type is not JSON")
        }
        guard type.charset ?? "utf-8" == "utf-8" else {
            throw unsupported("The charset of the JSON is not UTF-8")
        }
    }

    private func unsupported(_ reason: String) -> Problem {
        Problem(
            .unsupportedMediaType,
            "\(reason); send plain JSON with \"Content-Type: application/json\" and without "
                + "Content-Encoding, as curl --json does.")
    }
}
