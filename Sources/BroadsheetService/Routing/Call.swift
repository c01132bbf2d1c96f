import Broadsheet
import BroadsheetHTTP
import BroadsheetStores

/// One request on its way through its endpoint, with what the router found out about it.
struct Call: Sendable {
    /// The request.
    let request: HTTPRequest
    /// What the parts in braces of the operation's path stand for.
    let path: PathParameters
    /// The query's parameters.
    let query: Query
    /// The catalog that was in service when the request came; it keeps it to its end.
    let catalog: ActiveCatalog

    /// The screen that the path names; throws `INVALID_PARAMETER` when it is no name.
    func screen() throws(Problem) -> ScreenName {
        guard let name = path["screen"].flatMap(ScreenName.init) else {
            throw .invalidParameter(
                "screen", "must be 1 to 128 of A-Z a-z 0-9 . _ ~ -, but not . or ..")
        }
        return name
    }

    /// The page that the path names; throws `INVALID_PARAMETER` when it is no page number.
    func page() throws(Problem) -> Int {
        guard let number = path["page"].flatMap(WholeNumber.init)?.value,
            number <= ServerStatePage.maxNumber
        else {
            throw .invalidParameter(
                "page", "must be a whole number from 0 to \(ServerStatePage.maxNumber)")
        }
        return number
    }
}
