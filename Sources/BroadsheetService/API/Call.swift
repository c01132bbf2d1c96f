import Broadsheet
import BroadsheetHTTP
import BroadsheetStores

/// The facts of a routed request, which its handler receives with the service.
struct Call: Sendable {
    /// The request.
    let request: HTTPRequest
    /// The id of the request.
    let requestID: RequestID
    /// The values of the parameters in the operation's path.
    let path: PathParameters
    /// The parameters of the query.
    let query: Query
    /// The catalog of the request, which was in service when the request arrived.
    var catalog: ActiveCatalog
    /// The position of the operation in the list of operations.
    let operation: Int
    /// The client, which may call the operation.
    let caller: Caller
    /// The access to the worker threads.
    var work: Work

    /// Returns the screen that the path names.
    ///
    /// - Throws: `INVALID_PARAMETER` for a malformed name.
    func screen() throws(Problem) -> ScreenName {
        guard let name = path["screen"].flatMap(ScreenName.init) else {
            throw .invalidParameter(
                "screen", "must be 1 to 128 of A-Z a-z 0-9 . _ ~ -, but not . or ..")
        }
        return name
    }

    /// Returns the number of the page that the path names.
    ///
    /// - Throws: `INVALID_PARAMETER` for anything that is not a page number.
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
