import BroadsheetIO
import Synchronization

/// The knowledge with which a store begins again on a server that has lost its keys, by `FLUSHALL`
/// or by a restart without persistence.
///
/// The identity is the one that page tokens of clients were sealed with. The first revision is
/// above all that this daemon knows, and above the time in milliseconds: no screen is written as
/// often as that, so it is above the revisions that other daemons know, too.
final class RedisEmptiedServer: Sendable {
    private let identity = Mutex<[UInt8]?>(nil)
    private let highest = Atomic<UInt64>(0)
    private let clock: TimeSource

    init(clock: TimeSource) { self.clock = clock }

    /// The identity, and the floor of the revisions of a server that gets it again.
    struct Restoration: Sendable {
        var identity: [UInt8]
        var floor: UInt64
    }

    /// The restoration of a server that has lost its keys; `nil` without an identity.
    var restoration: Restoration? {
        identity.withLock { $0 }.map { identity in
            let time = UInt64(clamping: clock.unixMilliseconds)
            return Restoration(
                identity: identity, floor: max(highest.load(ordering: .relaxed), time))
        }
    }

    /// Returns the value of the key of an identity: the version of the format, the name, and the
    /// sealing key.
    static func value(of identity: StoreIdentity) -> [UInt8] {
        Array("1:\(identity.name):".utf8) + identity.sealingKey
    }

    /// Returns the identity in a value; `nil` if this version does not write such a value.
    static func identity(in value: [UInt8]) -> StoreIdentity? {
        let parts = value.split(
            separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].elementsEqual("1".utf8) else { return nil }
        return StoreIdentity(
            name: String(decoding: parts[1], as: UTF8.self), sealingKey: Array(parts[2]))
    }

    /// Records the value of the key of the identity; `nil` for none that the store has.
    func record(identity value: [UInt8]?) { identity.withLock { $0 = value } }

    func record(_ revision: UInt64) { highest.max(revision, ordering: .relaxed) }
}
