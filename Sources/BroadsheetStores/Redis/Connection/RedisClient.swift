import BroadsheetIO

/// A client that sends commands from any task and waits for the replies.
final class RedisClient: Sendable {
    /// The time after which a request fails without a reply.
    static let callTimeout = Duration.seconds(2)

    private let loop: EventLoop
    private let link: RedisLink
    private let markers = RedisMarkers()

    /// Creates a client of `endpoint` whose connection is handled on `loop`; ``start()``
    /// establishes it.
    ///
    /// - Parameter memory: The budget that large requests and replies are charged to.
    init(
        _ endpoint: RedisEndpoint, on loop: EventLoop, _ observer: RedisLinkObserver,
        memory: MemoryBudget = .unlimited
    ) {
        self.loop = loop
        link = RedisLink(endpoint, on: loop, observer, memory: memory)
    }

    /// Begins to connect, and retries until ``close()``.
    func start() { loop.submit { [link] in link.start() } }

    /// Waits for outstanding replies and closes the connection.
    func finish() async {
        await Waiter.wait { done in
            loop.submit { [link] in link.finish { done.resume(()) } }
        }
    }

    /// Closes the connection; outstanding requests fail.
    func close() { loop.submit { [link] in link.close() } }

    /// Sends a command and returns its reply.
    func call(_ command: RESPCommand) async throws(StoreError) -> RESPValue {
        let replies = try await call([command])
        return replies.first ?? .null
    }

    /// Sends commands together and returns their replies in order.
    ///
    /// Commands of other clients may be performed between them.
    ///
    /// - Throws: The first error reply (``RedisErrorReply``), or the failure of the connection; the
    ///   other commands may have been performed.
    func call(_ commands: [RESPCommand]) async throws(StoreError) -> [RESPValue] {
        guard !commands.isEmpty else { return [] }
        return Array(try await read(commands) { $0.command }.dropLast())
    }

    /// Sends commands together, the last of which is a script that writes nothing and returns a
    /// marker, and returns all replies in order.
    ///
    /// The last reply may be an error of a user who may not run scripts, and can read nevertheless.
    ///
    /// - Throws: As ``call(_:)``.
    func read(
        _ commands: [RESPCommand] = [], last: (RedisMarker) -> RESPCommand
    ) async throws(StoreError) -> [RESPValue] {
        let replies = try await self.replies(to: commands, last: last)
        for reply in replies.dropLast() { try Self.check(reply) }
        if case .error(let message)? = replies.last, !RedisErrorReply(message).isWithoutPermission {
            throw RedisErrorReply(message).storeError
        }
        return replies
    }

    /// Sends commands together, the last of which returns a marker at the end of its reply, and
    /// returns all replies in order.
    ///
    /// - Throws: As ``call(_:)``.
    func call(
        _ commands: [RESPCommand] = [], last: (RedisMarker) -> RESPCommand
    ) async throws(StoreError) -> [RESPValue] {
        let replies = try await self.replies(to: commands, last: last)
        for reply in replies { try Self.check(reply) }
        return replies
    }

    /// Sends commands together, the last of which returns a marker at the end of its reply, and
    /// returns all replies, including error replies, for ``check(_:)``.
    func replies(
        to commands: [RESPCommand], last: (RedisMarker) -> RESPCommand
    ) async throws(StoreError) -> [RESPValue] {
        let marker = markers.next()
        let commands = commands + [last(marker)]
        let closed = Result<[RESPValue], StoreError>.failure(.unavailable("the store is closed"))
        let result = await Waiter.wait(orElse: closed) { done in
            loop.submit { [link, loop] in
                link.send(
                    RedisRequest(
                        bytes: Self.bytes(of: commands), replyCount: commands.count,
                        deadline: loop.clock.now.advanced(by: Self.callTimeout), marker: marker
                    ) { done.resume($0) })
            }
        }
        return try result.get()
    }

    /// Throws the error that corresponds to an error reply.
    static func check(_ reply: RESPValue) throws(StoreError) {
        if case .error(let message) = reply { throw RedisErrorReply(message).storeError }
    }

    private static func bytes(of commands: [RESPCommand]) -> [UInt8] {
        guard commands.count > 1 else { return commands.first?.bytes ?? [] }
        return Array(commands.map(\.bytes).joined())
    }
}
