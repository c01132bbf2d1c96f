import BroadsheetStores

/// The problems of pages on demand.
extension Problem {
    static func originRests(_ seconds: Int) -> Problem {
        Problem(
            .originUnavailable,
            "The origin has failed several times in a row; it is asked again in \(seconds) s.",
            retryAfter: seconds)
    }

    static func pageRests(_ key: PagesOnDemand.Key, _ seconds: Int) -> Problem {
        Problem(
            .originUnavailable,
            "The origin's page \(key.page) of the screen \"\(key.screen)\" could not be used "
                + "several times in a row; it is requested again in \(seconds) s.",
            retryAfter: seconds)
    }

    static var tooManyFetches: Problem {
        .overloaded("Too many pages are requested from the origin (--origin-fetches)")
    }

    /// Creates the problem of a page that PUT would refuse.
    static func originFailed(_ refused: Problem, of key: PagesOnDemand.Key) -> Problem {
        var problem = Problem(
            .originFailed,
            "The origin's page \(key.page) of the screen \"\(key.screen)\" cannot be stored: "
                + refused.detail)
        problem.errors = refused.errors
        problem.position = refused.position
        return problem
    }

    init(_ error: OriginError, of key: PagesOnDemand.Key, _ timeout: Duration) {
        let page = "page \(key.page) of the screen \"\(key.screen)\""
        switch error {
        case .notFound: self = .pageNotFound(key.page, key.screen)
        case .timeout:
            let seconds = timeout.components.seconds
            self.init(.originTimeout, "The origin has not returned \(page) within \(seconds) s.")
        case .failed(let failure):
            self.init(
                .originFailed, "The origin has not returned \(page): \(failure.detail).",
                cause: failure.cause)
        case .outOfMemory: self = .tooLittleMemory
        case .closed: self = .overloaded("The daemon stops")
        }
    }
}
