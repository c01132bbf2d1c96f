/// The feed of a screen without its events.
struct FeedRecord: Hashable, Sendable {
    /// The text that distinguishes the feed from all others.
    var instance: String
    /// The revision that created the screen.
    var base: UInt64
    /// The number of the oldest event; one more than ``last`` if there is none.
    var first: UInt64 = 1
    var last: UInt64 = 0
    /// The number of bytes of the events.
    var byteCount = 0
    /// The numbers of the last writes, the newest first.
    var writes: [WriteNumber] = []
    /// Parts that a later version has added, which are kept as they are.
    var otherParts: [UInt8] = []

    /// The version of the feed: the number of its last write, and at first the base.
    var version: UInt64 { writes.first.map { UInt64(bitPattern: $0.value) } ?? base }

    var count: UInt64 { last + 1 - first }

    func bytes(of screen: ScreenName) -> [UInt8] {
        var writer = BinaryWriter()
        writer.add(instance)
        for number in [base, first, last] { writer.add(number) }
        writer.add(byteCount)
        writer.add(writes.count)
        for number in writes { writer.add(fixed: UInt64(bitPattern: number.value)) }
        writer.add(counted: otherParts)
        return writer.sealed(at: BinaryPlace(screen: screen, isFeed: true))
    }

    init(instance: String, base: UInt64) {
        self.instance = instance
        self.base = base
    }

    init(_ bytes: [UInt8], of screen: ScreenName) throws(BinaryDamage) {
        var reader = try BinaryReader(bytes, at: BinaryPlace(screen: screen, isFeed: true))
        instance = try reader.text()
        base = try reader.number()
        first = try reader.number()
        last = try reader.number()
        guard first > 0, last < BinaryForm.maxRevision, first <= last + 1 else {
            throw reader.damage
        }
        byteCount = try reader.count()
        for _ in 0..<(try reader.elementCount()) {
            writes.append(WriteNumber(value: Int64(bitPattern: try reader.fixed())))
        }
        otherParts = try reader.counted()
        guard reader.isAtEnd else { throw reader.damage }
    }

    func put(_ data: [UInt8], _ number: UInt64, of screen: ScreenName) -> StoreBatch.Put {
        let key = ObjectKey.event(number, base: base)
        let place = BinaryPlace(screen: screen, key: key)
        return StoreBatch.Put(key: key, bytes: BinaryWriter(data).sealed(at: place))
    }

    static func read(
        _ bytes: [UInt8], of screen: ScreenName, at key: ObjectKey
    ) throws(BinaryDamage) -> FeedEvent {
        let place = BinaryPlace(screen: screen, key: key)
        let reader = try BinaryReader(unversioned: bytes, at: place)
        return FeedEvent(number: key.number, data: Array(reader.rest))
    }
}
