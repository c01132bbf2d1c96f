import Synchronization

/// The form in which batches and queries go to a server, and that of the replies
/// (``LuaScript/apply``, ``LuaScript/records``).
enum RedisBatch {
    /// The maximum number of bytes of a batch: as much as a daemon can send within the timeout of a
    /// request.
    static let maxBytes = 255 << 20

    /// Returns the arguments of a batch after the state of the server.
    static func arguments(
        of batch: StoreBatch, channel: String, restoration: RedisEmptiedServer.Restoration?
    ) -> [[UInt8]] {
        let deletes = batch.deletes.map { Array(field($0).utf8) }
        let record: [UInt8] = if case .write(let write) = batch.change { write.bytes } else { [] }
        var arguments = expectation(of: batch) + change(of: batch)
        arguments += [
            channel, message(of: batch)?.text ?? "",
        ].map { Array($0.utf8) }
        arguments.append(restoration?.identity ?? [])
        arguments += [
            "\(restoration?.floor ?? 0)", batch.frees ? "1" : "0", "\(deletes.count)",
        ].map { Array($0.utf8) }
        arguments += [record, batch.feed?.bytes ?? []]
        arguments += deletes
        for put in batch.puts { arguments += [Array(field(put.key).utf8), put.bytes] }
        return arguments
    }

    private static func expectation(of batch: StoreBatch) -> [[UInt8]] {
        let words =
            switch batch.expectation {
            case .absent: ["absent", "-", "-"]
            case .alive: ["alive", "-", "-"]
            case .unchecked: ["unchecked", "-", "-"]
            case .current(let version): ["current", "\(version.revision)", "\(version.edit)"]
            case .expired(let version): ["expired", "\(version.revision)", "\(version.edit)"]
            }
        return ([batch.screen.text, "\(batch.line)"] + words).map { Array($0.utf8) }
    }

    private static func change(of batch: StoreBatch) -> [[UInt8]] {
        var words =
            switch batch.change {
            case .none: ["none", "-", "-", "-", "-", "-", "="]
            case .remove: ["remove", "-", "-", "-", "-", "-", "="]
            case .write(let record):
                [
                    "write", "\(record.version.revision)", "\(record.version.edit)",
                    record.due.map { "\($0)" } ?? "-", "\(record.weight)",
                    "\(record.listedBytes)", seconds(record.lifetime),
                ]
            }
        words += batch.feed.map { ["\($0.expected)", "\($0.version)"] } ?? ["-", "-"]
        words += batch.floor.map { ["\($0.revision)", "\($0.line)"] } ?? ["-", "-"]
        return words.map { Array($0.utf8) }
    }

    private static func seconds(_ lifetime: ScreenLifetime) -> String {
        switch lifetime {
        case .unchanged: "="
        case .indefinite: "-"
        case .seconds: lifetime.wholeSeconds.map { "\($0)" } ?? "="
        }
    }

    static func field(_ key: ObjectKey) -> String { "\(key.kind):\(key.number):\(key.revision)" }

    /// Returns the message of a batch; `nil` if it changes nothing that other daemons may know.
    private static func message(of batch: StoreBatch) -> RedisMessage? {
        if batch.message == nil, case .none = batch.change { return nil }
        return RedisMessage(
            screen: batch.screen, version: lowestVersion(after: batch), event: batch.message)
    }

    static func lowestVersion(after batch: StoreBatch) -> RecordVersion {
        switch (batch.change, batch.message, batch.expectation) {
        case (.write(let record), _, _): record.version
        case (_, .written(_, let lowest), _): RecordVersion(revision: lowest, edit: 0)
        case (.remove, _, .current(let version)):
            RecordVersion(revision: version.revision &+ 1, edit: 0)
        case (.remove, _, _): RecordVersion(revision: .max, edit: 0)
        case (.none, _, _): RecordVersion(revision: 0, edit: 0)
        }
    }

    static func record(_ reply: RESPValue) -> RecordState? {
        if reply == .null { return .absent }
        if case .integer = reply {
            return .unchanged(timeLeft: RedisTimeToLive(reply).milliseconds)
        }
        guard let parts = reply.elements, parts.count == 6,
            let revision = parts[0].text.flatMap({ UInt64($0) }),
            let edit = parts[1].text.flatMap({ UInt64($0) }), let bytes = parts[3].bytes,
            let feedVersion = parts[4].text.flatMap({ UInt64($0) })
        else { return nil }
        return .present(
            StoredRecord(
                version: RecordVersion(revision: revision, edit: edit), bytes: bytes,
                timeLeft: RedisTimeToLive(parts[2]).milliseconds, feedVersion: feedVersion,
                feed: parts[5].bytes))
    }

    static func object(_ reply: RESPValue) -> ObjectReply {
        if case .integer(let length) = reply { return .length(Int(clamping: length)) }
        return reply.bytes.map(ObjectReply.bytes) ?? .absent
    }
}

/// A message between daemons: the name of a screen, its lowest possible version, an event, and the
/// state of the server (``LuaScript``), which the server adds.
struct RedisMessage: Hashable, Sendable {
    var screen: ScreenName
    /// The version that the record has, or a later one.
    var version: RecordVersion
    var event: StoreInvalidation?
    var state = ""

    private static let (written, removed, nothing) = ("written", "removed", "-")

    init(screen: ScreenName, version: RecordVersion, event: StoreInvalidation?) {
        self.screen = screen
        self.version = version
        self.event = event
    }

    init?(_ text: String) {
        let words = text.split(separator: " ", maxSplits: 4)
        guard words.count == 5, let screen = ScreenName(String(words[0])),
            let revision = UInt64(words[1]), let edit = UInt64(words[2])
        else { return nil }
        self.screen = screen
        version = RecordVersion(revision: revision, edit: edit)
        switch words[3] {
        case Self.written: event = .written(screen, lowest: revision)
        case Self.removed: event = .revisionsRemoved(screen)
        default: break
        }
        state = String(words[4])
    }

    /// The text without the state.
    var text: String {
        let word =
            switch event {
            case .written: Self.written
            case .revisionsRemoved: Self.removed
            case .missed, .restarted, nil: Self.nothing
            }
        return "\(screen.text) \(version.revision) \(version.edit) \(word)"
    }
}

/// The time to live of a key, as `PTTL` returns it.
struct RedisTimeToLive: Hashable, Sendable {
    /// The milliseconds: `nil` for a key that does not expire, 0 if there is no key or the reply is
    /// malformed.
    let milliseconds: Int64?

    /// Decodes a reply: milliseconds, -1 for a key that does not expire, -2 for no key.
    init(_ reply: RESPValue) {
        switch reply.integer {
        case -1: milliseconds = nil
        // The key of a reply exists, also in its last millisecond.
        case let left? where left >= 0: milliseconds = max(1, left)
        default: milliseconds = 0
        }
    }

    var duration: Duration? { milliseconds.map { .milliseconds($0) } }
}

/// The state of a server in its last reply: the words by which its line is known (``LuaScript``).
final class RedisServerState: Sendable {
    private struct State {
        var text = ""
        var line: UInt64 = 0
    }

    private let state = Mutex(State())

    /// The state, for the next request; empty before the first reply.
    var text: String { state.withLock { $0.text } }

    var line: UInt64 { state.withLock { $0.line } }

    /// Records the state in a reply; returns its line, and whether an earlier reply had another
    /// state.
    func record(_ text: String) throws(StoreError) -> (line: UInt64, isOther: Bool) {
        guard let line = text.split(separator: " ").last.flatMap({ UInt64($0) }) else {
            throw .corrupt("the reply of the server has no line")
        }
        return state.withLock { state in
            // Replies of a connection that has ended may come late.
            guard line >= state.line else { return (line, false) }
            defer { state = State(text: text, line: line) }
            return (line, state.line > 0 && state.text != text)
        }
    }

    /// Begins another line, because the server does not disclose whether it has one.
    func beginLine() {
        state.withLock { if $0.line > 0 { $0.text = "? ? \($0.line)" } }
    }

    func reset() { state.withLock { $0 = State() } }
}
