import BroadsheetHTTP

extension HTTPResponse {
    /// An answer of JSON.
    static func json(
        _ body: [UInt8], status: HTTPStatus = .ok, tag: EntityTag? = nil
    ) -> HTTPResponse {
        var headers: HTTPHeaders = [.contentType: "application/json"]
        if let tag { headers.append(.etag, tag.description) }
        return HTTPResponse(status: status, headers: headers, body: body)
    }

    /// An answer of an SVG picture.
    static func picture(_ body: [UInt8], tag: EntityTag? = nil) -> HTTPResponse {
        var headers: HTTPHeaders = [.contentType: "image/svg+xml"]
        if let tag { headers.append(.etag, tag.description) }
        return HTTPResponse(status: .ok, headers: headers, body: body)
    }

    /// An answer of plain text.
    static func text(_ text: String, status: HTTPStatus = .ok) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: [.contentType: "text/plain; charset=utf-8"],
            body: Array(text.utf8))
    }

    /// The answer to a client that has what `tag` stands for already (RFC 9110 §15.4.5).
    static func notModified(_ tag: EntityTag) -> HTTPResponse {
        HTTPResponse(status: .notModified, headers: [.etag: tag.description])
    }

    /// The answer to a removal; `revision` is the screen's if there still is one.
    static func removed(revision: UInt64?) -> HTTPResponse {
        var headers: HTTPHeaders = [:]
        if let revision {
            headers.append(.etag, EntityTags.revision(revision).description)
        }
        return HTTPResponse(status: .noContent, headers: headers)
    }

    /// The answer to OPTIONS.
    static func options(allow: [HTTPMethod]) -> HTTPResponse {
        HTTPResponse(
            status: .noContent,
            headers: [.allow: allow.map(\.token).joined(separator: ", ")])
    }
}
