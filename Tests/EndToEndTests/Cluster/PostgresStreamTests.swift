import TestSupport
import Testing

extension EndToEnd.Streams {
    @Test("A stream has another daemon's write within five seconds, its notification being lost")
    func lostNotifications() throws {
        let postgres = try PostgresServer(["fsync=off"])
        let daemons = try (0..<2).map { _ in try TestDaemon(["--store", postgres.url()]) }
        try Storefront.store(0..<1, as: "home", in: daemons[0])
        let stream = try daemons[1].connect()
        try stream.send(Request.bytes("GET", "/v1/screens/home/stream"))
        try stream.wait(forRevision: 1)
        for round in FailureRounds.all {
            try loseNotifications(of: postgres, daemons[0], stream, after: 2 * round + 1)
        }
    }

    /// Writes twice without a notification, and waits for both writes.
    ///
    /// - Parameter revision: The current revision.
    private func loseNotifications(
        of postgres: PostgresServer, _ writer: TestDaemon, _ stream: ClientConnection,
        after revision: Int
    ) throws {
        // The connections for notifications are gone, and do not come back before the write.
        try postgres.execute(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'
            """)
        try Storefront.store(0..<1, as: "home", in: writer)
        try stream.wait(forRevision: revision + 1)

        // As by a daemon that ends between its commit and the notification.
        try postgres.execute(
            """
            CREATE OR REPLACE FUNCTION public.pg_notify(text, text) RETURNS void
            LANGUAGE sql AS 'SELECT';
            ALTER DATABASE postgres SET search_path = public, pg_catalog
            """)
        let silent = try TestDaemon(["--store", postgres.url()])
        try Storefront.store(0..<1, as: "home", in: silent)
        // The daemon compares revisions every five seconds.
        try stream.wait(forRevision: revision + 2)
    }
}

extension ClientConnection {
    /// Returns when a stream has had the event of a revision.
    fileprivate func wait(forRevision revision: Int) throws {
        let data = Array("\"revision\":\(revision)}".utf8)
        _ = try receive { $0.firstRange(of: data) != nil }
    }
}
