import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores
import Testing
import TextTestSupport

@testable import BroadsheetService

/// A service that is called without sockets.
struct TestService: Sendable {
    let service: BroadsheetService
    let store: ScreenStore

    /// Creates a service, by default with a store in memory and the catalog ``Catalogs/shop``.
    init(
        store: ScreenStore = ScreenStore.inMemory(), catalog: String = Catalogs.shop,
        named: [String: String] = [:], measurer: any TextMeasurer = SimpleMeasurer(),
        limits: ScreenLimits = ScreenLimits(), parameters: ParameterLimits = ParameterLimits(),
        lifetime: ScreenLifetime = .unchanged, access: AccessConfiguration = AccessConfiguration(),
        screenCacheBytes: Int? = nil, log: Log = .silent, clock: TimeSource = .system,
        memory: MemoryBudget = .unlimited, workers: WorkerPool? = nil,
        sources: [MetricSource] = [],
        layoutCacheBytes: Int? = nil,
        maxResponseBytes: Int = ServiceConfiguration().maxResponseBytes,
        maxScreenBytes: Int = ServiceConfiguration().maxScreenBytes,
        maxPageBytes: Int = ServiceConfiguration().maxPageBytes,
        maxItemBytes: Int = ServiceConfiguration().maxItemBytes,
        historyBytes: Int? = nil,
        maxWaiters: Int = ServiceConfiguration().maxWaiters,
        maxStreams: Int = ServiceConfiguration().maxStreams, storeTimeout: Duration? = nil,
        isStrict: Bool = false,
        origin: (any PageOrigin)? = nil, onDemand: OriginConfiguration = .patient,
        journeyItems: Int = ServiceConfiguration().journeyItems, servesFonts: Bool = false,
        inspector: InspectorAccess = .direct, trustedProxies: [AddressRange] = [],
        sleep: @escaping @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }
    ) async throws {
        var configuration = ServiceConfiguration()
        configuration.limits = limits
        configuration.parameters = parameters
        configuration.layoutCacheBytes = layoutCacheBytes
        configuration.maxResponseBytes = maxResponseBytes
        configuration.maxScreenBytes = maxScreenBytes
        configuration.maxPageBytes = maxPageBytes
        configuration.maxItemBytes = maxItemBytes
        configuration.screenLifetime = lifetime
        configuration.access = access
        configuration.historyBytes = historyBytes
        configuration.maxWaiters = maxWaiters
        configuration.maxStreams = maxStreams
        configuration.storeTimeout = storeTimeout
        configuration.isStrict = isStrict
        configuration.origin = onDemand
        configuration.journeyItems = journeyItems
        configuration.servesFonts = servesFonts
        configuration.inspector = inspector
        configuration.trustedProxies = trustedProxies
        configuration.screenCacheBytes = screenCacheBytes
        self.store = store
        service = try await BroadsheetService(
            configuration: configuration, store: store,
            catalogs: CatalogSet(catalog, named: named, measuringWith: measurer),
            log: log, clock: clock, memory: memory,
            workers: workers, sources: sources, origin: origin, sleep: sleep)
    }

    /// Sends a request and returns the response.
    ///
    /// The body of PUT and POST is sent as JSON unless the headers specify another type.
    @discardableResult
    func send(
        _ method: String, _ target: String, _ body: String = "", headers: HTTPHeaders = [:],
        host: String? = "localhost"
    ) async throws -> ReceivedResponse {
        try await send(method, target, bytes: Array(body.utf8), headers: headers, host: host)
    }

    /// Sends a request with a body of any bytes and returns the response, which is as the OpenAPI
    /// document describes it.
    @discardableResult
    func send(
        _ method: String, _ target: String, bytes: [UInt8], headers: HTTPHeaders = [:],
        host: String? = "localhost"
    ) async throws -> ReceivedResponse {
        let head = HTTPRequestHead(
            method: try #require(HTTPMethod(method)), target: try #require(RequestTarget(target)),
            headers: headers, host: host)
        let response = await service.respond(to: HTTPRequest(head: head, body: bytes))
        let received = ReceivedResponse(response)
        try DescribedResponses.expect(received, to: method, target)
        return received
    }

    /// Returns the value of a sample in the metrics.
    func metric(_ sample: String) async throws -> Double {
        let text = try await send("GET", "/metrics").text
        let line = text.split(separator: "\n").first { $0.hasPrefix("\(sample) ") }
        return try #require(line?.split(separator: " ").last.flatMap { Double($0) }, "\(sample)")
    }
}

extension CatalogSet {
    /// Compiles catalogs.
    init(
        _ unnamed: String, named: [String: String] = [:],
        measuringWith measurer: any TextMeasurer = SimpleMeasurer()
    ) throws {
        let others = try named.map { name, text in
            (
                try #require(CatalogName(name)),
                try Catalog(Array(text.utf8), measuringWith: measurer)
            )
        }
        self.init(
            try Catalog(Array(unnamed.utf8), measuringWith: measurer),
            named: Dictionary(uniqueKeysWithValues: others))
    }
}

/// A response with its parts that tests check.
struct ReceivedResponse: Sendable {
    let response: HTTPResponse
    /// The content, with all parts of a large one.
    let body: [UInt8]

    init(_ response: HTTPResponse) {
        self.response = response
        var body = response.body
        while let part = response.source?.next(byteCount: 128 * 1024) { body += part }
        self.body = body
    }

    var status: Int { response.status.code }
    var text: String { String(decoding: body, as: UTF8.self) }
    var etag: String? { response.headers[.etag] }

    /// The content as JSON.
    var json: JSONValue {
        get throws { try JSONDocument(body).root }
    }

    /// The problem's code, or `nil` if the response is not a problem document.
    var code: String? {
        guard response.headers[.contentType] == "application/problem+json" else { return nil }
        return try? json["code"]?.string
    }

    /// The problem's pointers with their details.
    var errors: [String] {
        get throws {
            guard let errors = try json["errors"] else { return [] }
            return errors.elements.map {
                "\($0["pointer"]?.string ?? "?") \($0["detail"]?.string ?? "?")"
            }
        }
    }

    /// Returns the number at a pointer of the content.
    func number(_ pointer: String) throws -> Double {
        try #require(try value(pointer)?.double, "no number at \(pointer) of \(text)")
    }

    /// Returns the string at a pointer of the content.
    func string(_ pointer: String) throws -> String {
        try #require(try value(pointer)?.string, "no string at \(pointer) of \(text)")
    }

    /// Returns the value at a pointer of the content.
    func value(_ pointer: String) throws -> JSONValue? {
        try JSONPointer(pointer).evaluate(on: json)
    }

    /// The ids of all items of a tree, section by section.
    var itemIds: [[String]] {
        get throws {
            let sections = try #require(try json["sections"])
            return sections.elements.map { section in
                section["items"]?.elements.compactMap { $0["id"]?.string } ?? []
            }
        }
    }
}
