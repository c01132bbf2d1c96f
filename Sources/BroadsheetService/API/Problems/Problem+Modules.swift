import Broadsheet
import BroadsheetHTTP
import BroadsheetStores

// The mapping of the errors of other modules to problems: one exhaustive switch for each error
// type.

extension Problem {
    static func mapping<Value>(_ body: () throws(HTTPError) -> Value) throws(Problem) -> Value {
        do { return try body() } catch { throw Problem(error) }
    }

    static func mapping<Value>(
        _ body: () throws(ContractError) -> Value
    ) throws(Problem) -> Value {
        do { return try body() } catch { throw Problem(error) }
    }

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

    init(_ error: JSONError) {
        self.init(.invalidJSON, "line \(error.line), column \(error.column): \(error.detail)")
        position = TextPosition(offset: error.offset, line: error.line, column: error.column)
        isOfLimit = error.reason.isOfLimit
    }

    init(_ error: ContractError) {
        self.init(.invalidContract, violations: error.violations, total: error.total)
        isOfLimit = error.isOfLimit
    }

    init(_ error: CatalogError) {
        switch error {
        case .invalidJSON(let error): self.init(error)
        case .violations(let violations, let total):
            self.init(.invalidCatalog, violations: violations, total: total)
        }
    }

    init(_ error: ViewModelError) {
        switch error {
        case .tooManyPages, .tooManySections, .tooManyItems:
            self = .violation(error.detail)
            detail = "\(error.detail)."
            isOfLimit = true
        }
    }

    /// `failure` is the code of an operation that cannot be done.
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

    private init(_ code: ProblemCode, at pointer: String, _ detail: String) {
        self.init(code, detail)
        errors = [ContractViolation(pointer: pointer, detail: detail)]
    }

    /// `total` includes the violations that are not in `violations`.
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
