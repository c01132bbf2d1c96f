import Broadsheet
import BroadsheetHTTP
import BroadsheetIO

extension HTTPResponse {
    static func json(
        _ body: [UInt8], status: HTTPStatus = .ok, tag: EntityTag? = nil
    ) -> HTTPResponse {
        var headers: HTTPHeaders = [.contentType: "application/json"]
        if let tag { headers.append(.etag, tag.description) }
        return HTTPResponse(status: status, headers: headers, body: body)
    }

    static func picture(
        _ body: [UInt8], tag: EntityTag? = nil, as media: PictureMedia = .svg
    ) -> HTTPResponse {
        var headers: HTTPHeaders = [
            .contentType: media.rawValue, .contentSecurityPolicy: PictureMedia.securityPolicy,
        ]
        if let tag { headers.append(.etag, tag.description) }
        return HTTPResponse(status: .ok, headers: headers, body: body)
    }

    static func text(_ text: String, status: HTTPStatus = .ok) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: [.contentType: "text/plain; charset=utf-8"],
            body: Array(text.utf8))
    }

    /// Creates a 304 response, for a client that already has the representation with `tag` (RFC
    /// 9110 §15.4.5).
    static func notModified(_ tag: EntityTag) -> HTTPResponse {
        HTTPResponse(status: .notModified, headers: [.etag: tag.description])
    }

    /// Creates the response to a removal; `revision` is `nil` if the screen was removed.
    static func removed(revision: UInt64?) -> HTTPResponse {
        var headers: HTTPHeaders = [:]
        if let revision {
            headers.append(.etag, EntityTags.revision(revision).description)
        }
        return HTTPResponse(status: .noContent, headers: headers)
    }

    /// Returns this response with the number of diagnostics in `Broadsheet-Diagnostics`, and adds
    /// the diagnostics to the metrics.
    func reporting(
        _ diagnostics: DiagnosticCounts, in metrics: ServiceMetrics
    ) -> HTTPResponse {
        metrics.count(diagnostics)
        var response = self
        response.headers.append(.diagnostics, String(diagnostics.total))
        return response
    }

    /// Adds the fields that all responses have: the id of the request, and the rule for browsers to
    /// use the content as the type that it has, and as no other.
    mutating func finish(_ id: RequestID) {
        headers.append(.contentTypeOptions, "nosniff")
        headers.append(.requestID, id.text)
    }
}
