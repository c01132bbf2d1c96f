import BroadsheetIO
import Dispatch
import Synchronization

/// The functions that run on the threads of a store, from the opening of a connection to its end.
struct SQLiteThreads: Sendable {
    let context: SQLiteContext
    /// A semaphore that is signalled when the sum of the weights is not needed any more.
    let stopWeighing: DispatchSemaphore

    /// Throws ``StoreOpenError/cannotOpen(path:detail:)`` if the process is out of threads.
    func start(
        _ name: String, _ body: @escaping @Sendable (SQLiteThreads) -> Void
    ) throws(StoreOpenError) -> WorkerThread {
        do throws(IOError) {
            return try WorkerThread(name) { body(self) }
        } catch {
            throw .cannotOpen(path: context.path, detail: error.description)
        }
    }

    /// Acquires the lock, opens the file, performs writes, and checkpoints the log at the end.
    func write(_ queue: JobQueue<SQLiteWriter.Job>, _ startup: StartupResult<UInt64>) {
        do throws(StoreOpenError) {
            // Held until this thread writes no more and its connection is closed.
            var lock = try DatabaseLock(database: context.path)
            try lock.checkNotEmptied(of: context.path)
            try write(queue, startup, holding: &lock)
            lock.release()
            context.report(.closed)
        } catch {
            startup.complete(.failure(error))
        }
    }

    private func write(
        _ queue: JobQueue<SQLiteWriter.Job>, _ startup: StartupResult<UInt64>,
        holding lock: inout DatabaseLock
    ) throws(StoreOpenError) {
        let connection = try SQLiteDatabase.openForWriting(
            path: context.path, options: context.options)
        try lock.extend(to: context.path)
        do throws(SQLiteFailure) {
            let store = try StoreTable(on: connection)
            let allowsIncomplete = context.options.allowsIncomplete
            let identity = try connection.transaction { () throws(SQLiteFailure) in
                try store.identityOrNew(allowingIncomplete: allowsIncomplete)
            }
            context.identity.withLock { $0 = identity }
            lock.markInitialised()
            let writer = try SQLiteWriter(
                connection, context,
                DatabaseSpace(of: connection, lock.database, path: context.path))
            context.files.record()
            let weigher = startWeighing()
            let checkpoints = startCheckpoints()
            startup.complete(.success(try store.epoch()))
            writer.serve(queue, checkpoints: checkpoints.requests)
            checkpoints.thread?.join()
            weigher?.join()
        } catch {
            throw StoreOpenError(error, path: context.path)
        }
        Self.checkpointOnClose(connection, context)
    }

    func read(_ queue: JobQueue<SQLiteReader.Job>, _ startup: StartupResult<Void>) {
        do throws(SQLiteFailure) {
            let reader = try SQLiteReader(context)
            startup.complete(.success(()))
            reader.serve(queue)
        } catch {
            startup.complete(.failure(StoreOpenError(error, path: context.path)))
        }
    }

    /// Starts the sum of the weights, and returns when that reads the present state.
    private func startWeighing() -> WorkerThread? {
        let hasBegun = DispatchSemaphore(value: 0)
        do throws(IOError) {
            let thread = try WorkerThread("store-weigh") {
                do throws(SQLiteFailure) {
                    let weigher: SQLiteWeigher
                    do {
                        defer { hasBegun.signal() }
                        weigher = try SQLiteWeigher(context)
                    }
                    if let weight = try weigher.weigh(until: stopWeighing) {
                        context.weight.wrappingAdd(weight, ordering: .relaxed)
                    }
                } catch {
                    context.health.record(error)
                }
            }
            hasBegun.wait()
            return thread
        } catch {
            context.report(.maintenanceFailed("the histories are not summed (\(error))"))
            return nil
        }
    }

    private func startCheckpoints() -> (requests: CheckpointRequests, thread: WorkerThread?) {
        let requests = CheckpointRequests()
        let fail = { @Sendable (reason: String) in
            requests.abandon()
            context.report(.maintenanceFailed("a checkpoint failed (\(reason))"))
        }
        do throws(IOError) {
            let thread = try WorkerThread("store-wal") {
                do throws(SQLiteFailure) {
                    try SQLiteCheckpointer(path: context.path).serve(requests, context)
                } catch {
                    fail(error.message)
                }
            }
            return (requests, thread)
        } catch {
            fail(error.description)
            return (requests, nil)
        }
    }

    /// Checkpoints the complete log, for a connection that writes no more.
    static func checkpointOnClose(_ connection: SQLiteConnection, _ context: SQLiteContext) {
        do throws(SQLiteFailure) {
            try WriteAheadLog.checkpoint(connection, .truncate)
        } catch {
            // The transactions in the log are durable, and the next start checkpoints them.
            context.report(.maintenanceFailed("the final checkpoint failed (\(error.message))"))
        }
    }
}
