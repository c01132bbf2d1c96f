import Testing

@testable import BroadsheetStores

@Suite("The name of a screen")
struct ScreenNameTests {
    @Test(
        "A screen's name is 1 to 128 of A-Z a-z 0-9 . _ ~ -",
        arguments: [
            "a", "home", "Home.Page_1~x-y", "0", "...", ".a", "-", "~", "_",
            String(repeating: "z", count: 128),
        ])
    func accepts(text: String) {
        #expect(ScreenName(text)?.text == text)
        #expect(ScreenName(text)?.description == text)
    }

    @Test(
        "Any other text is rejected as a screen's name",
        arguments: [
            "", ".", "..", " ", "a b", "a/b", "a%20", "a+b", "é", "홈", "a\0", "a\n", "a:b", "@",
            "[",
            "`", "{", "/", String(repeating: "z", count: 129),
        ])
    func refuses(text: String) {
        #expect(ScreenName(text) == nil)
    }

    @Test("Screen names are ordered by their bytes")
    func sorts() {
        let names = ["b", "a", "B", "a.b", "a-b", "A"].compactMap(ScreenName.init).sorted()
        #expect(names.map(\.text) == ["A", "B", "a", "a-b", "a.b", "b"])
    }
}

@Suite("The lifetime of a screen")
struct ScreenLifetimeTests {
    @Test("A screen's lifetime is a second to ten years", arguments: [1, 2, 86_400, 315_360_000])
    func accepts(seconds: Int) {
        #expect(ScreenLifetime(seconds: seconds) == .seconds(seconds))
    }

    @Test(
        "Any other duration is rejected as a lifetime", arguments: [0, -1, 315_360_001, .max, .min])
    func refuses(seconds: Int) {
        #expect(ScreenLifetime(seconds: seconds) == nil)
    }

    static let expiries: [(ScreenLifetime, before: Int64?, Int64?)] = [
        (.unchanged, nil, nil), (.unchanged, 7, 7), (.indefinite, nil, nil), (.indefinite, 7, nil),
        (.seconds(1), nil, 2000), (.seconds(3), 7, 4000), (.seconds(0), nil, 2000),
        (.seconds(.min), nil, 2000), (.seconds(.max), nil, 1000 + 315_360_000_000),
    ]

    @Test("A lifetime determines the expiry of a screen that is written now", arguments: expiries)
    func expiry(lifetime: ScreenLifetime, before: Int64?, expected: Int64?) {
        #expect(lifetime.expiry(at: 1000, before: before) == expected)
    }
}

@Suite("The identity of a store")
struct StoreIdentityTests {
    @Test("A store's identity has a key of exactly 16 bytes", arguments: [0, 1, 15, 16, 17, 32])
    func keyLength(count: Int) {
        let identity = StoreIdentity(name: "x", sealingKey: [UInt8](repeating: 1, count: count))
        #expect((identity != nil) == (count == StoreIdentity.keyLength))
    }

    @Test("An identity is created from the given random number generator")
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
