import Broadsheet
import BroadsheetIO
import BroadsheetStores

/// The access of one request to the worker threads, and the memory that it has reserved.
///
/// A part of a handler that may take long runs on a worker thread in the turn of the client, and
/// everything else on the event loop. Within a part, long computations give way to other clients
/// (``LongWork``). At the start and the end of each part, a request whose connection is lost ends,
/// because no client would receive its response. A write that was passed to the store is completed
/// and published in any case (``Screens``).
struct Work: Sendable {
    /// The maximum size of a body, in bytes, whose handler runs on the event loop.
    static let maxInlineBody = 128 << 10
    /// The maximum cost of a part of a handler that runs on the event loop (``WorkCost``).
    static let maxInlineCost = 256 << 10

    /// The threads; `nil` for a service that runs everything where it is called.
    private let pool: WorkerPool?
    /// The client whose turns the work takes.
    let client: ClientKey
    private let metrics: ServiceMetrics
    /// The reservation of the request, for its documents, pages and layouts.
    private(set) var memory: MemoryReservation
    /// The executor of a whole handler that runs in the pool; otherwise `nil`.
    private var turns: PooledWork?

    /// Creates the access of a request that has reserved no memory yet.
    init(
        pool: WorkerPool?, client: ClientKey, metrics: ServiceMetrics, in budget: MemoryBudget
    ) {
        self.pool = pool
        self.client = client
        self.metrics = metrics
        memory = MemoryReservation(in: budget, for: .work)
    }

    /// Returns the same access with another reservation, for what is in memory beside the rest of
    /// the request, or longer than it.
    ///
    /// - Parameter others: The number of bytes that the request has in other reservations all the
    ///   time.
    func withOwnMemory(beside others: Int = 0) -> Work {
        var work = self
        work.memory = MemoryReservation(in: memory.budget, for: .work, beside: others)
        return work
    }

    /// Throws an error when the connection of the current task's request is lost.
    ///
    /// A computation ends early then, with any result (``LongWork``): within a part, this is called
    /// between a computation and what keeps its result for other requests.
    static func checkConnection() throws(Problem) {
        if Task.isCancelled { throw .connectionLost }
    }

    /// Runs one part of a handler: here if it is cheap, otherwise on a worker thread.
    ///
    /// - Parameter isRequired: A Boolean value that indicates whether the part runs even if the
    ///   queue is full, because the request has had an effect already.
    /// - Throws: `OVERLOADED` if the queue is full; the error of a lost connection; the error of
    ///   `body`.
    func perform<Value: Sendable>(
        cost: Int, isRequired: Bool = false, _ body: () throws(Problem) -> Value
    ) async throws(Problem) -> Value {
        try Self.checkConnection()
        if let turns {
            try await giveWay()
            return try Self.run(body, givingWayIn: turns)
        }
        guard cost > Self.maxInlineCost, let pool else { return try body() }
        return try await perform(in: pool, isRequired: isRequired) {
            (turns) async throws(Problem) in try Self.run(body, givingWayIn: turns)
        }
    }

    /// Runs a part, whose long computations give way to other clients.
    private static func run<Value>(
        _ body: () throws(Problem) -> Value, givingWayIn turns: PooledWork
    ) throws(Problem) -> Value {
        let result = LongWork.run(givingWay: { turns.giveWay() }) {
            Result { () throws(Problem) in try body() }
        }
        try checkConnection()
        return try result.get()
    }

    /// Runs a whole handler, or a part that waits for other requests in between, on worker threads,
    /// where what is between two suspensions has a turn.
    ///
    /// It goes first within its client once it has begun, so that requests of other clients that
    /// wait for it do not wait for the other work of its client.
    ///
    /// - Parameter isLarge: A Boolean value that indicates whether the body is large
    ///   (``maxInlineBody``), or something stored; otherwise the handler or the part runs here.
    func performAll<Value: Sendable>(
        if isLarge: Bool = true, _ body: (Work) async throws(Problem) -> Value
    ) async throws(Problem) -> Value {
        guard isLarge, turns == nil, let pool else { return try await body(self) }
        return try await perform(in: pool, isRequired: false) { (turns) async throws(Problem) in
            try await body(pooled(in: turns))
        }
    }

    private func pooled(in turns: PooledWork) -> Work {
        var work = self
        work.turns = turns
        return work
    }

    /// Runs a part of a handler that the response can do without, on worker threads.
    ///
    /// - Parameter body: The part, which gives way to other clients when it is called to.
    /// - Returns: `nil` if the queue is full.
    /// - Throws: The error of a lost connection; the error of `body`.
    func performOptional<Value: Sendable>(
        _ body: (Work) async throws(Problem) -> Value
    ) async throws(Problem) -> Value? {
        try Self.checkConnection()
        guard turns == nil, let pool else { return try await body(self) }
        guard let turns = pool.begin(for: client) else { return nil }
        return try await perform(in: turns) { (turns) async throws(Problem) in
            try await body(pooled(in: turns))
        }
    }

    private func perform<Value: Sendable>(
        in pool: WorkerPool, isRequired: Bool,
        _ body: (PooledWork) async throws(Problem) -> Value
    ) async throws(Problem) -> Value {
        guard let work = pool.begin(for: client, isLimited: !isRequired) else {
            metrics.workRefused.add()
            throw .tooMuchWork
        }
        return try await perform(in: work, body)
    }

    private func perform<Value: Sendable>(
        in work: PooledWork, _ body: (PooledWork) async throws(Problem) -> Value
    ) async throws(Problem) -> Value {
        defer { work.end() }
        let result: Result<Value, Problem> = await withTaskCancellationHandler {
            await withTaskExecutorPreference(work) {
                do throws(Problem) {
                    try Self.checkConnection()
                    return .success(try await body(work))
                } catch {
                    return .failure(error)
                }
            }
        } onCancel: {
            work.expedite()
        }
        return try result.get()
    }

    /// Lets other clients have their turn between two parts of a handler on a worker thread.
    func giveWay() async throws(Problem) {
        if turns != nil, let pool, pool.hasOthersWaiting(than: client) { await Task.yield() }
        try Self.checkConnection()
    }
}

extension Problem {
    /// The problem of a request that would exceed the limits of the queue.
    static var tooMuchWork: Problem {
        .overloaded("Too many expensive requests are waiting")
    }

    /// The end of a request whose connection is lost; it is not sent, counted or logged as a
    /// problem.
    static var connectionLost: Problem {
        var problem = Problem(.overloaded, "The connection was lost.")
        problem.isConnectionLost = true
        return problem
    }
}

/// Estimates of the time that parts of handlers take, in bytes of JSON that could be read and
/// written in that time.
enum WorkCost {
    /// The cost of laying out an item, besides that of its data.
    private static let item = 64
    /// The cost of laying out a box of a content, and of writing its part.
    private static let box = 16
    /// The cost of a value in a document.
    private static let value = 8
    /// The cost of a page or a section in a page state.
    static let entry = 128

    /// The cost of reading the contract of a document and of resolving its units.
    ///
    /// A catalog multiplies it: each item may read as many values as the catalog has rules.
    ///
    /// - Parameters:
    ///   - registry: The registry that resolves its units, if it has any.
    ///   - hasCatalog: A Boolean value that indicates whether it has a catalog of its own.
    static func reading(
        _ document: JSONDocument, by registry: CellRegistry? = nil, hasCatalog: Bool = false
    ) -> Int {
        let cost = max(document.bytes.count, document.nodeCount * value)
        guard hasCatalog else { return cost * (registry?.resolvingFactor ?? 1) }
        // It may refer to the fonts of the active one.
        let hasFonts = registry.map { !$0.fontContents.isEmpty } ?? false
        return cost * (hasFonts ? max(catalogFactor, shapingFactor) : catalogFactor)
    }

    /// The factor for documents with a catalog of their own.
    private static let catalogFactor = 32
    /// The factor for pages whose texts are shaped: some characters take 2 microseconds.
    static let shapingFactor = 256

    /// The cost of laying out items for viewports and of writing the trees.
    static func layout(items: Int, bytes: Int, viewports: Int = 1) -> Int {
        let (cost, overflow) = (bytes + items * item).multipliedReportingOverflow(by: viewports)
        return overflow ? .max : cost
    }

    /// The cost of laying out the pages of a model up to a page, and of writing the tree.
    ///
    /// - Complexity: O(1), because the sum ends above the maximum cost on an event loop.
    static func layout(of model: PaginatedViewModel, upTo last: Int?) -> Int {
        guard let last else { return 0 }
        return layout(of: model.pages.lazy.prefix { $0.number <= last })
    }

    static func layout(of pages: some Sequence<ResolvedPage>) -> Int {
        var cost = 0
        for page in pages {
            guard cost <= Work.maxInlineCost else { break }
            cost += page.byteCountInMemory + shaping(of: page) + page.contentBoxCount * box
        }
        return cost
    }

    /// The cost of resolving a page for another client, and of shaping its texts: those with words
    /// that are wider than a line are shaped again.
    private static func shaping(of page: ResolvedPage) -> Int {
        if page.textByteCount > 0 { return page.bytes.count * shapingFactor }
        return page.variants != nil ? page.bytes.count : 0
    }

    static func pageState(of model: PaginatedViewModel) -> Int {
        (model.pageCount + model.sectionCount) * entry
    }
}

extension CellRegistry {
    /// The factor of the time to resolve a page, and to lay out its contents, by its bytes
    /// (``WorkCost``): an item may have three bytes.
    var resolvingFactor: Int {
        let boxes = 1 + measuredTexts.maxBoxes * 4
        return measuredTexts.maxPerCell > 0 ? max(boxes, WorkCost.shapingFactor) : boxes
    }
}
