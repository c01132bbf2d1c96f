import Broadsheet
import BroadsheetHTTP
import BroadsheetStores

// The mapping of the errors of other modules to problems: one exhaustive switch for each error
// type.

extension Problem {
    /// Calls `body` and maps the error that it throws.
    static func mapping<Value>(_ body: () throws(HTTPError) -> Value) throws(Problem) -> Value {
        do { return try body() } catch { throw Problem(error) }
    }

    /// Maps an error of HTTP.
    init(_ error: HTTPError) {
        self.init(Self.code(of: error), error.detail)
        if code == .overloaded { retryAfter = Self.retrySeconds }
    }

    private static func code(of error: HTTPError) -> ProblemCode {
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
        case .overloaded, .outOfMemory: .overloaded
        case .versionNotSupported: .httpVersionNotSupported
        }
    }

    /// Maps an error of the store.
    init(_ error: StoreError) {
        switch error {
        case .conflict:
            self.init(.overloaded, "The screen has too many concurrent writers; try again later.")
        case .unavailable, .unknown:
            self.init(
                .storeUnavailable,
                "The store cannot be reached; try again later. A write that was in progress may "
                    + "or may not have been stored.")
        case .full:
            self.init(.storeUnavailable, "The store is full; nothing was changed.")
        case .tooLarge(let byteCount, let limit):
            self = .screenTooLarge(byteCount: byteCount, limitOfStore: limit)
            return
        case .corrupt:
            self.init(.internal, "The data in the store is damaged and is not served.")
        }
        cause = error.reason
        storeError = error
        if code != .internal { retryAfter = Self.retrySeconds }
    }

    /// Maps the error of a text that is not valid JSON.
    init(_ error: JSONError) {
        self.init(.invalidJSON, "line \(error.line), column \(error.column): \(error.detail)")
        position = TextPosition(offset: error.offset, line: error.line, column: error.column)
        isOfLimit = error.reason.isOfLimit
    }

    /// Maps the error of JSON that is not a page.
    init(_ error: ContractError) {
        self.init(.invalidContract, violations: error.violations, total: error.total)
        isOfLimit = error.isOfLimit
    }

    /// Maps the error of an invalid catalog.
    init(_ error: CatalogError) {
        switch error {
        case .invalidJSON(let error): self.init(error)
        case .violations(let violations, let total):
            self.init(.invalidCatalog, violations: violations, total: total)
        }
    }

    /// Maps the error of a page that exceeds a limit of its screen.
    init(_ error: ViewModelError) {
        switch error {
        case .tooManyPages, .tooManySections, .tooManyItems:
            let violation = ContractViolation(pointer: "", detail: error.detail)
            self.init(.invalidContract, violations: [violation], total: 1)
            detail = "\(error.detail)."
            isOfLimit = true
        }
    }

    /// Maps the error of an edit.
    ///
    /// - Parameter failure: The code of an operation that cannot be done.
    init(_ error: EditError, failure: ProblemCode) {
        switch error {
        case .impossible(let pointer, let detail): self.init(failure, at: pointer, detail)
        case .tooLarge(let pointer, let detail):
            self.init(.invalidContract, at: pointer, detail)
            isOfLimit = true
        case .invalidContract(let error): self.init(error)
        case .tooMuch(let error): self.init(error)
        case .outOfMemory: self = .tooLittleMemory
        }
    }

    /// Creates the problem of one operation of an edit.
    private init(_ code: ProblemCode, at pointer: String, _ detail: String) {
        self.init(code, detail)
        errors = [ContractViolation(pointer: pointer, detail: detail)]
    }

    /// Creates the problem of a body that violates its contract.
    ///
    /// - Parameters:
    ///   - code: The code of the problem.
    ///   - violations: The violations in document order.
    ///   - total: The number of violations, including those that are not in `violations`.
    init(_ code: ProblemCode, violations: [ContractViolation], total: Int) {
        let listed = min(violations.count, ContractError.maxViolations)
        let rest = total > listed ? "; the first \(listed) are listed" : ""
        self.init(code, "The body has \(total) violations\(rest).")
        if let first = violations.first, total == 1 {
            detail = "\(first.pointer.isEmpty ? "the document" : first.pointer) \(first.detail)."
        }
        errors = Array(violations.prefix(listed))
    }
}

extension ReadExcess {
    /// A description of the excess with the flag of the limit, without a full stop.
    var detail: String {
        let flag =
            switch quantity {
            case .screenBytes: "--max-screen-bytes"
            case .pages: "--max-pages"
            case .pageBytes: "--max-body"
            case .sections: "--max-sections"
            case .items: "--max-items"
            case .depth: "--max-depth"
            case .memory: "--memory"
            }
        return "\(description.dropLast()) (\(flag))"
    }
}
