/// The break opportunities between two ASCII characters, as web browsers have them.
///
/// They are a table of pairs instead of UAX #14: a line breaks before an opening bracket and after
/// a hyphen or a question mark, and not elsewhere. It was measured in Chromium, pair by pair; a
/// test measures it again.
struct ASCIIBreaks {
    /// 128 bits a character: those of the characters before which a line may break.
    private let rows: [SIMD2<UInt64>]

    static let table = ASCIIBreaks()

    private init() {
        var rows = [SIMD2<UInt64>](repeating: .zero, count: 128)
        for character in ##"!"#%&)*+,.:;=>\]|}~"##.utf8 {
            rows[Int(character)] = Self.row(#"(<[{"#)
        }
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        let symbols = ##"#%&(*+-<=>@[\^_`{|~"##
        rows[Int(UInt8(ascii: "-"))] = Self.row(letters + symbols + #""'"#)
        rows[Int(UInt8(ascii: "?"))] = Self.row(letters + symbols + "$0123456789")
        self.rows = rows
    }

    private static func row(_ characters: String) -> SIMD2<UInt64> {
        var row = SIMD2<UInt64>.zero
        for character in characters.utf8 {
            row[Int(character >> 6)] |= 1 << UInt64(character & 63)
        }
        return row
    }

    /// Returns whether a line may break between two characters from U+0021 to U+007F.
    @inline(__always)
    func allow(_ before: UInt16, _ after: UInt16) -> Bool {
        rows[Int(before & 127)][Int((after >> 6) & 1)] & (1 << UInt64(after & 63)) != 0
    }
}
