import BroadsheetHTTP
import BroadsheetStores

/// The URL under which an origin has its pages: `http://shop.example/screens`.
package struct OriginURL: Sendable, Hashable {
    /// The URL without a slash at its end.
    package let text: String

    package static let maxLength = 2048
    /// The form of the text, as a noun.
    package static let form =
        "an http or https URL without a user, a query and a fragment, such as "
        + "https://shop.example/screens"

    package init?(_ text: String) {
        guard text.utf8.count <= Self.maxLength, let start = text.firstRange(of: "://") else {
            return nil
        }
        let end = text[start.upperBound...].firstIndex(of: "/") ?? text.endIndex
        guard let origin = WebOrigin(text[..<end]), ["http", "https"].contains(origin.scheme),
            let path = Self.path(text[end...])
        else { return nil }
        self.text = text[..<end] + path
    }

    /// Returns the URL of a page.
    ///
    /// The characters of a name need no encoding in a URL, and `.` and `..` are not names, so the
    /// result is always below the configured URL.
    func page(_ number: Int, of screen: ScreenName) -> String {
        "\(text)/\(screen.text)/pages/\(number)"
    }

    /// Reads a path (RFC 3986 §3.3) without dot segments, and returns it without slashes at its
    /// end; `nil` for any other text.
    private static func path(_ text: Substring) -> String? {
        var bytes = Array(text.utf8)
        while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        for (index, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: "%") {
                let digits = bytes[(index + 1)...].prefix(2)
                guard digits.count == 2, digits.allSatisfy(\.isHexDigit) else { return nil }
            } else if !byte.isPathByte {
                return nil
            }
        }
        let path = String(decoding: bytes, as: UTF8.self)
        let dots = [".", "..", "%2e", "%2e%2e", ".%2e", "%2e."]
        let hasDots = path.split(separator: "/").contains { dots.contains($0.lowercased()) }
        return hasDots ? nil : path
    }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    fileprivate var isPathByte: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default: "/-._~!$&'()*+,;=:@".utf8.contains(self)
        }
    }
}
