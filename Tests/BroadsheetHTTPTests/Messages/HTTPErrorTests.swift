import BroadsheetHTTP
import Testing

@Suite("Errors of HTTP itself (docs/api.md, Errors)")
struct HTTPErrorTests {
    private static let all: [(HTTPError, Int)] = [
        (.badRequest(.malformedRequestLine), 400),
        (.invalidHeader(.ifMatch, .notEntityTags), 400),
        (.invalidHeader(.contentType, .notMediaType), 400),
        (.invalidHeader(.contentType, .repeated), 400),
        (.invalidParameter(name: "width", .malformedEscape), 400),
        (.invalidParameter(name: "width", .notUTF8), 400),
        (.invalidParameter(name: "width", .repeated), 400),
        (.requestTimeout, 408),
        (.lengthRequired, 411),
        (.bodyTooLarge(limit: 7), 413),
        (.chunkExtensionsTooLarge(limit: 7), 413),
        (.uriTooLong(limit: 7), 414),
        (.expectationFailed, 417),
        (.headersTooLarge(limit: 7), 431),
        (.tooManyHeaders(limit: 7), 431),
        (.trailersTooLarge(limit: 7), 431),
        (.tooManyTrailers(limit: 7), 431),
        (.methodNotImplemented, 501),
        (.unsupportedTransferCoding, 501),
        (.overloaded, 503),
        (.versionNotSupported, 505),
    ]

    @Test("Each error has its status (RFC 9110 §15)", arguments: all)
    func statuses(error: HTTPError, code: Int) {
        #expect(error.status.code == code)
        #expect(!error.status.reasonPhrase.isEmpty)
    }

    @Test("Each detail is a sentence, and names the limit that was exceeded", arguments: all)
    func details(error: HTTPError, code: Int) {
        #expect(error.detail.hasSuffix("."))
        #expect(error.detail.first?.isUppercase == true || error.detail.hasPrefix("width"))
        if "\(error)".contains("limit: 7") { #expect(error.detail.contains("7")) }
        if "\(error)".contains("width") { #expect(error.detail.contains("width")) }
    }

    @Test("Each bad request has a different detail")
    func badRequests() {
        let details = BadRequest.allCases.map { HTTPError.badRequest($0).detail }
        #expect(Set(details).count == details.count)
        #expect(details.allSatisfy { $0.hasSuffix(".") || $0.hasSuffix("?") })
    }
}
