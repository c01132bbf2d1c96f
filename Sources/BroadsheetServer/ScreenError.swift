public import Broadsheet
import BroadsheetService
public import BroadsheetStores

/// The reason why an operation on a screen of one's own server was not done.
public enum ScreenError: Error, Sendable, Hashable {
    /// The name is not that of a screen: 1 to 128 of `A-Z a-z 0-9 . _ ~ -`, but not `.` or `..`.
    case invalidName(String)
    /// The page is not one.
    case invalidPage(ModelPageError)
    /// An operation or an action cannot be done.
    case impossible(EditError)
    /// The screen of an update or of events does not exist.
    case absent
    /// The screen is at another revision than the expected one, or does not exist (`nil`), or other
    /// writers were first too often.
    case conflict(current: UInt64?)
    /// A limit, or the memory, does not permit it.
    case tooMuch(String)
    /// The store has failed.
    case store(StoreError)
    /// The server has ended or cannot start, or the task was cancelled.
    case stopped
}

extension ScreenError: CustomStringConvertible {
    /// The description for the author of the program.
    public var description: String {
        switch self {
        case .invalidName(let name):
            "\"\(name)\" is not the name of a screen: 1 to 128 of A-Z a-z 0-9 . _ ~ -"
        case .invalidPage(let error): "\(error)"
        case .impossible(let error): "\(error)"
        case .absent: "the screen does not exist"
        case .conflict(let current?): "the screen is at revision \(current)"
        case .conflict(nil): "other writers were first, or the screen does not exist"
        case .tooMuch(let detail): detail
        case .store(let error): error.reason
        case .stopped: "the server does not run"
        }
    }
}

extension ScreenError {
    init(_ problem: Problem) {
        if problem.isConnectionLost {
            self = .stopped
            return
        }
        if let error = problem.storeError {
            if case .conflict(let current) = error {
                self = .conflict(current: current)
            } else {
                self = .store(error)
            }
            return
        }
        switch problem.code {
        case .preconditionFailed: self = .conflict(current: problem.currentRevision)
        case .screenNotFound: self = .absent
        case .updateFailed, .patchFailed, .pageNotFound: self = .impossible(problem.editError)
        case .invalidContract, .pageMismatch, .invalidParameter, .invalidJSON:
            self = problem.isOfLimit ? .tooMuch(problem.detail) : .invalidPage(problem.pageError)
        case .draining: self = .stopped
        case .bodyTooLarge, .screenTooLarge, .storedScreenTooLarge, .overloaded, .responseTooLarge,
            .internal, .storeUnavailable, .invalidPageToken, .pageTokenMismatch, .invalidPatch,
            .badRequest, .unauthenticated, .forbidden, .forbiddenOrigin, .pageNotLoaded, .notFound,
            .methodNotAllowed, .clientNotSupported, .essentialSectionMissing, .requestTimeout,
            .lengthRequired, .uriTooLong, .unsupportedMediaType, .expectationFailed,
            .misdirectedRequest, .invalidCatalog, .headersTooLarge, .notImplemented, .originFailed,
            .originUnavailable, .originTimeout, .httpVersionNotSupported, .itemNotFound,
            .revisionNotFound, .tokenInvalid, .tokenKeyUnknown, .tokenSignatureInvalid,
            .tokenAudienceWrong, .tokenNotYetValid, .tokenExpired, .tooManyTokens:
            self = .tooMuch(problem.detail)
        }
    }

    /// Returns the error of an update or of events: its page was not loaded.
    var ofEdit: ScreenError {
        guard case .invalidPage(.invalidContract(let error)) = self else { return self }
        return .impossible(.invalidContract(error))
    }
}

extension Problem {
    fileprivate var editError: EditError {
        .impossible(pointer: errors.first?.pointer ?? "", detail: errors.first?.detail ?? detail)
    }

    fileprivate var pageError: ModelPageError {
        let violation = ContractViolation(pointer: "", detail: detail)
        return .invalidContract(ContractError(violations: errors.isEmpty ? [violation] : errors))
    }
}
