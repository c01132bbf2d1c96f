/// Which step on the way from pages to their tree refused, what it said, and about which page,
/// counted from 0 in the order in which the pages were given.
public enum ComposeError: Error, Sendable, Hashable {
    /// The page's bytes are no JSON.
    case invalidJSON(JSONError, page: Int)
    /// The page is JSON that does not keep the contract, or makes more than a page may.
    case invalidContract(ContractError, page: Int)
    /// An earlier page has the same number.
    case repeatedNumber(Int, page: Int)
    /// The page says no number, and the numbers above the highest are used up.
    case noNumberLeft(page: Int)
    /// The pages together hold more than a screen may.
    case tooMuch(ViewModelError, page: Int)

    /// The page that was refused.
    public var page: Int {
        switch self {
        case .invalidJSON(_, let page), .invalidContract(_, let page),
            .repeatedNumber(_, let page), .noNumberLeft(let page), .tooMuch(_, let page):
            page
        }
    }

    /// A sentence for the person who sent the page.
    public var detail: String {
        switch self {
        case .invalidJSON(let error, _):
            "line \(error.line), column \(error.column): \(error.detail)"
        case .invalidContract(let error, _):
            error.violations.first.map { "\($0.pointer) \($0.detail)" } ?? "no page"
        case .repeatedNumber(let number, _):
            "an earlier page has the number \(number) too"
        case .noNumberLeft:
            "the page needs a number, since none above the highest is left"
        case .tooMuch(let error, _):
            error.detail
        }
    }
}
