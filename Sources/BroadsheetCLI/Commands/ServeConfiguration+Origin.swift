import BroadsheetIO
import BroadsheetOrigin
import BroadsheetService
import Glibc

/// The settings of pages on demand.
extension ServeConfiguration {
    static let pagesOnDemand = SettingGroup<ServeConfiguration>(
        "Pages on demand",
        [
            Setting(
                "origin", SettingValues<OriginURL>.origin.optional, \.origin,
                default: "pages that are not stored do not exist",
                "the URL from which pages that are needed and not stored are fetched"),
            Setting(
                "origin-timeout", .seconds(1...3_600), \.service.origin.timeout,
                "the maximum time to fetch a page, a second try included"),
            Setting(
                "origin-rest", .seconds(1...3_600), \.service.origin.rest,
                "the time in which no page is fetched after five failures in a row"),
            Setting(
                "origin-fetches", .count(1...1_000), \.service.origin.maxFetches,
                "the maximum number of pages that are fetched at one time"),
            Setting(
                "origin-ca", .file, \.originCertificates, default: "those of the system",
                "the certificates of the authorities that the origin's certificate is checked with"
            ),
            Setting(
                "prefetch", .toggle, \.service.origin.prefetches,
                "fetch the next page as soon as one is requested"),
        ])

    /// Prepares the requests to the origin, if there is one.
    ///
    /// - Throws: `CommandError.usage` if the certificates cannot be read; `CommandError.input` if
    ///   there is no libcurl, or the system has no resources left.
    func openOrigin() throws(CommandError) -> CurlOrigin? {
        guard let origin else { return nil }
        if let path = originCertificates, access(path, R_OK) != 0 {
            throw .usage("--origin-ca: \(path): \(String(cString: strerror(errno)))")
        }
        do throws(IOError) {
            let opened = try CurlOrigin(
                origin, certificates: originCertificates,
                maxConnections: service.origin.maxFetches)
            if let opened { return opened }
        } catch {
            throw .input(["broadsheet: cannot start the thread of the origin: \(error)"])
        }
        throw .input(["broadsheet: --origin requires libcurl (Debian's libcurl4)"])
    }

    /// The record of the origin in the log; `nil` without one.
    ///
    /// - Parameter environment: The environment, from which libcurl reads the proxies.
    func originRecord(_ environment: [String: String]) -> LogRecord? {
        guard let origin, let library = CurlOrigin.libraryVersion else { return nil }
        let scheme = origin.text.hasPrefix("https:") ? "https_proxy" : "http_proxy"
        // In capitals, the variable of http is a header field of CGI, which libcurl ignores.
        let names =
            [scheme, "all_proxy", "ALL_PROXY"] + (scheme == "https_proxy" ? ["HTTPS_PROXY"] : [])
        let proxy = names.first { environment[$0]?.isEmpty == false }
        let way = proxy.map {
            "; through the proxy of the variable \($0), unless no_proxy excludes it"
        }
        return LogRecord(
            .info, "pages on demand", detail: "\(origin.text), by \(library)\(way ?? "")")
    }
}

extension SettingValues<OriginURL> {
    /// The URL of an origin.
    fileprivate static var origin: SettingValues {
        SettingValues<String>.text("URL", OriginURL.form).map { OriginURL($0) }
    }
}
