/// The name of a screen: 1 to 128 of `A-Z a-z 0-9 . _ ~ -`, but not `.` or `..`
/// (docs/api.md, "Screens").
///
/// The characters are RFC 3986's unreserved ones, so that a name stands in a URL as it is; the two
/// names that a URL parser would take for path segments of its own are left out. Names are checked
/// once, here, and trusted ever after.
package struct ScreenName: Hashable, Sendable {
    /// The name, ASCII only.
    package let text: String

    /// The longest name there is, in characters.
    package static let maxLength = 128

    /// Takes `text` if it is a name, else answers nil.
    package init?(_ text: String) {
        let bytes = text.utf8
        guard !bytes.isEmpty, bytes.count <= Self.maxLength, bytes.allSatisfy(Self.isAllowed),
            text != ".", text != ".."
        else { return nil }
        self.text = text
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

extension ScreenName: Comparable {
    /// Name order: that of the bytes, which every store can keep an index in.
    package static func < (left: ScreenName, right: ScreenName) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}

extension ScreenName: CustomStringConvertible {
    /// The name itself.
    package var description: String { text }
}
