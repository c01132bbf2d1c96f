import BroadsheetStores
import Testing

@Suite("A store's identity")
struct StoreIdentityTests {
    @Test("takes a key of 16 bytes and no other", arguments: [0, 1, 15, 16, 17, 32])
    func keyLength(count: Int) {
        let identity = StoreIdentity(name: "x", sealingKey: [UInt8](repeating: 1, count: count))
        #expect((identity != nil) == (count == StoreIdentity.keyLength))
    }

    @Test("is made of the randomness that is passed in")
    func seeded() {
        struct Counter: RandomNumberGenerator {
            var value: UInt64 = 0
            mutating func next() -> UInt64 {
                value += 0x0101_0101_0101_0101
                return value
            }
        }
        var one = Counter()
        var two = Counter()
        #expect(StoreIdentity(using: &one) == StoreIdentity(using: &two))
        #expect(
            StoreIdentity(using: &one) != StoreIdentity(using: &two).self || one.value == two.value)
    }
}
