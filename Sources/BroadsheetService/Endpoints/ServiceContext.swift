import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores

/// The parts of the service that the handlers of operations share.
final class ServiceContext: Sendable {
    /// The service configuration.
    let configuration: ServiceConfiguration
    /// The stored screens.
    let screens: Screens
    /// The reader of posted pages.
    let pages: PageReader
    /// The renderer of trees and pictures.
    let renderer: LayoutRenderer
    /// The metrics of the service.
    let metrics: ServiceMetrics
    /// The reports of clients.
    let reports: ClientReports
    /// The log of the service.
    let log: Log
    /// The threads for expensive work; `nil` for a service that runs everything where it is called.
    let workers: WorkerPool?
    /// The memory that requests, responses and caches may use.
    let memory: MemoryBudget
    /// The open streams.
    let streams: StreamGate
    /// The metrics whose values other parts of the process provide.
    let metricSources: [MetricSource]
    /// The pages that come from an origin; `nil` without one.
    let origin: PagesOnDemand?
    /// The OpenAPI document as JSON.
    let openAPI: ConstantContent

    /// Creates the context of a service.
    init(
        _ configuration: ServiceConfiguration, screens: Screens, renderer: LayoutRenderer,
        log: Log, workers: WorkerPool?, metricSources: [MetricSource], origin: (any PageOrigin)?
    ) {
        memory = renderer.memory
        streams = StreamGate(limit: configuration.maxStreams, memory: renderer.memory)
        self.configuration = configuration
        self.screens = screens
        self.renderer = renderer
        self.log = log
        self.workers = workers
        self.metricSources = Self.sources(of: streams) + metricSources
        metrics = renderer.metrics
        reports = screens.reports
        openAPI = ConstantContent(
            OpenAPIDocument.bytes(needsKeys: configuration.access.keys != nil))
        pages = PageReader(
            limits: configuration.limits, metrics: renderer.metrics, clock: renderer.clock)
        self.origin = origin.map { [pages] in
            PagesOnDemand(from: $0, into: screens, pages, log: log)
        }
    }
}

extension ServiceContext {
    /// The work that the search for the screen of a page token may take, in bytes that are hashed;
    /// fixed.
    private static let maxSearchedBytes = 1 << 20
    /// The work on each screen beside hashing the token, in the same unit.
    private static let bytesPerScreen = 1 << 10

    /// Returns the screen in memory that a page token is sealed for, or `nil`.
    ///
    /// A token does not have the name of its screen, so the names are tried: as many as the limit
    /// permits.
    func screen(ofPageToken text: String) -> ScreenName? {
        let count = Self.maxSearchedBytes / (text.utf8.count + Self.bytesPerScreen)
        return screens.inMemory.prefix(count).lazy.map(\.name).first {
            [seal = renderer.seal] name in
            PageToken(text, sealedBy: seal, for: name.text) != nil
        }
    }

    /// Returns a stored screen with its pages up to `end`; those that are needed and not stored
    /// come from the origin, if there is one.
    ///
    /// - Parameters:
    ///   - screen: The screen.
    ///   - end: The last page to read.
    ///   - need: The last page that is needed.
    ///   - call: The request.
    ///   - memory: The reservation for the work of the request.
    /// - Throws: `SCREEN_NOT_FOUND` if there is no such screen; the problem of the origin.
    func screen(
        _ screen: ScreenName, upTo end: ScreenPart.End, needing need: ScreenPart.End,
        for call: Call, _ memory: MemoryReservation
    ) async throws(Problem) -> ScreenSnapshot {
        guard let origin else {
            return try await screens.existing(
                screen, upTo: end, by: call.catalog, call.work, memory)
        }
        return try await origin.screen(screen, upTo: end, needing: need, for: call, memory)
    }
}

extension ServiceContext {
    /// Returns the access of a request to the worker threads.
    ///
    /// The turns are those of the key's name or, without a key, of the client's address.
    func work(for request: HTTPRequest, of caller: Caller) -> Work {
        let client =
            caller.key.map { .name($0.name) }
            ?? ClientKey(configuration.clientAddress(of: request))
        return Work(pool: workers, client: client, metrics: metrics)
    }
}

extension ServiceConfiguration {
    /// Returns the address of the client of a request.
    func clientAddress(of request: HTTPRequest) -> IPAddress {
        clientAddress(from: request.peer, request.headers)
    }

    /// Returns the address of the client of a request with a head from a peer.
    func clientAddress(from peer: IPAddress, _ headers: HTTPHeaders?) -> IPAddress {
        guard !trustedProxies.isEmpty else { return peer }
        return clientAddress(from: peer, forwarded: headers?.forwardedAddress)
    }

    /// Returns the address of the client: that of the peer or, if the peer is a trusted proxy, the
    /// one that the proxy appended.
    ///
    /// If there is none, the client is the proxy.
    func clientAddress(from peer: IPAddress, forwarded: IPAddress?) -> IPAddress {
        guard let forwarded, trustedProxies.contains(where: { $0.contains(peer) }) else {
            return peer
        }
        return forwarded
    }
}

extension HTTPHeaders {
    /// The last address in `X-Forwarded-For`, which the proxy appended; `nil` if it is not one.
    ///
    /// The earlier ones are from the client, which may send any.
    var forwardedAddress: IPAddress? {
        guard let last = values(of: .forwardedFor).last else { return nil }
        let text = last.split(separator: ",", omittingEmptySubsequences: false).last
        return text.flatMap { IPAddress($0.trimmingBlanks) }
    }
}

extension Substring {
    /// The text without spaces and tabs at its ends (RFC 9110 §5.6.3).
    fileprivate var trimmingBlanks: Substring {
        func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }
        let start = drop(while: isBlank)
        return start.lastIndex { !isBlank($0) }.map { start[...$0] } ?? ""
    }
}
