import Broadsheet
import BroadsheetHTTP
import BroadsheetStores

/// The pages of an origin, which are stored as those of a PUT.
extension PagesOnDemand {
    /// Stores a page as PUT does, unless it is stored already, or is no longer the next one.
    func stored(
        _ page: OriginPage, of fetch: PageFetch
    ) async -> Result<FetchResult, Problem> {
        do throws(Problem) {
            let isLarge = page.bytes.count > Work.maxInlineBody
            let pages = try await fetch.work.performAll(if: isLarge) {
                (work) async throws(Problem) in try await store(page, of: fetch, work)
            }
            return .success(pages.isEmpty ? .unneeded : .stored)
        } catch {
            // The origin has failed if PUT would refuse its page.
            let isRefused = error.code.status.code < 500
            return .failure(isRefused ? .originFailed(error, of: fetch.key) : error)
        }
    }

    private func store(
        _ response: OriginPage, of fetch: PageFetch, _ work: Work
    ) async throws(Problem) -> [ResolvedPage] {
        let (screen, number) = (fetch.key.screen, fetch.key.page)
        let lifetime = try ScreenLifetime(ofPageWith: response.headers)
        try response.checkMediaType()
        let catalog = fetch.catalog
        let posted = try await reader.page(
            response.bytes, by: catalog.registry, isStrict: configuration.isStrict, work)
        try posted.check(number: number, "the one that was requested has")
        var write = ScreenWrite(
            screen: screen, page: number, lifetime: lifetime ?? configuration.screenLifetime)
        write.note.operation = "origin"
        let written = try await screens.write(write, by: catalog, work) { base throws(Problem) in
            let isExpected =
                fetch.isRefresh
                ? base.page != nil && base.page?.revision == fetch.replaced
                : base.page == nil && base.nextPage == number
            guard isExpected else { return nil }
            return try await posted.planned(as: number, into: base, of: screen, in: screens, work)
        }
        for page in written.pages {
            screens.metrics.count(page.diagnosticCounts)
            let record = LogRecord(
                unknownUnitTypesOf: page, in: "page \(number) of screen \(screen)", catalog)
            if let record { log.write(record) }
        }
        return written.pages
    }
}

extension WriteBase {
    fileprivate var nextPage: Int { (head?.highestPage).map { $0 + 1 } ?? 0 }
}

extension ScreenLifetime {
    /// Reads the lifetime of a page of an origin: `Broadsheet-TTL`, or `max-age` of
    /// `Cache-Control`; `nil` without both.
    ///
    /// - Throws: As ``init(in:)``.
    fileprivate init?(ofPageWith headers: HTTPHeaders) throws(Problem) {
        if let lifetime = try Self(in: headers) {
            self = lifetime
        } else {
            guard let seconds = CacheControl(in: headers).maxAge else { return nil }
            // The store makes it one that a screen can have.
            self = .seconds(seconds)
        }
    }
}

extension OriginPage {
    /// Checks that the content is JSON in UTF-8, or has no type.
    fileprivate func checkMediaType() throws(Problem) {
        let type = try Problem.mapping { () throws(HTTPError) in
            try MediaType(contentTypeOf: headers)
        }
        guard let type, !type.isJSON || type.charset ?? "utf-8" != "utf-8" else { return }
        throw Problem(.unsupportedMediaType, "Its Content-Type is not JSON in UTF-8.")
    }
}
