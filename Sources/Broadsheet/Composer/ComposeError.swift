/// An error of one of the steps from pages to their tree.
///
/// Every case carries the position of the page among the pages given, counted from 0.
public enum ComposeError: Error, Sendable, Hashable {
    /// The page's bytes are not valid JSON.
    case invalidJSON(JSONError, page: Int)
    /// The page is JSON that violates the contract, or exceeds a limit of one page.
    case invalidContract(ContractError, page: Int)
    /// An earlier page has the same number.
    case repeatedNumber(Int, page: Int)
    /// The page has no number, and no number above the highest one is left.
    case noNumberLeft(page: Int)
    /// The pages together exceed a limit of one screen.
    case tooMuch(ViewModelError, page: Int)

    /// The position of the page that the error concerns.
    public var page: Int {
        switch self {
        case .invalidJSON(_, let page), .invalidContract(_, let page),
            .repeatedNumber(_, let page), .noNumberLeft(let page), .tooMuch(_, let page):
            page
        }
    }

    /// A description of the error for the author of the page.
    public var detail: String {
        switch self {
        case .invalidJSON(let error, _):
            "line \(error.line), column \(error.column): \(error.detail)"
        case .invalidContract(let error, _):
            error.violations.first.map { "\($0.pointer) \($0.detail)" } ?? "not a page"
        case .repeatedNumber(let number, _):
            "an earlier page has the number \(number) too"
        case .noNumberLeft:
            "the page needs a number, since none above the highest is left"
        case .tooMuch(let error, _):
            error.detail
        }
    }
}

extension ComposeError: CustomStringConvertible {
    /// The description for the author of the page.
    public var description: String { detail }
}
