import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores

/// The response to a request for a stored layout, which is repeated as long as the screen and the
/// catalog are at the same version and the cache has its content.
///
/// Everything that a response depends on besides the request's head has to be checked here.
final class RepeatableLayout: RepeatableResponse, @unchecked Sendable {
    // Unchecked: all properties are constant but `content`, which the runtime clears atomically.

    private let repeater: LayoutRepeater
    private let request: RoutedRequest
    private let screen: ScreenName
    /// The screen at its own revision, which may be later than that of the layout.
    private let version: LayoutKey.Version
    private let status: HTTPStatus
    /// A Boolean value that indicates whether the response was made from the content.
    private let needsContent: Bool
    /// The content; `nil` once the cache has dropped it.
    private weak var content: CachedBytes?
    /// The parts of the content that are the client's; `nil` if there are none.
    private let own: OwnParts?

    /// Creates the source of repetitions of a response.
    ///
    /// - Parameters:
    ///   - layout: The layout of the response.
    ///   - status: The status of the response: 200 or 304.
    ///   - content: The content that the response was made from, and the parts of it that are the
    ///     client's; `nil` for a 304 that needs none.
    ///   - request: The request.
    init(
        of layout: StoredLayout, _ status: HTTPStatus,
        content: (bytes: CachedBytes, own: OwnParts?)?, to request: RoutedRequest,
        by repeater: LayoutRepeater
    ) {
        self.repeater = repeater
        self.request = request
        screen = layout.snapshot.name
        version = layout.snapshot.layoutVersion(at: layout.snapshot.revision)
        self.status = status
        needsContent = content != nil
        self.content = content?.bytes
        own = content?.own
    }

    /// A Boolean value that indicates whether all tokens that permit the request have the response.
    var isForOtherCredentials: Bool { request.needs != nil }

    /// Returns the next repetition if the layout is current, and the client may have it.
    func begin(with credentials: UnsafeRawBufferPointer?) -> RepetitionStart {
        let start = repeater.clock.now
        guard repeater.catalogs.generation == version.catalog,
            repeater.store.isKnown(screen, toBeAt: version.revision),
            repeater.snapshots.restarts == version.restarts
        else { return .changed }
        var client = request.client
        if let needs = request.needs {
            guard let credentials, let token = repeater.access.knownToken(in: credentials),
                needs.areMet(by: token, on: screen)
            else { return .otherClient }
            client = token.client
        } else if !repeater.access.isCurrent(request.validity) {
            return .changed
        }
        var body: [UInt8] = []
        if needsContent {
            guard let content else { return .changed }
            if status != .notModified {
                guard let bytes = own.map({ $0.content(from: content.bytes) }) ?? content.bytes
                else { return .changed }
                body = bytes
            }
            content.noteRepetition()
            repeater.metrics.layoutCacheHits.add(at: LayoutKey.Content.tree.labelIndex)
        }
        if let origin = request.foreignOrigin {
            repeater.access.note(request.method, request.path, of: origin, in: repeater.log)
        }
        repeater.metrics.responseBodyBytes.add(bytes: body.count)
        repeater.metrics.requests.count(
            operation: request.operation, status,
            nanoseconds: repeater.clock.now.nanoseconds(since: start))
        return .repetition(
            Repetition(number: repeater.requestIDs.nextNumber(), body: body, client: client))
    }

    /// The content, unless the cache has dropped it.
    var contentOwner: (any AnyObject & Sendable)? { content }

    /// Appends the request's id.
    func appendID(of repetition: Repetition, to head: inout [UInt8]) {
        repeater.requestIDs.id(repetition.number).append(to: &head)
    }

    /// Logs a repetition after it was sent.
    func completed(_ repetition: Repetition, _ delivery: ResponseDelivery) {
        repeater.metrics.keys.count(repetition.client?.name)
        repeater.log.write(
            LogRecord(
                id: repeater.requestIDs.id(repetition.number),
                LogRecord.Request(
                    method: request.method, path: request.path, query: request.query,
                    status: status.code, bytes: delivery.bytesSent,
                    microseconds: Int64(clamping: delivery.nanoseconds / 1000)),
                address: repeater.configuration.clientAddress(
                    from: delivery.peer, forwarded: request.forwardedAddress),
                client: repetition.client, isComplete: delivery.isComplete))
    }
}

/// What a token has to permit for the response to a request with another one.
struct TokenNeeds: Sendable {
    /// The catalog; `nil` for the one without a name.
    let catalog: CatalogName?
    let flags: IdentifierList

    /// Returns whether a token permits to read a screen in this way.
    func areMet(by token: VerifiedToken, on screen: ScreenName) -> Bool {
        token.scopes.contains(.read) && token.permits(screen.text)
            && token.permits(catalog: catalog) && token.permits(flags: flags)
    }
}

/// The facts of a request that its log line and the metrics have.
struct RoutedRequest: Sendable {
    /// The position of the operation in the list of operations.
    let operation: Int
    /// The method.
    let method: String
    /// The path as it was sent.
    let path: String
    /// The query as the log has it, if there is one.
    let query: String?
    /// The client; `nil` for one that needs no rights.
    let client: HTTPClient?
    /// The conditions under which the client has its rights.
    let validity: AccessValidity
    /// The requirements on other tokens; `nil` for a request without one.
    let needs: TokenNeeds?
    /// The address that the last proxy appended to the request, if there is one.
    let forwardedAddress: IPAddress?
    /// The origin of the web page, if it is not allowed.
    let foreignOrigin: String?
}
