@testable import Broadsheet
import Testing

@Suite("Texts in pictures")
struct PictureTextTests {
    @Test(
        "A text that does not fit is truncated, unless too little of it would be left",
        arguments: [
            ("ProductCell", 200.0, "ProductCell"), ("ProductCell", 40.0, "Produ…"),
            ("ProductCell", 30.0, nil), ("ProductCell", 10.0, nil),
            ("가나다라마바", 40.0, "가나다…"), ("가나다라마바", 26.0, nil), ("Food", 25.0, nil),
            ("Food", 26.0, "Food"), ("No 123456", 30.0, nil), ("", 0.0, ""),
        ])
    func fitting(words: String, width: Double, expected: String?) {
        #expect(PictureText.fitting(words, width: width, size: 10) == expected)
    }

    @Test(
        "A text is divided at its spaces, and its last line is truncated",
        arguments: [
            ("one two three", 60.0, 2, ["one two", "three"], true),
            ("one two three", 200.0, 2, ["one two three"], true),
            ("one two three", 60.0, 1, ["one two t…"], false),
            ("one\ntwo \t three", 60.0, 2, ["one two", "three"], true),
            ("Donaudampfschifffahrt", 60.0, 2, ["Donaudam…"], false),
            ("a Donaudampfschifffahrt", 60.0, 2, ["a", "Donaudam…"], false),
            ("one two", 10.0, 2, [], false), ("", 60.0, 2, [], true), ("   ", 60.0, 2, [], true),
        ])
    func lines(words: String, width: Double, count: Int, expected: [String], areWhole: Bool) {
        let (lines, whole) = PictureText.lines(words, width: width, size: 10, atMost: count)
        #expect(lines == expected)
        #expect(whole == areWhole)
    }

    @Test(
        "T8: a text is read from right to left if its first letter is, with a mark in other lines",
        arguments: [
            ("", false, "\u{200F}"), ("−20 %", false, "\u{200F}−20 %"), ("(א) a", true, "(א) a"),
            ("a א", false, "\u{200F}a א"), ("٣ %", false, "\u{200F}٣ %"),
            ("٣ عربي", true, "٣ عربي"),
            ("\u{200E}א", false, "\u{200F}\u{200E}א"), ("\u{61C}a", true, "\u{61C}a"),
        ])
    func direction(words: String, isRightToLeft: Bool, line: String) {
        #expect(PictureText.isRightToLeft(words) == isRightToLeft)
        #expect(
            PictureText.line(words, isRightToLeft: true).unicodeScalars.elementsEqual(
                line.unicodeScalars))
    }

    @Test("Texts are cut at 200 Unicode scalars, whatever characters they form")
    func bounded() {
        let marks = "a" + String(repeating: "\u{301}", count: 100_000)
        let (lines, areWhole) = PictureText.lines(marks, width: 100, size: 10, atMost: 2)
        #expect(lines.map(\.unicodeScalars.count) == [PictureText.maxLength])
        #expect(!areWhole)
        let long = String(repeating: "x", count: 10_000)
        #expect(
            PictureText.fitting(long, width: 1e9, size: 10)?.count == PictureText.maxLength)
    }
}
