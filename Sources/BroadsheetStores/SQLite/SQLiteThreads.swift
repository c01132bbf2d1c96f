import BroadsheetIO
import Dispatch

/// The functions that run on the threads of a store, from the opening of a connection to its end.
enum SQLiteThreads {
    /// Starts one of the store's threads.
    ///
    /// - Throws: ``StoreOpenError/cannotOpen(path:detail:)`` if the process is out of threads.
    static func start(
        _ name: String, _ context: SQLiteStoreContext, _ body: @escaping @Sendable () -> Void
    ) throws(StoreOpenError) -> WorkerThread {
        do throws(IOError) {
            return try WorkerThread(name, body)
        } catch {
            throw .cannotOpen(path: context.path, detail: error.description)
        }
    }

    /// Acquires the lock, opens the file, performs writes, and checkpoints the log at the end.
    static func write(
        _ context: SQLiteStoreContext, _ queue: JobQueue<SQLiteWriteWorker.Job>,
        _ startup: StartupResult<StoreIdentity>
    ) {
        do throws(StoreOpenError) {
            // Held until this thread writes no more and its connection is closed.
            var lock = try DatabaseLock(database: context.path)
            try lock.checkNotEmptied(of: context.path)
            try write(context, queue, startup, holding: &lock)
            lock.release()
            context.report(.closed)
        } catch {
            startup.complete(.failure(error))
        }
    }

    /// Opens the file, performs writes, and closes it.
    private static func write(
        _ context: SQLiteStoreContext, _ queue: JobQueue<SQLiteWriteWorker.Job>,
        _ startup: StartupResult<StoreIdentity>, holding lock: inout DatabaseLock
    ) throws(StoreOpenError) {
        let connection = try SQLiteDatabase.openForWriting(
            path: context.path, options: context.options)
        try lock.extend(to: context.path)
        do throws(SQLiteFailure) {
            let identity = try SQLiteIdentity.loadOrMake(
                on: connection, allowingIncomplete: context.options.allowsIncomplete)
            lock.markInitialised()
            let writer = try SQLiteWriteWorker(
                connection, context,
                DatabaseSpace(of: connection, lock.database, path: context.path))
            context.files.record()
            let checkpoints = startCheckpoints(context)
            startup.complete(.success(identity))
            writer.serve(queue, checkpoints: checkpoints.requests)
            checkpoints.thread?.join()
        } catch {
            throw StoreOpenError(error, path: context.path)
        }
        checkpointOnClose(connection, context)
    }

    /// Opens a connection and performs reads.
    static func read(
        _ context: SQLiteStoreContext, _ queue: JobQueue<SQLiteReadWorker.Job>,
        _ startup: StartupResult<Void>
    ) {
        do throws(SQLiteFailure) {
            let reader = try SQLiteReadWorker(context)
            startup.complete(.success(()))
            reader.serve(queue)
        } catch {
            startup.complete(.failure(StoreOpenError(error, path: context.path)))
        }
    }

    /// Reads all screens once.
    static func inspect(_ context: SQLiteStoreContext, until stop: DispatchSemaphore) {
        do throws(SQLiteFailure) {
            try SQLiteInspector(context, until: stop).inspect()
        } catch {
            context.health.record(error)
        }
    }

    private static func startCheckpoints(
        _ context: SQLiteStoreContext
    ) -> (requests: CheckpointRequests, thread: WorkerThread?) {
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
    static func checkpointOnClose(
        _ connection: SQLiteConnection, _ context: SQLiteStoreContext
    ) {
        do throws(SQLiteFailure) {
            try WriteAheadLog.checkpoint(connection, .truncate)
        } catch {
            // The transactions in the log are durable, and the next start checkpoints them.
            context.report(.maintenanceFailed("the final checkpoint failed (\(error.message))"))
        }
    }
}
