import Testing

@testable import BroadsheetStores

@Suite("A screen's lifetime")
struct ScreenLifetimeTests {
    @Test("is a second to ten years", arguments: [1, 2, 86_400, 315_360_000])
    func accepts(seconds: Int) {
        #expect(ScreenLifetime(seconds: seconds) == .seconds(seconds))
    }

    @Test("is nothing else", arguments: [0, -1, 315_360_001, .max, .min])
    func refuses(seconds: Int) {
        #expect(ScreenLifetime(seconds: seconds) == nil)
    }

    static let expiries: [(ScreenLifetime, before: Int64?, Int64?)] = [
        (.unchanged, nil, nil), (.unchanged, 7, 7), (.indefinite, nil, nil), (.indefinite, 7, nil),
        (.seconds(1), nil, 2000), (.seconds(3), 7, 4000), (.seconds(0), nil, 2000),
        (.seconds(.min), nil, 2000), (.seconds(.max), nil, 1000 + 315_360_000_000),
    ]

    @Test("says when a screen is over that is written now", arguments: expiries)
    func expiry(lifetime: ScreenLifetime, before: Int64?, expected: Int64?) {
        #expect(lifetime.expiry(at: 1000, before: before) == expected)
    }
}
