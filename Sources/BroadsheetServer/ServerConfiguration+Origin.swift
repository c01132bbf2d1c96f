import BroadsheetIO
import BroadsheetOrigin
import BroadsheetService
import Glibc

extension ServerConfiguration {
    /// Prepares the requests to the origin, if there is one.
    ///
    /// - Throws: `ServerError.configuration` if the certificates cannot be read;
    ///   `ServerError.failed` if there is no libcurl, or the system has no resources left.
    func openOrigin() throws(ServerError) -> CurlOrigin? {
        guard let origin else { return nil }
        if let path = originCertificates, access(path, R_OK) != 0 {
            throw .configuration("--origin-ca: \(path): \(String(cString: strerror(errno)))")
        }
        do throws(IOError) {
            let opened = try CurlOrigin(
                origin, certificates: originCertificates,
                maxConnections: service.origin.maxFetches)
            if let opened { return opened }
        } catch {
            throw .failed(["broadsheet: cannot start the thread of the origin: \(error)"])
        }
        throw .failed(["broadsheet: --origin requires libcurl (Debian's libcurl4)"])
    }

    /// `environment` is that from which libcurl reads the proxies.
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
