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

    private let service: BroadsheetService
    private let screen: ScreenName
    /// The screen at its own revision, which may be later than that of the layout.
    private let version: LayoutKey.Version
    private let status: HTTPStatus
    /// A Boolean value that indicates whether the response was made from the content.
    private let needsContent: Bool
    /// The content; `nil` once the cache has dropped it.
    private weak var content: CachedBytes?
    /// The parts of the content that are the client's; `nil` if there are none.
    private let own: TokenReplacements?

    // The facts of the request that its log line and the metrics have.
    private let operation: Int
    private let method: String
    private let path: String
    private let query: String?
    private let client: HTTPClient?
    private let validity: AccessValidity
    /// The requirements on other tokens; `nil` for a request without one.
    private let needs: TokenNeeds?
    private let forwardedAddress: IPAddress?
    private let foreignOrigin: String?

    /// Creates the source of repetitions of a response.
    ///
    /// - Parameters:
    ///   - status: The status of the response: 200 or 304.
    ///   - content: The content that the response was made from, and the parts of it that are the
    ///     client's; `nil` for a 304 that needs none.
    fileprivate init(
        of layout: StoredLayout, _ status: HTTPStatus,
        content: (bytes: CachedBytes, own: TokenReplacements?)?, to call: Call,
        by service: BroadsheetService
    ) {
        self.service = service
        screen = layout.snapshot.name
        version = layout.snapshot.layoutVersion(at: layout.snapshot.revision)
        self.status = status
        needsContent = content != nil
        self.content = content?.bytes
        own = content?.own
        let request = call.request
        operation = call.operation
        (method, path) = (request.method.token, request.target.path)
        query = LoggedQuery.text(of: request.target.query)
        (client, validity) = (call.caller.client, call.caller.validity)
        needs = call.caller.token.map { _ in
            TokenNeeds(catalog: call.catalog.name, flags: layout.parameters.flags)
        }
        forwardedAddress = request.headers.forwardedAddress
        foreignOrigin = service.access.browsers.foreignOrigin(of: request.head)
    }

    var isForOtherCredentials: Bool { needs != nil }

    func begin(with credentials: UnsafeRawBufferPointer?) -> RepetitionStart {
        let start = service.clock.now
        guard service.catalogs.generation == version.catalog,
            service.screens.store.isKnown(screen, toBeAt: version.revision),
            service.screens.cache.restarts == version.restarts
        else { return .changed }
        var client = client
        if let needs {
            guard let credentials, let token = service.access.knownToken(in: credentials),
                needs.areMet(by: token, on: screen)
            else { return .otherClient }
            client = token.client
        } else if !service.access.isCurrent(validity) {
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
            service.metrics.layoutCacheHits.add(at: LayoutKey.Content.tree.labelIndex)
        }
        if let foreignOrigin {
            service.access.note(method, path, of: foreignOrigin, in: service.log)
        }
        service.metrics.responseBodyBytes.add(bytes: body.count)
        service.metrics.requests.count(
            operation: operation, status, nanoseconds: service.clock.now.nanoseconds(since: start))
        return .repetition(
            Repetition(number: service.requestIDs.nextNumber(), body: body, client: client))
    }

    var contentOwner: (any AnyObject & Sendable)? { content }

    func appendID(of repetition: Repetition, to head: inout [UInt8]) {
        service.requestIDs.id(repetition.number).append(to: &head)
    }

    /// Logs a repetition after it was sent.
    func completed(_ repetition: Repetition, _ delivery: ResponseDelivery) {
        service.metrics.keys.count(repetition.client?.name)
        service.log.write(
            LogRecord(
                id: service.requestIDs.id(repetition.number),
                LogRecord.Request(
                    method: method, path: path, query: query, status: status.code,
                    bytes: delivery.bytesSent,
                    microseconds: Int64(clamping: delivery.nanoseconds / 1000)),
                address: service.configuration.clientAddress(
                    from: delivery.peer, forwarded: forwardedAddress),
                client: repetition.client, isComplete: delivery.isComplete))
    }
}

/// What a token has to permit for the response to a request with another one.
private struct TokenNeeds: Sendable {
    let catalog: CatalogName?
    let flags: IdentifierList

    func areMet(by token: VerifiedToken, on screen: ScreenName) -> Bool {
        token.scopes.contains(.read) && token.permits(screen.text)
            && token.permits(catalog: catalog) && token.permits(flags: flags)
    }
}

extension BroadsheetService {
    /// Returns a response that may be repeated while the layout is current, if the cache has its
    /// content.
    ///
    /// - Parameter content: The content that the response was made from; `nil` for a 304 without
    ///   it.
    func repeating(
        _ response: HTTPResponse, as form: LayoutForm, _ content: SelectedContent?,
        of layout: StoredLayout, to call: Call
    ) -> HTTPResponse {
        let bytes = content.flatMap {
            layout.key(for: form, isCompressed: $0.isCompressed).flatMap(repeatableBytes(for:))
        }
        guard content == nil || bytes != nil else { return response }
        let own = form == .tree ? layout.tokenReplacements(renderer.seal) : nil
        var response = repeating(response, bytes.map { ($0, own) }, of: layout, to: call)
        if let bytes, own == nil { response.owner = bytes }
        return response
    }

    /// Returns a response without a tag that may be repeated while the layout is current, if the
    /// cache has its content.
    ///
    /// A response that is compressed after its handler is not repeated.
    func repeating(
        changes response: HTTPResponse, _ key: LayoutKey, of layout: StoredLayout, to call: Call
    ) -> HTTPResponse {
        let isSelected =
            key.isCompressed || response.contentLength < Compression.minBytes
            || CodingPreference(in: call.request.headers) == .identity
        guard isSelected, let bytes = repeatableBytes(for: key) else { return response }
        let own = layout.tokenReplacementsOfChanges(renderer.seal)
        return repeating(response, (bytes, own), of: layout, to: call)
    }

    /// Returns the bytes of a key if they are in the cache, without a record of their use.
    private func repeatableBytes(for key: LayoutKey) -> CachedBytes? {
        guard case .bytes(let bytes) = renderer.cache.cachedContent(for: key, counted: false)
        else { return nil }
        return bytes
    }

    private func repeating(
        _ response: HTTPResponse, _ content: (bytes: CachedBytes, own: TokenReplacements?)?,
        of layout: StoredLayout, to call: Call
    ) -> HTTPResponse {
        let snapshot = layout.snapshot
        // Otherwise the store has to be asked for the revision each time; no layout of an earlier
        // revision is cached.
        guard layout.isCacheable, !call.isRefresh,
            screens.store.isKnown(snapshot.name, toBeAt: snapshot.revision)
        else { return response }
        var response = response
        response.repeatable = RepeatableLayout(
            of: layout, response.status, content: content, to: call, by: self)
        return response
    }
}
