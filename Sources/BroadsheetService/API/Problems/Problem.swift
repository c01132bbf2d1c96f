package import Broadsheet
import BroadsheetHTTP
package import BroadsheetStores

/// A problem with a request, which becomes a problem document (RFC 9457).
package struct Problem: Error, Sendable, Hashable {
    /// The kind of problem, for programs.
    package let code: ProblemCode
    /// The explanation of this occurrence, for people.
    package var detail: String
    /// The violations in the body; at most 100.
    package var errors: [ContractViolation] = []
    /// The position in the body that is not valid JSON.
    var position: TextPosition?
    var allow: [HTTPMethod]?
    /// The value of `WWW-Authenticate`: how to become a client that may do this.
    var challenge: String?
    /// The media types of patches that the resource accepts.
    var acceptPatch: String?
    /// The number of seconds after which the same request may succeed.
    var retryAfter: Int?

    /// The pages of ``errors`` about stored pages; empty for errors about a body.
    var errorPages: [Int] = []

    /// The limit of a stored screen that the request met.
    var excess: ReadExcess?

    /// A Boolean value that indicates whether the request ended because its connection was lost, so
    /// that the problem is neither sent nor logged.
    package var isConnectionLost = false

    /// A Boolean value that indicates whether the request has a token, and the problem is about it.
    var isOfToken = false

    /// The error of the store, for the program that owns the server.
    package var storeError: StoreError?
    /// A Boolean value that indicates whether a limit is the reason, for the program that owns the
    /// server.
    package var isOfLimit = false
    /// The revision of the screen that a condition of the program did not hold for.
    package var currentRevision: UInt64?

    /// The cause, for the log only; it may contain addresses and paths of the server.
    var cause: String?

    init(
        _ code: ProblemCode, _ detail: String, retryAfter: Int? = nil, challenge: String? = nil,
        cause: String? = nil
    ) {
        self.code = code
        self.detail = detail
        self.retryAfter = retryAfter
        self.challenge = challenge
        self.cause = cause
    }

    /// Creates the problem `INVALID_CONTRACT` of a body with one violation.
    static func violation(at pointer: String = "", _ detail: String) -> Problem {
        let violation = ContractViolation(pointer: pointer, detail: detail)
        return Problem(.invalidContract, violations: [violation], total: 1)
    }

    /// A position in the text of a body.
    struct TextPosition: Sendable, Hashable {
        /// The offset in bytes, counted from 0.
        let offset: Int
        /// The line, counted from 1.
        let line: Int
        /// The column in bytes, counted from 1.
        let column: Int
    }
}

/// The problems that the service itself detects.
extension Problem {
    /// The value of `Retry-After`, in seconds.
    static let retrySeconds = 1

    /// `reason` is a clause without a period.
    static func overloaded(_ reason: String) -> Problem {
        Problem(.overloaded, "\(reason); try again later.", retryAfter: retrySeconds)
    }

    static var draining: Problem {
        Problem(
            .draining, "The daemon stops soon; use another one.", retryAfter: retrySeconds)
    }

    /// `requirement` is in words that follow the name.
    static func invalidParameter(_ name: String, _ requirement: String) -> Problem {
        Problem(.invalidParameter, "\(name) \(requirement)")
    }

    static func screenNotFound(_ screen: ScreenName) -> Problem {
        Problem(
            .screenNotFound, "The screen \"\(screen)\" does not exist; PUT a page to create it.")
    }

    static func pageNotFound(_ page: Int, _ screen: ScreenName) -> Problem {
        Problem(.pageNotFound, "The screen \"\(screen)\" has no page \(page).")
    }

    /// Creates the problem of a token whose next page is not stored yet.
    static func pageNotLoaded(after page: Int) -> Problem {
        Problem(
            .pageNotLoaded, "No page after page \(page) is stored yet; try again later.",
            retryAfter: retrySeconds)
    }

    /// Creates the problem of a revision that is not kept, or does not exist yet.
    static func revisionNotFound(_ revision: UInt64, _ screen: ScreenName) -> Problem {
        Problem(
            .revisionNotFound,
            "The screen \"\(screen)\" has no revision \(revision), or does not keep it any more; "
                + "GET /v1/screens/\(screen)/revisions lists those that it has.")
    }

    /// Creates the problem of a token of a window before the lowest page.
    static func pageNotLoaded(before page: Int) -> Problem {
        Problem(
            .pageNotLoaded, "No page before page \(page) is stored yet; try again later.",
            retryAfter: retrySeconds)
    }

    /// Creates the problem of an anchor that the tree does not have.
    static func itemNotFound(_ detail: String) -> Problem { Problem(.itemNotFound, detail) }

    static func screenTooLarge(limit: Int) -> Problem {
        Problem(
            .screenTooLarge,
            "The pages of the screen would have more than \(limit) bytes together "
                + "(--max-screen-bytes); remove pages, or divide the screen.")
    }

    /// Creates the problem of pages that have more bytes together than the store accepts, in one
    /// write or in one screen.
    static func screenTooLarge(byteCount: Int, limitOfStore limit: Int) -> Problem {
        Problem(
            .screenTooLarge,
            "The pages have \(byteCount) bytes together, the limit of the store is \(limit); "
                + "write fewer pages at a time, remove pages, or divide the screen.")
    }

    static func storedScreenTooLarge(_ excess: ReadExcess) -> Problem {
        var problem = Problem(
            .storedScreenTooLarge,
            "\(excess.detail); raise the limit, remove pages or replace them by smaller ones, or "
                + "delete the screen. Pages within the limits can be read one by one.")
        problem.excess = excess
        return problem
    }

    /// Creates the problem of a write that would make a screen grow that exceeds a limit already.
    static func screenMayNotGrow(_ excess: ReadExcess) -> Problem {
        let detail =
            "\(excess.detail); until the screen is smaller, it accepts only pages that do not make "
            + "it grow"
        switch excess.quantity {
        case .screenBytes, .pageBytes, .depth, .memory:
            return Problem(.screenTooLarge, "\(detail).")
        case .pages, .sections, .items:
            var problem = violation(detail)
            problem.detail = "\(detail)."
            problem.isOfLimit = true
            return problem
        }
    }

    static func responseTooLarge(limit: Int) -> Problem {
        Problem(
            .responseTooLarge,
            "The response would have more than \(limit) bytes; request a part of the content "
                + "with rect, fewer pages with pageToken, less of each element with "
                + "fields=frames, or fewer viewports.")
    }

    static func missing(
        _ sections: [(page: ResolvedPage, section: MissingSection)]
    ) -> Problem {
        let isClientTooOld = sections.contains { $0.section.isClientTooOld }
        var problem =
            isClientTooOld
            ? Problem(
                .clientNotSupported,
                "The app is too old for a section that the screen is of no use without; ask for "
                    + "an update of the app.")
            : Problem(
                .essentialSectionMissing,
                "A section that the screen is of no use without cannot be made; correct its page.")
        for (page, section) in sections.prefix(ContractError.maxViolations) {
            problem.errorPages.append(page.number)
            problem.errors.append(
                ContractViolation(
                    pointer: section.pointer(page.names),
                    detail: section.detail(page: page.number, page.names)))
        }
        return problem
    }
}

/// The problem document.
extension Problem {
    /// The media type of a problem document (RFC 9457 §3).
    static let mediaType = "application/problem+json"

    func response(to id: RequestID) -> HTTPResponse {
        var headers: HTTPHeaders = [.contentType: Self.mediaType]
        if let allow { headers.append(.allow, allow.map(\.token).joined(separator: ", ")) }
        if let challenge { headers.append(.wwwAuthenticate, challenge) }
        if let acceptPatch { headers.append(.acceptPatch, acceptPatch) }
        if let retryAfter { headers.append(.retryAfter, String(retryAfter)) }
        return HTTPResponse(status: code.status, headers: headers, body: document(for: id))
    }

    /// Returns the problem document (RFC 9457 §3.1), its members in the order of docs/api.md.
    private func document(for id: RequestID) -> [UInt8] {
        var output = StructuredJSONWriter(reservingCapacity: 512)
        output.object { output in
            output.member("type", code.type)
            output.member("title", code.title)
            output.member("status", code.status.code)
            output.member("detail", detail)
            output.member("instance", "urn:broadsheet:request:\(id.text)")
            output.member("code", code.rawValue)
            if let position {
                output.member("offset", position.offset)
                output.member("line", position.line)
                output.member("column", position.column)
            }
            if !errors.isEmpty {
                output.array("errors") { output in
                    for (index, error) in errors.enumerated() {
                        output.element()
                        output.object { output in
                            if index < errorPages.count { output.member("page", errorPages[index]) }
                            output.member("pointer", error.pointer)
                            output.member("detail", error.detail)
                        }
                    }
                }
            }
        }
        return output.bytes
    }
}
