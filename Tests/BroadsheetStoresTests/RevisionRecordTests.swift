import TestSupport
import Testing

@testable import BroadsheetStores

@Suite("The record of a revision")
struct RevisionRecordTests {
    /// A record with every part.
    private static let full: RevisionRecord = {
        var record = RevisionRecord(
            creation: .max, revision: 9_007_199_254_740_993, before: 9_007_199_254_740_992,
            note: RevisionNote(
                at: -1, operation: "updateScreen", key: "-", request: "=a.b~+/:",
                operations: ["patchItem": 2, "moveItems": 1000], revertedTo: 3),
            pageCount: 4)
        record.setPages((0..<103).map { .init(number: $0, byteCount: $0 == 5 ? nil : $0) })
        record.former = FormerState(
            folder: 7,
            head: ScreenHead(
                revision: 0, latestPage: 2, highestPage: 5,
                size: ScreenSize(pageCount: 2, byteCount: 30, counts: nil)), treeFloor: 6,
            pages: [
                FormerPage(number: 1),
                FormerPage(
                    number: 2,
                    tree: .init(number: 2, stored: 3, removalBelow: 4, nextChange: 5)),
                FormerPage(
                    number: 2_147_483_647,
                    tree: .init(number: 2_147_483_647, stored: 3),
                    replaced: .init(
                        size: PageSize(
                            byteCount: 12, counts: ContentCounts(sections: 1, items: 2)),
                        place: 8, checksum: .min)),
            ])
        return record
    }()

    @Test("A record is read as it was written, with and without what may be absent")
    func roundTrip() {
        var whole = Self.full
        whole.former?.pages = []
        whole.former?.hasWholeFolder = true
        let least = RevisionRecord(creation: 1, revision: 1, before: 1)
        for record in [Self.full, Self.full.withoutFormer, whole, least] {
            #expect(RevisionRecord(record.text) == record)
        }
        #expect(Self.full.byteCount == 12)
        #expect(Self.full.pages.count == 100 && Self.full.morePages == 3)
    }

    @Test("A record has the form that the files of earlier releases have")
    func form() {
        var record = Self.full
        record.setPages([.init(number: 0, byteCount: 7), .init(number: 5, byteCount: nil)])
        record.morePages = 2
        record.former?.hasWholeFolder = true
        let text = """
            1 9223372036854775807 9007199254740993 9007199254740992 -1 =updateScreen =- =\
            =a.b~+/: 3 4
            moveItems:1000 patchItem:2
            0:7 5:- +2
            h 7 2 5 2 30 - - 6
            *
            n 1
            t 2 3 4 5
            p 2147483647 3 0 0 12 1 2 8 -9223372036854775808
            """
        #expect(record.text == text)
        #expect(RevisionRecord(text) == record)
        let least = RevisionRecord(creation: 1, revision: 2, before: 1)
        #expect(least.text == "1 1 2 1 - - - - - 0\n\n")
    }

    @Test("A text that is cut or changed is refused, or is that of another record")
    func damaged() {
        let text = Self.full.text
        for end in text.indices {
            guard let record = RevisionRecord(String(text[..<end])) else { continue }
            #expect(RevisionRecord(record.text) == record)
        }
        for text in [
            "", "\n\n", "2 1 1 1 - - - - - 0\n\n", "1 x 1 1 - - - - - 0\n\n",
            "1 1 1 1 - - - - - 0\n\n+-1",
        ] {
            #expect(RevisionRecord(text) == nil, "\(text)")
        }
        for line in ["q 1", "p 1 2 3 4", "p 1 2 3 4 -5 - - 6 7", "t x 1 2 3", "n -1"] {
            #expect(RevisionRecord(Self.full.text + "\n" + line) == nil, "\(line)")
        }
    }
}
