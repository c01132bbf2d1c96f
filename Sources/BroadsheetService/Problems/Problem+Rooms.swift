import Broadsheet
import BroadsheetHTTP
import BroadsheetStores

// Every room's errors become problems here and nowhere else, each by a switch over all its cases.

extension Problem {
    /// Calls `body`, and turns what it throws into a problem.
    static func mapping<Value>(_ body: () throws(HTTPError) -> Value) throws(Problem) -> Value {
        do { return try body() } catch { throw Problem(error) }
    }

    /// A text that is no JSON.
    init(_ error: JSONError) {
        self.init(.invalidJSON, "line \(error.line), column \(error.column): \(error.detail)")
        place = TextPlace(offset: error.offset, line: error.line, column: error.column)
    }

    /// JSON that is no page.
    init(_ error: ContractError) {
        self.init(.invalidContract, violations: error.violations, total: error.total)
    }

    /// JSON that is no catalog.
    init(_ error: CatalogError) {
        switch error {
        case .invalidJSON(let error): self.init(error)
        case .violations(let violations, let total):
            self.init(.invalidCatalog, violations: violations, total: total)
        }
    }

    /// A page that its screen has no room for.
    init(_ error: ViewModelError) {
        let violation = ContractViolation(pointer: "", detail: error.detail)
        self.init(.invalidContract, violations: [violation], total: 1)
        switch error {
        case .tooManyPages, .tooManySections, .tooManyItems: detail = "\(error.detail)."
        }
    }

    /// JSON that does not fit, and where.
    init(_ code: ProblemCode, violations: [ContractViolation], total: Int) {
        let shown = min(violations.count, ContractError.maxViolations)
        let places = total == 1 ? "1 place does" : "\(total) places do"
        let rest = total > shown ? "; the first \(shown) are listed" : ""
        self.init(code, "\(places) not fit\(rest).")
        if let first = violations.first, total == 1 {
            detail = "\(first.pointer.isEmpty ? "the document" : first.pointer) \(first.detail)."
        }
        errors = Array(violations.prefix(shown))
    }

    /// A request that HTTP itself refuses.
    init(_ error: HTTPError) {
        self.init(ProblemCode(error), error.detail)
        switch error {
        case .overloaded: retryAfter = Self.retrySeconds
        default: break
        }
    }

    /// A store that did not do what it was asked.
    init(_ error: StoreError) {
        switch error {
        case .conflict:
            self.init(
                .overloaded,
                "Too many writers are at work on this screen; try again a little later.")
        case .unavailable:
            self.init(
                .storeUnavailable,
                "The store cannot be reached; try again a little later. Whether a write that was "
                    + "under way has been done is not known.")
        case .full:
            self.init(.storeUnavailable, "The store has no room left; nothing was changed.")
        case .corrupt:
            self.init(.internal, "The store's data cannot be right; nothing is served from it.")
        }
        cause = error.reason
        if code != .internal { retryAfter = Self.retrySeconds }
    }
}

extension ProblemCode {
    /// What a refusal of HTTP is called.
    init(_ error: HTTPError) {
        self =
            switch error {
            case .badRequest: .badRequest
            case .invalidHeader, .invalidParameter: .invalidParameter
            case .requestTimeout: .requestTimeout
            case .lengthRequired: .lengthRequired
            case .bodyTooLarge, .chunkExtensionsTooLarge: .bodyTooLarge
            case .uriTooLong: .uriTooLong
            case .expectationFailed: .expectationFailed
            case .headersTooLarge, .tooManyHeaders, .trailersTooLarge, .tooManyTrailers:
                .headersTooLarge
            case .methodNotImplemented, .unsupportedTransferCoding: .notImplemented
            case .overloaded: .overloaded
            case .versionNotSupported: .httpVersionNotSupported
            }
    }
}
