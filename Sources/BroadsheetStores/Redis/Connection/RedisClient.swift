import BroadsheetIO

/// A client that sends commands from any task and waits for the replies.
///
/// Commands that were sent on a connection that is lost are sent again on the next one: at once,
/// and then every 50 ms.
final class RedisClient: Sendable {
    /// The time after which a connection without a reply is closed.
    static let callTimeout = Duration.seconds(2)
    private static let repeatInterval = Duration.milliseconds(50)

    private let loop: EventLoop
    private let link: RedisLink
    private let markers = RedisMarkers()
    /// The time for which commands are sent again; `nil` to send them once.
    private let timeout: Duration?

    /// Creates a client of a server, whose connection ``start()`` establishes.
    ///
    /// - Parameters:
    ///   - memory: The budget that large requests and replies are charged to.
    ///   - timeout: The time for which commands are sent again; `nil` to send them once.
    init(
        _ location: RedisLocation, _ observer: RedisLinkObserver,
        memory: MemoryBudget = .unlimited, timeout: Duration? = nil
    ) {
        loop = location.loop
        link = RedisLink(location, observer, memory: memory)
        self.timeout = timeout
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

    func call(_ command: RESPCommand) async throws(StoreError) -> RESPValue {
        let replies = try await call([command])
        return replies.first ?? .null
    }

    /// Sends commands together and returns their replies in order.
    ///
    /// Commands of other clients may be performed between them.
    ///
    /// - Parameter isRepeated: A Boolean value that indicates whether they may be sent again.
    /// - Throws: The first error reply (``RedisErrorReply``), or the failure of the connection; the
    ///   other commands may have been performed.
    func call(
        _ commands: [RESPCommand], isRepeated: Bool = true
    ) async throws(StoreError) -> [RESPValue] {
        guard !commands.isEmpty else { return [] }
        let replies = try await replies(to: commands, isRepeated: isRepeated) { $0.command() }
        for reply in replies.values { try Self.check(reply) }
        return replies.values.dropLast()
    }

    /// Sends commands together, the last of which returns a marker at the end of its reply, and
    /// returns all replies, including error replies, for ``check(_:)``.
    ///
    /// - Parameters:
    ///   - isRepeated: A Boolean value that indicates whether they are sent again if the connection
    ///     is lost, although they may have been performed.
    ///   - isWrite: A Boolean value that indicates whether they write, so that a failure after they
    ///     were sent is ``StoreError/unknown(_:)``.
    func replies(
        to commands: [RESPCommand], isRepeated: Bool = true, isWrite: Bool = false,
        last: (RedisMarker) -> RESPCommand
    ) async throws(StoreError) -> RedisReplies {
        let marker = markers.next()
        let commands = commands + [last(marker)]
        let now = loop.clock.now
        var attempt = RedisAttempt(
            bytes: Self.bytes(of: commands), replyCount: commands.count, marker: marker,
            deadline: (isRepeated ? timeout : nil).map { StoreDeadline.end(of: $0, from: now) })
        // The store has used a moment of its timeout; its connection then says what is wrong.
        attempt.isShortened =
            timeout.map { timeout in
                attempt.deadline.map { $0 < now.advanced(by: timeout * 9 / 10) } ?? false
            } ?? false
        while true {
            switch await result(of: attempt) {
            case .success(let values):
                return RedisReplies(values: values, mayBeRepeated: attempt.lastFailure != nil)
            case .failure(let failure):
                guard attempt.fail(failure, at: loop.clock.now) else {
                    guard isWrite, attempt.mayBePerformed(after: failure) else {
                        throw failure.storeError
                    }
                    throw .unknown(failure.reason)
                }
            }
            if attempt.count > 1 { await pause() }
        }
    }

    /// Sends commands once.
    ///
    /// It ends at the deadline of the commands, and an attempt after the first one, which waits for
    /// a connection, then has the failure of the one before it.
    private func result(of attempt: RedisAttempt) async -> Result<[RESPValue], RedisFailure> {
        let closed = Result<[RESPValue], RedisFailure>.failure(.closed("the store is closed"))
        let timeout = min(Self.callTimeout, timeout ?? Self.callTimeout)
        return await Waiter.wait(orElse: closed) { done in
            loop.submit { [link, loop] in
                var end = loop.clock.now.advanced(by: timeout)
                if let deadline = attempt.deadline,
                    attempt.lastFailure != nil || attempt.isShortened && deadline < end
                {
                    let failure = attempt.lastFailure ?? .lost("no reply in time")
                    let timer = DeadlineTimer { done.resume(.failure(failure)) }
                    loop.setDeadline(deadline, of: timer)
                    if attempt.lastFailure != nil { end = min(end, deadline) }
                }
                link.send(
                    RedisRequest(
                        bytes: attempt.bytes, replyCount: attempt.replyCount,
                        deadline: end, marker: attempt.marker,
                        waitsForConnection: attempt.lastFailure != nil
                    ) { done.resume($0) })
            }
        }
    }

    /// Waits until the next attempt, also in a task that is cancelled.
    private func pause() async {
        await Waiter.wait { done in
            loop.submit { [loop] in
                let timer = DeadlineTimer { done.resume(()) }
                loop.setDeadline(loop.clock.now.advanced(by: Self.repeatInterval), of: timer)
            }
        }
    }

    /// Throws the error that corresponds to an error reply.
    static func check(_ reply: RESPValue) throws(StoreError) {
        if case .error(let message) = reply { throw RedisErrorReply(message).storeError }
    }

    private static func bytes(of commands: [RESPCommand]) -> [UInt8] {
        guard commands.count > 1 else { return commands.first?.bytes ?? [] }
        return commands.reduce(into: []) { $0 += $1.bytes }
    }
}

/// The replies to commands that were sent together.
struct RedisReplies: Sendable {
    /// The replies, in the order of the commands.
    var values: [RESPValue]
    /// A Boolean value that indicates whether the commands were sent before, and may have been
    /// performed then.
    var mayBeRepeated: Bool
}

/// Commands that are sent until there are replies.
private struct RedisAttempt: Sendable {
    /// The encoded commands.
    let bytes: [UInt8]
    let replyCount: Int
    /// The marker of the last reply.
    let marker: RedisMarker
    /// The time until which they are sent again; `nil` for commands that are not.
    let deadline: MonotonicInstant?
    /// A Boolean value that indicates whether the deadline is that of the task.
    var isShortened = false
    /// The number of attempts that have failed.
    private(set) var count = 0
    /// The last failure of an attempt, if the commands were sent before.
    private(set) var lastFailure: RedisFailure?

    init(
        bytes: [UInt8], replyCount: Int, marker: RedisMarker, deadline: MonotonicInstant?
    ) {
        self.bytes = bytes
        self.replyCount = replyCount
        self.marker = marker
        self.deadline = deadline
    }

    /// Returns whether the server may have performed the commands, after a final failure of an
    /// open store.
    func mayBePerformed(after failure: RedisFailure) -> Bool {
        switch failure {
        case .closed: false
        case .lost: true
        case .unsent: lastFailure != nil
        }
    }

    /// Records a failure; returns `false` if it is final.
    mutating func fail(_ failure: RedisFailure, at now: MonotonicInstant) -> Bool {
        switch failure {
        case .closed: return false
        case .unsent: if lastFailure == nil { return false }
        case .lost: break
        }
        guard let deadline, now < deadline else { return false }
        count += 1
        lastFailure = failure
        return true
    }
}
