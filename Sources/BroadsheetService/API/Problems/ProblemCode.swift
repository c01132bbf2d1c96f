package import BroadsheetHTTP

/// The code of a problem, for programs (docs/api.md, "Errors").
///
/// Codes are part of the API: new ones are added, existing ones never change. A code is declared
/// here and nowhere else: by a case, and by a row of ``definition``.
package enum ProblemCode: String, Sendable, Hashable, CaseIterable {
    case invalidJSON = "INVALID_JSON"
    case invalidParameter = "INVALID_PARAMETER"
    case pageMismatch = "PAGE_MISMATCH"
    case invalidPageToken = "INVALID_PAGE_TOKEN"
    case pageTokenMismatch = "PAGE_TOKEN_MISMATCH"
    case invalidPatch = "INVALID_PATCH"
    case badRequest = "BAD_REQUEST"
    case unauthenticated = "UNAUTHENTICATED"
    case tokenInvalid = "TOKEN_INVALID"
    case tokenKeyUnknown = "TOKEN_KEY_UNKNOWN"
    case tokenSignatureInvalid = "TOKEN_SIGNATURE_INVALID"
    case tokenAudienceWrong = "TOKEN_AUDIENCE_WRONG"
    case tokenNotYetValid = "TOKEN_NOT_YET_VALID"
    case tokenExpired = "TOKEN_EXPIRED"
    case forbidden = "FORBIDDEN"
    case forbiddenOrigin = "FORBIDDEN_ORIGIN"
    case screenNotFound = "SCREEN_NOT_FOUND"
    case pageNotFound = "PAGE_NOT_FOUND"
    case pageNotLoaded = "PAGE_NOT_LOADED"
    case revisionNotFound = "REVISION_NOT_FOUND"
    case itemNotFound = "ITEM_NOT_FOUND"
    case notFound = "NOT_FOUND"
    case methodNotAllowed = "METHOD_NOT_ALLOWED"
    case clientNotSupported = "CLIENT_NOT_SUPPORTED"
    case essentialSectionMissing = "ESSENTIAL_SECTION_MISSING"
    case requestTimeout = "REQUEST_TIMEOUT"
    case patchFailed = "PATCH_FAILED"
    case updateFailed = "UPDATE_FAILED"
    case lengthRequired = "LENGTH_REQUIRED"
    case preconditionFailed = "PRECONDITION_FAILED"
    case bodyTooLarge = "BODY_TOO_LARGE"
    case uriTooLong = "URI_TOO_LONG"
    case unsupportedMediaType = "UNSUPPORTED_MEDIA_TYPE"
    case expectationFailed = "EXPECTATION_FAILED"
    case misdirectedRequest = "MISDIRECTED_REQUEST"
    case invalidContract = "INVALID_CONTRACT"
    case invalidCatalog = "INVALID_CATALOG"
    case screenTooLarge = "SCREEN_TOO_LARGE"
    case responseTooLarge = "ANSWER_TOO_LARGE"
    case tooManyTokens = "TOO_MANY_TOKENS"
    case headersTooLarge = "HEADERS_TOO_LARGE"
    case `internal` = "INTERNAL"
    case notImplemented = "NOT_IMPLEMENTED"
    case originFailed = "ORIGIN_FAILED"
    case overloaded = "OVERLOADED"
    case draining = "DRAINING"
    case storeUnavailable = "STORE_UNAVAILABLE"
    case storedScreenTooLarge = "STORED_SCREEN_TOO_LARGE"
    case originUnavailable = "ORIGIN_UNAVAILABLE"
    case originTimeout = "ORIGIN_TIMEOUT"
    case httpVersionNotSupported = "HTTP_VERSION_NOT_SUPPORTED"

    /// The status, the title and the description of a code.
    private struct Definition {
        let status: HTTPStatus
        let title: String
        let summary: String

        init(_ status: HTTPStatus, _ title: String, _ summary: String) {
            self.status = status
            self.title = title
            self.summary = summary
        }
    }

    private var definition: Definition {
        switch self {
        case .invalidJSON:
            .init(.badRequest, "Invalid JSON", "The body is not valid JSON")
        case .invalidParameter:
            .init(
                .badRequest, "Invalid parameter",
                "A parameter of the path, the query or a header has an invalid value")
        case .pageMismatch:
            .init(
                .badRequest, "Page number mismatch",
                "The number of the page differs from the one in the path")
        case .invalidPageToken:
            .init(
                .badRequest, "Invalid page token",
                "The page token is damaged, or belongs to another screen or store")
        case .pageTokenMismatch:
            .init(.badRequest, "Page token mismatch", "A parameter contradicts the page token")
        case .invalidPatch:
            .init(.badRequest, "Invalid patch", "The body is JSON, but not a JSON Patch")
        case .badRequest:
            .init(.badRequest, "Bad request", "The request violates HTTP")
        case .unauthenticated:
            .init(
                .unauthorized, "Authentication required",
                "The request has no secret of a key that is valid")
        case .tokenInvalid:
            .init(
                .unauthorized, "Invalid token",
                "The token is not a JWT with the header and the claims that it needs")
        case .tokenKeyUnknown:
            .init(
                .unauthorized, "Key of the token unknown",
                "The `kid` of the token is not that of a key that is valid")
        case .tokenSignatureInvalid:
            .init(
                .unauthorized, "Signature of the token invalid",
                "The signature of the token is not that of its key")
        case .tokenAudienceWrong:
            .init(
                .unauthorized, "Audience of the token wrong",
                "The audience of the token is not that of its key")
        case .tokenNotYetValid:
            .init(
                .unauthorized, "Token not valid yet", "The token begins more than 60 seconds later")
        case .tokenExpired:
            .init(.unauthorized, "Token expired", "The end of the token has passed")
        case .forbidden:
            .init(
                .forbidden, "Forbidden",
                "The key does not have the right, or not to the screen, which may not exist")
        case .forbiddenOrigin:
            .init(
                .forbidden, "Origin not allowed",
                "A web page of another origin may not write")
        case .screenNotFound:
            .init(.notFound, "Screen not found", "The screen does not exist")
        case .pageNotFound:
            .init(.notFound, "Page not found", "The screen does not have the page")
        case .pageNotLoaded:
            .init(.notFound, "Page not loaded", "The next page of the token is not stored yet")
        case .revisionNotFound:
            .init(
                .notFound, "Revision not found",
                "The revision of the screen is not kept, or does not exist yet")
        case .itemNotFound:
            .init(
                .notFound, "Item not found",
                "The tree does not have the item or section, and no item replaces it")
        case .notFound:
            .init(.notFound, "Resource not found", "No resource has this path")
        case .methodNotAllowed:
            .init(
                .methodNotAllowed, "Method not allowed", "The resource does not support the method")
        case .clientNotSupported:
            .init(
                .notAcceptable, "Client not supported",
                "The app is too old for a section that the screen is of no use without")
        case .essentialSectionMissing:
            .init(
                .notAcceptable, "Essential section missing",
                "A section that the screen is of no use without cannot be made")
        case .requestTimeout:
            .init(.requestTimeout, "Request timeout", "The request did not arrive in time")
        case .patchFailed:
            .init(
                .conflict, "Patch failed",
                "An operation of the patch cannot be applied to the page")
        case .updateFailed:
            .init(
                .conflict, "Update failed",
                "An operation of the update cannot be applied to the screen")
        case .lengthRequired:
            .init(
                .lengthRequired, "Length required",
                "The request has a body without Content-Length or chunked coding")
        case .preconditionFailed:
            .init(
                .preconditionFailed, "Precondition failed",
                "A condition of the request does not hold")
        case .bodyTooLarge:
            .init(
                .contentTooLarge, "Body too large",
                "The body exceeds the limit, or needs more memory than the daemon has")
        case .uriTooLong:
            .init(.uriTooLong, "URI too long", "The request target exceeds the limit")
        case .unsupportedMediaType:
            .init(
                .unsupportedMediaType, "Unsupported media type",
                "The body is not sent as plain JSON")
        case .expectationFailed:
            .init(
                .expectationFailed, "Expectation failed",
                "The request has an expectation other than 100-continue")
        case .misdirectedRequest:
            .init(
                .misdirectedRequest, "Misdirected request",
                "The daemon does not serve the host of the request")
        case .invalidContract:
            .init(
                .unprocessableContent, "Contract violated",
                "The body is JSON, but not a page, or exceeds a limit")
        case .invalidCatalog:
            .init(.unprocessableContent, "Invalid catalog", "The catalog in the body is invalid")
        case .screenTooLarge:
            .init(
                .unprocessableContent, "Screen too large",
                "The pages together would exceed the limit in bytes, or need more memory than the "
                    + "daemon has")
        case .responseTooLarge:
            .init(
                .unprocessableContent, "Response too large",
                "The response would exceed the limit; request less of it")
        case .tooManyTokens:
            .init(
                .tooManyRequests, "Too many tokens",
                "Too many tokens of the client's address were not valid; it is refused others for a "
                    + "time")
        case .headersTooLarge:
            .init(
                .requestHeaderFieldsTooLarge, "Header fields too large",
                "The header or trailer fields exceed the limit")
        case .internal:
            .init(.internalServerError, "Internal error", "The daemon failed")
        case .notImplemented:
            .init(
                .notImplemented, "Not implemented",
                "The method or the transfer coding is not implemented")
        case .originFailed:
            .init(
                .badGateway, "Origin failed",
                "The origin cannot be reached, or its response is not the page")
        case .overloaded:
            .init(
                .serviceUnavailable, "Service overloaded",
                "The daemon has too many connections or expensive requests, or no memory for the "
                    + "request, or the screen too many writers")
        case .draining:
            .init(.serviceUnavailable, "Daemon draining", "The daemon stops soon (`/readyz`)")
        case .storeUnavailable:
            .init(
                .serviceUnavailable, "Store unavailable", "The store cannot be reached, or is full")
        case .storedScreenTooLarge:
            .init(
                .serviceUnavailable, "Stored screen too large",
                "The stored screen, or the page, exceeds a limit of this daemon, or needs more "
                    + "memory than it has")
        case .originUnavailable:
            .init(
                .serviceUnavailable, "Origin unavailable",
                "The origin has failed several times in a row and is not asked for a time")
        case .originTimeout:
            .init(
                .gatewayTimeout, "Origin timeout", "The page did not arrive from the origin in time"
            )
        case .httpVersionNotSupported:
            .init(
                .httpVersionNotSupported, "HTTP version not supported",
                "The HTTP version is not supported")
        }
    }
}

extension ProblemCode {
    package var status: HTTPStatus { definition.status }

    /// The title, the same for all problems of the code (RFC 9457 §3.1.3).
    package var title: String { definition.title }

    /// The description in the OpenAPI document and in docs/api.md, without a full stop.
    package var summary: String { definition.summary }

    /// The codes that occur only where there is an issuer of tokens.
    static let ofTokens: [ProblemCode] = .tokens + [.tooManyTokens]

    /// The stable identifier of the problem type (RFC 9457 §3.1.1); no resource is served under it.
    package var type: String { "urn:broadsheet:problem:\(rawValue)" }
}

// The codes that groups of operations have in common.
extension [ProblemCode] {
    static let tokens: Self = TokenFailure.allCases.map(\.code)
    static let screen: Self = [.invalidParameter, .screenNotFound]
    static let body: Self = [
        .invalidJSON, .lengthRequired, .bodyTooLarge, .unsupportedMediaType, .invalidContract,
    ]
    static let condition: Self = [.preconditionFailed]
    /// The problems of a layout without its essential sections.
    static let essential: Self = [.clientNotSupported, .essentialSectionMissing]
    /// The problem of an operation that reads stored pages.
    static let reading: Self = [.storedScreenTooLarge]
    static let store: Self = [.overloaded, .storeUnavailable]
    /// The problems of an operation that needs pages which may come from an origin.
    static let origin: Self = [
        .pageNotFound, .originFailed, .originUnavailable, .originTimeout,
    ]
}
