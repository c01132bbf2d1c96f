import Broadsheet
import BroadsheetHTTP
import BroadsheetStores

/// Why a request is not answered as it hoped: what becomes a problem document (RFC 9457).
struct Problem: Error, Sendable, Hashable {
    /// What is wrong, for programs.
    let code: ProblemCode
    /// What is wrong here and what to do about it, for people.
    var detail: String
    /// Where the body does not fit; at most 100.
    var errors: [ContractViolation] = []
    /// Where the body is no JSON.
    var place: TextPlace?
    /// The methods that the path takes.
    var allow: [HTTPMethod]?
    /// After how many seconds the same request may well work.
    var retryAfter: Int?

    /// More about it for the log, which is no client's to read.
    var cause: String?

    /// Makes a problem of a code and a sentence.
    init(_ code: ProblemCode, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// A place in a text that was sent.
    struct TextPlace: Sendable, Hashable {
        /// The byte, counted from 0.
        let offset: Int
        /// Its line, counted from 1.
        let line: Int
        /// Its place in its line in bytes, counted from 1.
        let column: Int
    }
}

/// The problems that the service itself finds.
extension Problem {
    /// How long to wait before trying what was not there yet or was too much, in seconds.
    static let retrySeconds = 1

    /// A parameter's or header's value is not allowed; `requirement` goes on after its name.
    static func invalidParameter(_ name: String, _ requirement: String) -> Problem {
        Problem(.invalidParameter, "\(name) \(requirement)")
    }

    /// There is no such screen.
    static func screenNotFound(_ screen: ScreenName) -> Problem {
        Problem(
            .screenNotFound, "There is no screen \"\(screen)\"; PUT a page of it to make it.")
    }

    /// The screen has no such page.
    static func pageNotFound(_ page: Int, _ screen: ScreenName) -> Problem {
        Problem(.pageNotFound, "The screen \"\(screen)\" has no page \(page).")
    }

    /// The token's next page is not stored yet.
    static func pageNotLoaded(after page: Int) -> Problem {
        var problem = Problem(
            .pageNotLoaded, "No page after page \(page) is stored yet; try again a little later.")
        problem.retryAfter = retrySeconds
        return problem
    }

    /// The path does not take the method.
    static func methodNotAllowed(_ method: HTTPMethod, allow: [HTTPMethod]) -> Problem {
        let methods = allow.map(\.token).joined(separator: ", ")
        var problem = Problem(
            .methodNotAllowed, "This path does not take \(method); it takes \(methods).")
        problem.allow = allow
        return problem
    }
}
