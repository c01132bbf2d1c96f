import BroadsheetStores
import Testing

@Suite("A screen's name")
struct ScreenNameTests {
    @Test(
        "is 1 to 128 of A-Z a-z 0-9 . _ ~ -",
        arguments: [
            "a", "home", "Home.Page_1~x-y", "0", "...", ".a", "-", "~", "_",
            String(repeating: "z", count: 128),
        ])
    func accepts(text: String) {
        #expect(ScreenName(text)?.text == text)
        #expect(ScreenName(text)?.description == text)
    }

    @Test(
        "is nothing else",
        arguments: [
            "", ".", "..", " ", "a b", "a/b", "a%20", "a+b", "é", "홈", "a\0", "a\n", "a:b", "@",
            "[",
            "`", "{", "/", String(repeating: "z", count: 129),
        ])
    func refuses(text: String) {
        #expect(ScreenName(text) == nil)
    }

    @Test("sorts by bytes")
    func sorts() {
        let names = ["b", "a", "B", "a.b", "a-b", "A"].compactMap(ScreenName.init).sorted()
        #expect(names.map(\.text) == ["A", "B", "a", "a-b", "a.b", "b"])
    }
}
