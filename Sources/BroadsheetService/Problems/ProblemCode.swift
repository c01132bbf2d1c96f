package import BroadsheetHTTP

/// What can be wrong, by the name that programs go by (docs/api.md, "Errors").
///
/// The names are part of the API: they are added to, never changed.
package enum ProblemCode: String, Sendable, Hashable, CaseIterable {
    /// 400: the body is no JSON.
    case invalidJSON = "INVALID_JSON"
    /// 400: a parameter in the path, the query or a header has a value it cannot have.
    case invalidParameter = "INVALID_PARAMETER"
    /// 400: the page's own number is not the one in the path.
    case pageMismatch = "PAGE_MISMATCH"
    /// 400: the page token is damaged, or not of this screen or store.
    case invalidPageToken = "INVALID_PAGE_TOKEN"
    /// 400: a parameter beside the page token says something else than the token.
    case pageTokenMismatch = "PAGE_TOKEN_MISMATCH"
    /// 400: the request is no HTTP.
    case badRequest = "BAD_REQUEST"
    /// 401: for a proxy that asks who it is; the daemon itself does not.
    case unauthenticated = "UNAUTHENTICATED"
    /// 403: for a proxy that decides who may; the daemon itself does not.
    case forbidden = "FORBIDDEN"
    /// 404: there is no such screen.
    case screenNotFound = "SCREEN_NOT_FOUND"
    /// 404: the screen has no such page.
    case pageNotFound = "PAGE_NOT_FOUND"
    /// 404: the page that the token asks for is not stored yet.
    case pageNotLoaded = "PAGE_NOT_LOADED"
    /// 404: there is nothing at this path.
    case notFound = "NOT_FOUND"
    /// 405: the path does not take this method.
    case methodNotAllowed = "METHOD_NOT_ALLOWED"
    /// 408: the request did not arrive in time.
    case requestTimeout = "REQUEST_TIMEOUT"
    /// 411: a body without a length.
    case lengthRequired = "LENGTH_REQUIRED"
    /// 412: a condition of the request does not hold.
    case preconditionFailed = "PRECONDITION_FAILED"
    /// 413: the body is too large.
    case bodyTooLarge = "BODY_TOO_LARGE"
    /// 414: the request target is too long.
    case uriTooLong = "URI_TOO_LONG"
    /// 415: the body is not sent as plain JSON.
    case unsupportedMediaType = "UNSUPPORTED_MEDIA_TYPE"
    /// 417: an expectation other than 100-continue.
    case expectationFailed = "EXPECTATION_FAILED"
    /// 422: JSON that is no page.
    case invalidContract = "INVALID_CONTRACT"
    /// 422: JSON that is no catalog.
    case invalidCatalog = "INVALID_CATALOG"
    /// 431: the head is too large.
    case headersTooLarge = "HEADERS_TOO_LARGE"
    /// 500: a fault of ours.
    case `internal` = "INTERNAL"
    /// 501: something of HTTP that is not spoken here.
    case notImplemented = "NOT_IMPLEMENTED"
    /// 503: too much to do at the moment.
    case overloaded = "OVERLOADED"
    /// 503: the store is away.
    case storeUnavailable = "STORE_UNAVAILABLE"
    /// 505: a version of HTTP that is not spoken here.
    case httpVersionNotSupported = "HTTP_VERSION_NOT_SUPPORTED"
}

extension ProblemCode {
    /// The status that goes with it.
    package var status: HTTPStatus {
        switch self {
        case .invalidJSON, .invalidParameter, .pageMismatch, .invalidPageToken, .pageTokenMismatch,
            .badRequest:
            .badRequest
        case .unauthenticated: .unauthorized
        case .forbidden: .forbidden
        case .screenNotFound, .pageNotFound, .pageNotLoaded, .notFound: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .requestTimeout: .requestTimeout
        case .lengthRequired: .lengthRequired
        case .preconditionFailed: .preconditionFailed
        case .bodyTooLarge: .contentTooLarge
        case .uriTooLong: .uriTooLong
        case .unsupportedMediaType: .unsupportedMediaType
        case .expectationFailed: .expectationFailed
        case .invalidContract, .invalidCatalog: .unprocessableContent
        case .headersTooLarge: .requestHeaderFieldsTooLarge
        case .internal: .internalServerError
        case .notImplemented: .notImplemented
        case .overloaded, .storeUnavailable: .serviceUnavailable
        case .httpVersionNotSupported: .httpVersionNotSupported
        }
    }

    /// A summary that is the same for every problem of this code (RFC 9457 §3.1.3).
    package var title: String {
        switch self {
        case .invalidJSON: "The body is not JSON"
        case .invalidParameter: "A parameter has a value that it cannot have"
        case .pageMismatch: "The page's number is not the one in the path"
        case .invalidPageToken: "The page token is not valid here"
        case .pageTokenMismatch: "A parameter disagrees with the page token"
        case .badRequest: "The request is not proper HTTP"
        case .unauthenticated: "It is not known who is asking"
        case .forbidden: "Who is asking may not do this"
        case .screenNotFound: "There is no such screen"
        case .pageNotFound: "The screen has no such page"
        case .pageNotLoaded: "The next page is not stored yet"
        case .notFound: "There is nothing at this path"
        case .methodNotAllowed: "This path does not take this method"
        case .requestTimeout: "The request did not arrive in time"
        case .lengthRequired: "The body's length is not announced"
        case .preconditionFailed: "A condition of the request does not hold"
        case .bodyTooLarge: "The body is too large"
        case .uriTooLong: "The request target is too long"
        case .unsupportedMediaType: "The body is not sent as plain JSON"
        case .expectationFailed: "The request's expectation cannot be met"
        case .invalidContract: "The JSON is not a page"
        case .invalidCatalog: "The JSON is not a catalog"
        case .headersTooLarge: "The request's head is too large"
        case .internal: "Something went wrong in the daemon"
        case .notImplemented: "The request needs something that is not spoken here"
        case .overloaded: "There is too much to do at the moment"
        case .storeUnavailable: "The store cannot be reached at the moment"
        case .httpVersionNotSupported: "This version of HTTP is not spoken here"
        }
    }

    /// A stable name for the problem's type (RFC 9457 §3.1.1).
    ///
    /// Nothing is served under it.
    package var type: String { "urn:broadsheet:problem:\(rawValue)" }
}
