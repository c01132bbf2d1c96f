import BroadsheetStores
import Testing

@Suite("What a stored screen exceeds")
struct ReadExcessTests {
    private static let sentences: [(ReadExcess, String)] = [
        (.init(of: .pages, 12, limit: 10), "The stored screen has 12 pages, the limit is 10."),
        (
            .init(of: .screenBytes, limit: 10),
            "The pages of the stored screen have more bytes together, the limit is 10."
        ),
        (
            .init(of: .pageBytes(page: 3), 12, limit: 10),
            "Page 3 of the stored screen has 12 bytes, the limit is 10."
        ),
        (
            .init(of: .depth(page: 3), limit: 10),
            "Page 3 of the stored screen is nested too deeply, the limit is 10."
        ),
        (
            .init(of: .memory, 12, limit: 10),
            "To read the stored screen, or to lay it out, takes 12 bytes of memory, the limit is 10."
        ),
    ]

    @Test("Its description is a sentence with the number and the limit", arguments: sentences)
    func description(excess: ReadExcess, sentence: String) {
        #expect(excess.description == sentence)
    }
}
