import Foundation

/// Compares a tree of the engine with one of the oracle.
///
/// Everything before the diagnostics is compared byte for byte. Of a diagnostic the code, the page
/// and the pointer are compared; its detail may differ.
enum TreeComparison {
    /// Returns the differences, or `nil` when the trees agree.
    static func difference(engine: [UInt8], oracle: [UInt8]) -> String? {
        let (ours, ourLines) = split(engine)
        let (theirs, theirLines) = split(oracle)
        guard ours == theirs else {
            let places = differences(tree(ours), tree(theirs), tolerance: 0)
            return places.isEmpty ? firstDifference(ours, theirs) : list(places)
        }
        let lines = (diagnostics(ourLines), diagnostics(theirLines))
        return lines.0 == lines.1 ? nil : "diagnostics: \(lines.0)\noracle: \(lines.1)"
    }

    /// Returns the differences like `difference`, except for numbers that differ by a thousandth: a
    /// sum in another order may be rounded to the other side of a tie (G5).
    static func differenceBeyondTies(engine: [UInt8], oracle: [UInt8]) -> String? {
        guard let difference = difference(engine: engine, oracle: oracle) else { return nil }
        let (ours, ourLines) = split(engine)
        let (theirs, theirLines) = split(oracle)
        let isTie =
            isEqualBeyondTies(ours, theirs) && diagnostics(ourLines) == diagnostics(theirLines)
        return isTie ? nil : difference
    }

    /// Returns whether two texts are equal except for numbers that differ by a thousandth.
    ///
    /// The comparison uses bytes, since posted data may contain numbers that Foundation cannot
    /// read.
    private static func isEqualBeyondTies(_ ours: [UInt8], _ theirs: [UInt8]) -> Bool {
        var (one, other) = (0, 0)
        while one < ours.count, other < theirs.count {
            if ours[one] == theirs[other] {
                (one, other) = (one + 1, other + 1)
                continue
            }
            let (number, otherNumber) = (number(around: one, ours), number(around: other, theirs))
            guard let value = Double(String(decoding: ours[number], as: UTF8.self)),
                let otherValue = Double(String(decoding: theirs[otherNumber], as: UTF8.self)),
                abs(value - otherValue) <= 0.001_000_1
            else { return false }
            (one, other) = (number.upperBound, otherNumber.upperBound)
        }
        return one == ours.count && other == theirs.count
    }

    /// Returns the range of the number that contains, or ends before, the byte at `index`.
    private static func number(around index: Int, _ text: [UInt8]) -> Range<Int> {
        func isPart(_ byte: UInt8) -> Bool { "+-.0123456789eE".utf8.contains(byte) }
        let start = text[..<index].lastIndex { !isPart($0) }.map { $0 + 1 } ?? 0
        let end = text[index...].firstIndex { !isPart($0) } ?? text.count
        return start..<end
    }

    private static let lastMember = Array(#","diagnostics":["#.utf8)

    /// Splits a tree before its diagnostics, which are the last member.
    private static func split(_ tree: [UInt8]) -> (tree: [UInt8], diagnostics: [UInt8]) {
        var start = tree.count - lastMember.count
        while start >= 0 {
            if tree[start...].starts(with: lastMember) {
                let lines = tree[(start + lastMember.count - 1)..<(tree.count - 1)]
                return (Array(tree[..<start]), Array(lines))
            }
            start -= 1
        }
        return (tree, [])
    }

    /// Returns sorted codes, pages and pointers of diagnostics.
    private static func diagnostics(_ array: [UInt8]) -> [String] {
        struct Line: Decodable {
            let code, pointer: String
            let page: Int?
        }
        guard let lines = try? JSONDecoder().decode([Line].self, from: Data(array)) else {
            return ["not valid JSON: " + String(decoding: array, as: UTF8.self)]
        }
        return lines.map { "\($0.page ?? -1) \($0.pointer) \($0.code)" }.sorted()
    }

    private static func tree(_ bytes: [UInt8]) -> Any {
        (try? JSONSerialization.jsonObject(with: Data(bytes + Array("}".utf8)))) ?? "not valid JSON"
    }

    /// Returns pointers to the differences, with both values.
    private static func differences(
        _ one: Any, _ other: Any, at pointer: String = "", tolerance: Double
    ) -> [String] {
        switch (one, other) {
        case (let one as [String: Any], let other as [String: Any]):
            return Set(one.keys).union(other.keys).sorted().flatMap { name in
                differences(
                    one[name] ?? "absent", other[name] ?? "absent", at: "\(pointer)/\(name)",
                    tolerance: tolerance)
            }
        case (let one as [Any], let other as [Any]) where one.count == other.count:
            return zip(one, other).enumerated().flatMap { index, pair in
                differences(pair.0, pair.1, at: "\(pointer)/\(index)", tolerance: tolerance)
            }
        case (let one as String, let other as String) where Array(one.utf8) == Array(other.utf8):
            return []
        case (let one as NSNumber, let other as NSNumber)
        where abs(one.doubleValue - other.doubleValue) <= tolerance:
            return []
        case (is NSNull, is NSNull):
            return []
        default:
            return ["\(pointer): engine \(one), oracle \(other)"]
        }
    }

    private static func list(_ places: [String]) -> String {
        (places.prefix(12) + (places.count > 12 ? ["and \(places.count - 12) more"] : []))
            .joined(separator: "\n")
    }

    private static func firstDifference(_ ours: [UInt8], _ theirs: [UInt8]) -> String {
        let position = zip(ours, theirs).prefix { $0 == $1 }.count
        let start = max(0, position - 160)
        func excerpt(_ bytes: [UInt8]) -> String {
            String(
                decoding: bytes[min(start, bytes.count)..<min(position + 80, bytes.count)],
                as: UTF8.self)
        }
        return "at byte \(position)\nengine: …\(excerpt(ours))\noracle: …\(excerpt(theirs))"
    }
}
