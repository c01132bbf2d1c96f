import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores

/// The parts of the service by which repeated responses are checked, counted and logged.
final class LayoutRepeater: Sendable {
    /// The metrics of the service.
    let metrics: ServiceMetrics
    /// The clock that durations are measured by.
    let clock: TimeSource
    /// The keys in service.
    let access: AccessControl
    /// The catalogs in service.
    let catalogs: CatalogSlot
    /// The store of screens.
    let store: ScreenStore
    /// The resolved screens in memory.
    let snapshots: SnapshotCache
    /// The configuration of the service.
    let configuration: ServiceConfiguration
    /// The log of requests.
    let log: Log
    /// The source of the ids of requests.
    let requestIDs: RequestIDSource
    private let cache: LayoutCache
    private let seal: TokenSeal

    /// Creates the source of repeated responses.
    init(
        _ renderer: LayoutRenderer, _ current: (access: AccessControl, catalogs: CatalogSlot),
        _ stored: (store: ScreenStore, snapshots: SnapshotCache),
        _ configuration: ServiceConfiguration, _ logging: (log: Log, requestIDs: RequestIDSource)
    ) {
        (metrics, clock) = (renderer.metrics, renderer.clock)
        (cache, seal) = (renderer.cache, renderer.seal)
        (access, catalogs) = current
        (store, snapshots) = stored
        self.configuration = configuration
        (log, requestIDs) = logging
    }

    /// Returns a response that may be repeated while the layout is current, if the cache has its
    /// content.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - form: The form of the layout.
    ///   - content: The content that the response was made from; `nil` for a 304 without it.
    ///   - layout: The layout.
    ///   - call: The request.
    func repeating(
        _ response: HTTPResponse, as form: LayoutForm, _ content: SelectedContent?,
        of layout: StoredLayout, to call: Call
    ) -> HTTPResponse {
        let bytes = content.flatMap {
            layout.key(for: form, isCompressed: $0.isCompressed).flatMap(cachedContent(for:))
        }
        guard content == nil || bytes != nil else { return response }
        let own = form == .tree ? layout.ownParts(seal) : nil
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
        guard isSelected, let bytes = cachedContent(for: key) else { return response }
        let own = layout.ownPartsOfChanges(seal)
        return repeating(response, (bytes, own), of: layout, to: call)
    }

    /// Returns the bytes of a key if they are in the cache, without a record of their use.
    private func cachedContent(for key: LayoutKey) -> CachedBytes? {
        guard case .bytes(let bytes) = cache.cachedContent(for: key, counted: false)
        else { return nil }
        return bytes
    }

    private func repeating(
        _ response: HTTPResponse, _ content: (bytes: CachedBytes, own: OwnParts?)?,
        of layout: StoredLayout, to call: Call
    ) -> HTTPResponse {
        let snapshot = layout.snapshot
        // Otherwise the store has to be asked for the revision each time.
        guard !call.isRefresh, store.isKnown(snapshot.name, toBeAt: snapshot.revision) else {
            return response
        }
        var response = response
        let request = call.request
        response.repeatable = RepeatableLayout(
            of: layout, response.status, content: content,
            to: RoutedRequest(
                operation: call.operation, method: request.method.token, path: request.target.path,
                query: LoggedQuery.text(of: request.target.query), client: call.caller.client,
                validity: call.caller.validity,
                needs: call.caller.token.map { _ in
                    TokenNeeds(catalog: call.catalog.name, flags: layout.parameters.flags)
                },
                forwardedAddress: request.headers.forwardedAddress,
                foreignOrigin: access.browsers.foreignOrigin(of: request.head)),
            by: self)
        return response
    }
}
