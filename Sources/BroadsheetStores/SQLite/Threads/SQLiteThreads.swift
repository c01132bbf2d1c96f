internal import Dispatch

/// What each of a store's threads does, from the opening of its connection to the end.
enum SQLiteThreads {
    /// Takes the lock, opens the file, writes what comes, and folds the log at the end.
    static func write(
        _ shared: SQLiteShared, _ mailbox: Mailbox<SQLiteWriter.Job>,
        _ opening: Opening<StoreIdentity>
    ) {
        do throws(StoreOpenError) {
            // Held for as long as this thread may write.
            let lock = try FileLock(database: shared.path)
            try lock.checkPresence(of: shared.path)
            let connection = try SQLiteDatabase.openForWriting(
                path: shared.path, options: shared.options)
            do throws(SQLiteFailure) {
                let identity = try SQLiteIdentity.loadOrMake(on: connection)
                lock.bearWitness()
                var writer = try SQLiteWriter(connection, shared)
                let checkpoints = startCheckpoints(shared)
                opening.tell(.success(identity))
                writer.serve(mailbox, folding: checkpoints.requests)
                checkpoints.thread.join()
            } catch {
                throw StoreOpenError(error, path: shared.path)
            }
            foldAtTheEnd(connection, shared)
            lock.release()
            shared.tell(.closed)
        } catch {
            opening.tell(.failure(error))
        }
    }

    /// Opens a connection and reads what is asked for.
    static func read(
        _ shared: SQLiteShared, _ mailbox: Mailbox<SQLiteReader.Job>, _ opening: Opening<Void>
    ) {
        do throws(SQLiteFailure) {
            let reader = try SQLiteReader(shared)
            opening.tell(.success(()))
            reader.serve(mailbox)
        } catch {
            opening.tell(.failure(StoreOpenError(error, path: shared.path)))
        }
    }

    /// Reads through all that is stored, once.
    static func inspect(_ shared: SQLiteShared, until isOver: DispatchSemaphore) {
        do throws(SQLiteFailure) {
            try SQLiteInspector(shared, until: isOver).inspect()
        } catch {
            shared.health.note(error)
        }
    }

    private static func startCheckpoints(
        _ shared: SQLiteShared
    ) -> (requests: FoldingRequests, thread: StoreThread) {
        let requests = FoldingRequests()
        let thread = StoreThread("store-fold") {
            do throws(SQLiteFailure) {
                try SQLiteCheckpointer(path: shared.path).serve(requests, shared)
            } catch {
                requests.abandon()
                shared.tell(.maintenanceFailed("the write-ahead log stays long (\(error.message))"))
            }
        }
        return (requests, thread)
    }

    private static func foldAtTheEnd(_ connection: SQLiteConnection, _ shared: SQLiteShared) {
        do throws(SQLiteFailure) {
            try WriteAheadLog.fold(connection, .truncating)
        } catch {
            // What the log holds is durable as it is; the next start folds it.
            shared.tell(.maintenanceFailed("the write-ahead log stays (\(error.message))"))
        }
    }
}
