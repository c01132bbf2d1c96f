/// The names of styles (docs/catalog.md, "Styles by name").
package enum StyleNames {
    /// The largest number of names of a box or a cell type; fixed.
    static let maxCount = 4
    /// The largest number of bytes of a name; fixed.
    static let maxBytes = 32

    static func read(_ value: JSONValue, _ collector: inout ViolationCollector) -> [String]? {
        let names = value.string.map {
            $0.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        }
        let expected =
            "1 to \(maxCount) different names of a-z 0-9 -, a letter first, of at most "
            + "\(maxBytes) bytes each, with a space between them"
        return value.expecting(expected, names.flatMap { areValid($0) ? $0 : nil }, &collector)
    }

    private static func areValid(_ names: [String]) -> Bool {
        1...maxCount ~= names.count && Set(names).count == names.count && names.allSatisfy(isName)
    }

    private static func isName(_ name: String) -> Bool {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let others = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard let first = name.utf8.first, letters ~= first, name.utf8.count <= maxBytes else {
            return false
        }
        return name.utf8.allSatisfy {
            letters ~= $0 || others ~= $0 || $0 == UInt8(ascii: "-")
        }
    }
}
