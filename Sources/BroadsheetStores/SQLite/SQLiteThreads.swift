import Dispatch
import Synchronization

/// What each of a store's threads does, from the opening of its connection to the end.
enum SQLiteThreads {
    /// Takes the lock, opens the file, writes what comes, and folds the log at the end.
    static func write(
        _ context: SQLiteStoreContext, _ queue: JobQueue<SQLiteWriter.Job>,
        _ startup: StartupResult<StoreIdentity>
    ) {
        do throws(StoreOpenError) {
            // Held for as long as this thread may write.
            let lock = try DatabaseLock(database: context.path)
            try lock.checkNotEmptied(of: context.path)
            let connection = try SQLiteDatabase.openForWriting(
                path: context.path, options: context.options)
            do throws(SQLiteFailure) {
                let identity = try SQLiteIdentity.loadOrMake(on: connection)
                lock.markInitialised()
                var writer = try SQLiteWriter(connection, context)
                let checkpoints = startCheckpoints(context)
                startup.complete(.success(identity))
                writer.serve(queue, checkpoints: checkpoints.requests)
                checkpoints.thread.join()
            } catch {
                throw StoreOpenError(error, path: context.path)
            }
            checkpointOnClose(connection, context)
            lock.release()
            context.report(.closed)
        } catch {
            startup.complete(.failure(error))
        }
    }

    /// Opens a connection and reads what is asked for.
    static func read(
        _ context: SQLiteStoreContext, _ queue: JobQueue<SQLiteReader.Job>,
        _ startup: StartupResult<Void>
    ) {
        do throws(SQLiteFailure) {
            let reader = try SQLiteReader(context)
            startup.complete(.success(()))
            reader.serve(queue)
        } catch {
            startup.complete(.failure(StoreOpenError(error, path: context.path)))
        }
    }

    /// Reads through all that is stored, once.
    static func inspect(_ context: SQLiteStoreContext, until stop: DispatchSemaphore) {
        do throws(SQLiteFailure) {
            try SQLiteInspector(context, until: stop).inspect()
        } catch {
            context.health.record(error)
        }
    }

    private static func startCheckpoints(
        _ context: SQLiteStoreContext
    ) -> (requests: CheckpointRequests, thread: StoreThread) {
        let requests = CheckpointRequests()
        let thread = StoreThread("store-wal") {
            do throws(SQLiteFailure) {
                try SQLiteCheckpointer(path: context.path).serve(requests, context)
            } catch {
                requests.abandon()
                context.report(
                    .maintenanceFailed("the write-ahead log stays long (\(error.message))"))
            }
        }
        return (requests, thread)
    }

    private static func checkpointOnClose(
        _ connection: SQLiteConnection, _ context: SQLiteStoreContext
    ) {
        do throws(SQLiteFailure) {
            try WriteAheadLog.checkpoint(connection, .truncate)
        } catch {
            // What the log holds is durable as it is; the next start folds it.
            context.report(.maintenanceFailed("the write-ahead log stays (\(error.message))"))
        }
    }
}

/// Hands what came of opening a file from the thread that opened it to the one that waits.
final class StartupResult<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, StoreOpenError>?>(nil)
    private let isComplete = DispatchSemaphore(value: 0)

    /// Tells what came of it; to be called once.
    func complete(_ outcome: Result<Value, StoreOpenError>) {
        result.withLock { $0 = outcome }
        isComplete.signal()
    }

    /// Blocks until it was result; for the start of a program only.
    func wait(path: String) throws(StoreOpenError) -> Value {
        isComplete.wait()
        guard let outcome = result.withLock({ $0 }) else {
            throw .cannotOpen(path: path, detail: "its thread ended early")
        }
        return try outcome.get()
    }
}
