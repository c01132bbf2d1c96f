import BroadsheetHTTP
@testable import BroadsheetService
import BroadsheetStores
import Synchronization

/// An origin whose responses a test gives.
final class FakeOrigin: PageOrigin {
    /// A function that responds to a request.
    typealias Responder = @Sendable (OriginRequest) async throws(OriginError) -> OriginPage

    /// A request without its memory.
    struct Record: Sendable {
        let screen: ScreenName
        let page: Int
        let requestID: String
        let timeout: Duration
    }

    private struct State {
        var requests: [Record] = []
        var responder: Responder
        var isClosed = false
    }

    private let state: Mutex<State>

    /// Creates an origin; by default it has the pages 0 to 3 of every screen.
    init(_ responder: @escaping Responder = FakeOrigin.fourPages) {
        state = Mutex(State(responder: responder))
    }

    /// Creates an origin that has one page of every screen.
    convenience init(page: String, headers: HTTPHeaders = [:]) {
        self.init { _ in OriginPage(bytes: Array(page.utf8), headers: headers) }
    }

    /// Creates an origin that fails.
    convenience init(failing error: OriginError) {
        self.init { _ throws(OriginError) in throw error }
    }

    /// The requests so far.
    var requests: [Record] { state.withLock { $0.requests } }

    /// The requested pages so far, as `home/0`.
    var pages: [String] { requests.map { "\($0.screen)/\($0.page)" } }

    /// Replaces the function that responds.
    func respond(_ responder: @escaping Responder) {
        state.withLock { $0.responder = responder }
    }

    func page(_ request: OriginRequest) async throws(OriginError) -> OriginPage {
        let (responder, isClosed) = state.withLock { state in
            state.requests.append(
                Record(
                    screen: request.screen, page: request.page, requestID: request.requestID,
                    timeout: request.timeout))
            return (state.responder, state.isClosed)
        }
        guard !isClosed else { throw .closed }
        return try await responder(request)
    }

    func close() async { state.withLock { $0.isClosed = true } }

    /// Returns a page of one item with its number as its id; the pages 0 to 2 declare a next one.
    @Sendable static func fourPages(_ request: OriginRequest) throws(OriginError) -> OriginPage {
        guard request.page <= 3 else { throw .notFound }
        let page = Pages.list(["p\(request.page)"], hasNext: request.page < 3)
        return OriginPage(bytes: Array(page.utf8))
    }
}

extension OriginConfiguration {
    /// The defaults, with time for a busy machine.
    static var patient: OriginConfiguration {
        var configuration = OriginConfiguration()
        configuration.timeout = .seconds(3600)
        return configuration
    }
}
