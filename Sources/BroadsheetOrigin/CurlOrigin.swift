package import BroadsheetIO
package import BroadsheetService
import CCurl
import Glibc

/// An origin of pages that is asked over HTTP, by libcurl.
///
/// Requests carry the id of the client's request and nothing else of it. Certificates are verified.
/// Redirects are followed within the configured scheme, host and port only. Of the environment,
/// libcurl reads the variables of proxies.
package final class CurlOrigin: PageOrigin {
    static let maxRedirects = 5

    /// The value that the priority of the thread of requests is lowered by.
    private static let niceness: Int32 = 5

    /// The version of libcurl: `libcurl 7.88.1`; `nil` if there is none.
    package static var libraryVersion: String? {
        ccurl_load() ? "libcurl \(String(cString: ccurl_version()))" : nil
    }

    private let url: OriginURL
    private let certificates: String?
    private let loop: CurlLoop
    private let thread: WorkerThread

    /// Loads the library, and starts the thread of requests.
    ///
    /// - Parameters:
    ///   - url: The URL under which the origin has its pages.
    ///   - certificates: The file of the certificates to trust; `nil` for those of the system.
    ///   - maxConnections: The maximum number of connections that are kept for later requests.
    /// - Returns: `nil` if there is no libcurl.
    /// - Throws: ``IOError/system(call:code:)`` if the system has no resources left.
    package init?(
        _ url: OriginURL, certificates: String? = nil, maxConnections: Int
    ) throws(IOError) {
        guard ccurl_load(), let loop = CurlLoop(maxConnections: maxConnections) else { return nil }
        self.url = url
        self.certificates = certificates
        self.loop = loop
        thread = try WorkerThread("origin") {
            // Event loops run first on a busy machine, as before worker threads. Without the
            // permission the priority stays.
            _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness)
            loop.run()
        }
    }

    package func page(_ request: OriginRequest) async throws(OriginError) -> OriginPage {
        let clock = TimeSource.system
        let deadline = clock.now.advanced(by: request.timeout)
        var url = self.url.page(request.page, of: request.screen)
        for _ in 0...Self.maxRedirects {
            let rest = clock.now.duration(to: deadline)
            guard rest > .zero else { throw .timeout }
            let transfer = PageTransfer(maxBytes: request.maxBytes, memory: request.memory)
            let ending = await loop.perform(
                CurlRequest(
                    url: url, requestID: request.requestID, certificates: certificates,
                    timeout: rest),
                into: transfer)
            guard let ending else { throw .closed }
            try check(ending, of: transfer, from: url)
            switch transfer.status {
            case 200: return OriginPage(bytes: transfer.body, headers: transfer.headers)
            case 404: throw .notFound
            case 301, 302, 303, 307, 308: url = try redirect(ending, transfer.status)
            default: throw .failed(status(transfer.status))
            }
        }
        throw .failed(OriginFailure("it redirects more than \(Self.maxRedirects) times"))
    }

    /// Ends all requests, also later ones, and the thread.
    package func close() async {
        loop.stop()
        await thread.waitForEnd()
    }

    private func check(
        _ ending: CurlLoop.Ending, of transfer: PageTransfer, from url: String
    ) throws(OriginError) {
        if let error = transfer.error { throw error }
        let cause = "\(url): \(ending.reason)"
        // With a status there is a connection, and what follows is of the page.
        let isOfOrigin = transfer.status == 0 || Self.isIll(transfer.status)
        switch ending.outcome {
        case CCURL_COMPLETE: return
        case CCURL_TIMEOUT: throw .timeout
        // Without an error of the transfer's own, libcurl ended it for bytes behind the coded body.
        case CCURL_REFUSED, CCURL_ENDED:
            let detail = "its certificate, its coding or its HTTP is not valid"
            throw .failed(OriginFailure(detail, cause: cause, isOfOrigin: isOfOrigin))
        default:
            let detail = "it cannot be reached, or its response ended early"
            let hasStatus = transfer.status > 0
            let remedy = "; is the service of --origin running?"
            throw .failed(
                OriginFailure(
                    detail, cause: hasStatus ? cause : cause + remedy, isTransient: true,
                    isOfOrigin: isOfOrigin))
        }
    }

    private func redirect(_ ending: CurlLoop.Ending, _ code: Int) throws(OriginError) -> String {
        guard let target = ending.redirect else { throw .failed(status(code)) }
        guard ccurl_is_same_origin(url.text, target) else {
            let cause = "to \(target)"
            throw .failed(OriginFailure("it redirects to another origin", cause: cause))
        }
        return target
    }

    /// Returns the failure of a response with another status.
    ///
    /// Too many requests, and failures of a server, may be over at a second try.
    private func status(_ code: Int) -> OriginFailure {
        OriginFailure("it responded with the status \(code)", isTransient: Self.isIll(code))
    }

    /// Returns whether a status says that the origin cannot serve requests at the moment.
    private static func isIll(_ status: Int) -> Bool { status == 429 || status >= 500 }
}
