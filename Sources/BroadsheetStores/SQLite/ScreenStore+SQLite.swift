extension ScreenStore {
    /// Opens the file at `path`, and creates it and its folder if they are missing.
    ///
    /// Blocks until the file is open, so it is called at the start of a program. If it throws,
    /// nothing was changed.
    package convenience init(
        path: String, options: SQLiteStoreOptions = SQLiteStoreOptions()
    ) throws(StoreOpenError) {
        self.init(
            try SQLiteBackend(path: path, options: options),
            bounds: StoreBounds(history: options.history, feeds: options.feeds),
            clock: options.clock, inspectionPauseFactor: options.inspectionPauseFactor,
            onEvent: options.onEvent)
    }
}
