import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores
import Synchronization

/// The revision that a request has made, which also one that ends with a problem may have.
final class MadeRevision: Sendable {
    private let number = Atomic<UInt64>(0)

    var revision: UInt64? {
        let revision = number.load(ordering: .relaxed)
        return revision > 0 ? revision : nil
    }

    /// Records the revision of a screen, unless it had it before.
    func record(_ revision: UInt64?, after before: UInt64?) {
        if let revision, revision != before { number.store(revision, ordering: .relaxed) }
    }
}

/// The facts of a routed request, which its handler receives with the service.
struct Call: Sendable {
    let request: HTTPRequest
    let requestID: RequestID
    let path: PathParameters
    let query: Query
    /// The catalog of the request, which was in service when the request arrived.
    var catalog: ActiveCatalog
    /// The position of the operation in the list of operations.
    let operation: Int
    let operationID: String
    let caller: Caller
    let access: AccessControl
    let arrival: MonotonicInstant
    var work: Work
    /// A Boolean value that indicates whether a client may ask for pages that are not stored.
    ///
    /// A stream does not: `EventSource` sends `no-cache` whenever it connects.
    var obeysNoCache = true
    let made = MadeRevision()

    /// Checks that the client still has the rights with which the request arrived; a token may have
    /// ended meanwhile.
    ///
    /// - Throws: `UNAUTHENTICATED` if its key has ended, or was replaced by one with other rights.
    func checkKey() throws(Problem) { try access.check(caller, completes: true) }

    /// Checks that the client of a request that waits still has the rights with which it arrived.
    ///
    /// - Throws: As ``checkKey()``; `TOKEN_EXPIRED` for a token that has ended.
    func checkWaiting() throws(Problem) { try access.check(caller) }

    /// The screen that the path names; throws `INVALID_PARAMETER` for a malformed name.
    func screen() throws(Problem) -> ScreenName {
        guard let name = path["screen"].flatMap(ScreenName.init) else {
            throw .invalidParameter(
                "screen", "must be 1 to 128 of A-Z a-z 0-9 . _ ~ -, but not . or ..")
        }
        return name
    }

    /// Returns the revision of the screen that the query names, or `nil`.
    ///
    /// - Throws: `INVALID_PARAMETER` for another form; `FORBIDDEN` for a client that may not write,
    ///   because earlier pages may have what was withdrawn.
    func revision() throws(Problem) -> UInt64? {
        let reader = ParameterReader(query)
        let revision = try reader.read("revision", "a whole number above 0 of 1 to 15 digits") {
            text in
            WholeNumber(text).flatMap {
                $0.value > 0 && text.utf8.count <= 15 ? UInt64($0.value) : nil
            }
        }
        if revision != nil { try checkHistory() }
        return revision
    }

    /// Checks that the client may read earlier revisions.
    func checkHistory() throws(Problem) {
        try caller.check(.screen(.read), screen: path["screen"])
        try caller.check(.screen(.write), screen: path["screen"])
    }

    /// The page that the path names; throws `INVALID_PARAMETER` if it is not a page number.
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
