internal import BroadsheetHTTP

extension HTTPServerConfiguration {
    /// The configuration that the daemon was told.
    init(_ settings: Settings) {
        self.init()
        host = settings[ServeSettings.host]
        port = UInt16(clamping: settings[ServeSettings.port])
        limits.maxBody = settings[LimitSettings.body]
        limits.maxHeaderBytes = settings[LimitSettings.headerBytes]
        limits.maxHeaders = settings[LimitSettings.headers]
        limits.maxTarget = settings[LimitSettings.target]
        maxConnections = settings[LimitSettings.connections]
        idleTimeout = .seconds(settings[LimitSettings.idleTimeout])
        headerTimeout = .seconds(settings[LimitSettings.headerTimeout])
        bodyTimeout = .seconds(settings[LimitSettings.bodyTimeout])
        writeTimeout = .seconds(settings[LimitSettings.writeTimeout])
    }
}
