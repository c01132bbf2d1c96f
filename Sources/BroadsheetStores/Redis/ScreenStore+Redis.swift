extension ScreenStore {
    /// Begins to connect to a Redis server, or to the one that Sentinels name, and returns without
    /// waiting for the connection.
    ///
    /// - Throws: ``StoreOpenError/cannotOpen(path:detail:)`` if a file of TLS cannot be used, or if
    ///   the process is out of threads or descriptors.
    package convenience init(
        _ endpoint: RedisEndpoint, options: RedisStoreOptions = RedisStoreOptions()
    ) throws(StoreOpenError) {
        self.init(
            try RedisBackend(endpoint, options: options),
            bounds: StoreBounds(history: options.history, feeds: options.feeds),
            clock: options.clock, timeout: options.timeout, onEvent: options.onEvent)
    }
}
