@testable import Broadsheet
import Testing

@Suite("The places of texts and images in pictures")
struct CellArrangementTests {
    private static let all = CellPicture(
        title: "/t", subtitle: "/s",
        image: "/i")

    private func content(
        _ data: String, _ picture: CellPicture = CellArrangementTests.all
    ) throws -> CellContent? {
        let page = try ResolvedPage(
            page: ServerStatePage(
                JSONDocument(Array("{\"sections\": [], \"x\": \(data)}".utf8)),
                names: ContractNames()),
            number: 0, registry: CellRegistry())
        let start = #"{"sections": [], "x": "#.utf8.count
        return CellContent(picture, data: start..<page.bytes.count - 1, in: page)
    }

    @Test(
        "Strings and numbers are texts, and other values are not",
        arguments: [
            (#"{"t": "a", "s": 7.50}"#, "a", "7.50"), (#"{"t": "\u0061\n", "s": ""}"#, "a\n", nil),
            (#"{"t": null, "s": "b"}"#, nil, "b"), (#"{"t": true, "s": "b"}"#, nil, "b"),
            (#"{"t": {}, "s": "b"}"#, nil, "b"), (#"{"t": ["a"], "s": "b"}"#, nil, "b"),
            (#"{"t": "  ", "s": "b"}"#, nil, "b"), (#"{"s": -1e400}"#, nil, "-1e400"),
        ] as [(String, String?, String?)])
    func texts(data: String, title: String?, subtitle: String?) throws {
        let content = try #require(try content(data))
        #expect(content.title == title)
        #expect(content.subtitle == subtitle)
    }

    @Test(
        "Every image but null, false and an empty string is shown",
        arguments: [
            (#""a.jpg""#, true), ("{}", true), ("[]", true), ("0", true), ("true", true),
            ("null", false), ("false", false), (#""""#, false),
        ])
    func images(image: String, isShown: Bool) throws {
        let content = try #require(try content("{\"i\": \(image), \"t\": \"a\"}"))
        #expect((content.image != nil) == isShown)
    }

    @Test("Data without texts and images has no content", arguments: ["{}", "7", "[]", "null"])
    func nothing(data: String) throws {
        #expect(try content(data) == nil)
    }

    @Test(
        "The shape of an item decides where its image is",
        arguments: [
            // Above two lines of title and the subtitle: 186 - 2 * 18 - 16 - 14 - 4.
            (110.0, 186.0, Frame(x: 4, y: 4, width: 102, height: 116), false),
            // Beside: as high as the item, less a margin.
            (300, 72, Frame(x: 6, y: 6, width: 60, height: 60), false),
            // Behind, with the texts on a band of 18 + 16 + 14.
            (390, 200, Frame(x: 0, y: 0, width: 390, height: 200), true),
            (390, 151, Frame(x: 0, y: 0, width: 390, height: 151), true),
            (60, 70, Frame(x: 0, y: 0, width: 60, height: 70), true),
        ])
    func shapes(width: Double, height: Double, image: Frame, hasCaption: Bool) throws {
        let content = try #require(try content(#"{"t": "a", "s": "b", "i": 1}"#))
        let arrangement = CellArrangement(
            content, in: Size(width: width, height: height), isHeader: false, readsFromLeft: true)
        #expect(arrangement.image == image)
        #expect((arrangement.caption != nil) == hasCaption)
        #expect(arrangement.texts.map(\.words) == ["a", "b"])
    }

    @Test("Images of one type end at one height, whatever their items' texts")
    func aligned() throws {
        let size = Size(width: 110, height: 186)
        let images = try [
            #"{"t": "a", "s": "b", "i": 1}"#, #"{"t": "Handmade stoneware mug", "i": 2}"#,
        ].map {
            CellArrangement(
                try #require(try content($0)), in: size, isHeader: false, readsFromLeft: true
            ).image
        }
        #expect(images[0] == images[1])
    }

    @Test("A title that does not fit in its font has a smaller one before it is truncated")
    func smaller() throws {
        let chip = CellPicture(title: "/t")
        func text(_ title: String, width: Double) throws -> CellArrangement.Text? {
            CellArrangement(
                try #require(try content("{\"t\": \"\(title)\"}", chip)),
                in: Size(width: width, height: 34), isHeader: false, readsFromLeft: true
            ).texts.first
        }
        #expect(try text("Food", width: 72)?.font.size == PictureFont.itemTitle.size)
        #expect(try text("Architecture", width: 96)?.words == "Architecture")
        #expect(try text("Architecture", width: 96)?.font.size == PictureFont.smallTitle.size)
        #expect(try text("Architecture", width: 80)?.words.hasSuffix("…") == true)
        #expect(try text("Architecture", width: 40) == nil)
        #expect(try text("Food", width: 72)?.anchor == .middle)
        #expect(try text("Food", width: 72)?.x == 36)
    }

    @Test("A narrow, tall header has a title that runs upwards")
    func upwards() throws {
        let content = try #require(try content(#"{"t": "Sideways"}"#))
        let arrangement = CellArrangement(
            content, in: Size(width: 36, height: 160), isHeader: true, readsFromLeft: true)
        #expect(arrangement.texts.map(\.words) == ["Sideways"])
        #expect(arrangement.texts.allSatisfy { $0.isVertical })
    }

    @Test("From right to left, images and texts are mirrored")
    func mirrored() throws {
        let content = try #require(try content(#"{"t": "a", "s": "b", "i": 1}"#))
        let size = Size(width: 300, height: 72)
        let left = CellArrangement(content, in: size, isHeader: false, readsFromLeft: true)
        let right = CellArrangement(content, in: size, isHeader: false, readsFromLeft: false)
        #expect(right.image == Frame(x: 234, y: 6, width: 60, height: 60))
        #expect(right.texts.map(\.x) == left.texts.map { 300 - $0.x })
        #expect(left.texts.allSatisfy { $0.anchor == .start })
        #expect(right.texts.allSatisfy { $0.anchor == .end })
    }

    @Test(
        "Arrangements of any size are finite and inside their items",
        arguments: [0.0, 0.001, 5, 13, 40, 100_000, 1e9])
    func sizes(length: Double) throws {
        for other in [0.0, 1, 44, 151, 1e9] {
            for size in [Size(width: length, height: other), Size(width: other, height: length)] {
                let arrangement = CellArrangement(
                    try #require(try content(#"{"t": "a b", "s": "c", "i": 1}"#)), in: size,
                    isHeader: false, readsFromLeft: false)
                for frame in [arrangement.image, arrangement.caption].compactMap({ $0 }) {
                    #expect(frame.width >= 0 && frame.height >= 0, "\(size)")
                    #expect(frame.x >= 0 && frame.maxX <= size.width, "\(size)")
                    #expect(frame.y >= 0 && frame.maxY <= size.height, "\(size)")
                }
                for text in arrangement.texts {
                    #expect(text.x.isFinite && text.y.isFinite, "\(size)")
                }
            }
        }
    }
}
