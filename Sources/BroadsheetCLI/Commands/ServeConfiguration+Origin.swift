import BroadsheetOrigin
import BroadsheetServer
import BroadsheetService

/// The settings of pages on demand.
extension ServeConfiguration {
    static let pagesOnDemand = SettingGroup<ServeConfiguration>(
        "Pages on demand",
        [
            Setting(
                "origin", SettingValues<OriginURL>.origin.optional, \.server.origin,
                default: "pages that are not stored do not exist",
                "the URL from which pages that are needed and not stored are fetched"),
            Setting(
                "origin-timeout", .seconds(1...3_600), \.service.origin.timeout,
                "the maximum time to fetch a page, a second try included"),
            Setting(
                "origin-rest", .seconds(1...3_600), \.service.origin.rest,
                "the time in which an origin that is ill, or a page, is not requested after five "
                    + "failures"),
            Setting(
                "origin-fetches", .count(1...1_000), \.service.origin.maxFetches,
                "the maximum number of pages that are fetched at one time"),
            Setting(
                "origin-ca", .file, \.server.originCertificates, default: "those of the system",
                "the certificates of the authorities that the origin's certificate is checked with"
            ),
            Setting(
                "prefetch", .toggle, \.service.origin.prefetches,
                "fetch the next page as soon as one is requested"),
        ])
}

extension SettingValues<OriginURL> {
    fileprivate static var origin: SettingValues {
        SettingValues<String>.text("URL", OriginURL.form).map { OriginURL($0) }
    }
}
