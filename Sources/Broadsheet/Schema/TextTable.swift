import BroadsheetCollections

/// Texts, each with a number, that are found by their bytes.
///
/// A search compares with the text that is expected next, and then with O(log count) others, so
/// its time does not depend on a hash that the sender of a page could aim at.
struct TextTable: Sendable {
    /// The texts in UTF-8, one after the other.
    private var bytes: [UInt8] = []
    /// The end of each text in `bytes`, by number.
    private var ends: [Int] = []
    /// The numbers, ordered by length and then by bytes.
    private var order: [Int] = []
    /// The numbers by their texts, while texts are added.
    private var numbers: [Identifier: Int] = [:]

    var count: Int { ends.count }

    /// Returns the number of a text, which is added if it is new.
    ///
    /// ``seal()`` follows the last of these calls.
    mutating func insert(_ text: String) -> Int {
        let identifier = Identifier(text)
        if let number = numbers[identifier] { return number }
        bytes += Array(text.utf8)
        ends.append(bytes.count)
        numbers[identifier] = ends.count - 1
        return ends.count - 1
    }

    /// Ends the additions.
    ///
    /// - Complexity: O(bytes × log(count)).
    mutating func seal() {
        numbers = [:]
        let texts = ends.indices.map { bytes[range($0)] }
        order = texts.indices.sorted { one, other in
            let (one, other) = (texts[one], texts[other])
            guard one.count == other.count else { return one.count < other.count }
            return one.lexicographicallyPrecedes(other)
        }
    }

    func text(_ number: Int) -> String { String(decoding: bytes[range(number)], as: UTF8.self) }

    /// Returns the number of the text that has the bytes of `text`, or `nil`.
    ///
    /// - Parameter expected: The number that the text probably has; any number.
    /// - Complexity: O(length × log(count)).
    @inline(__always)
    func find(_ text: UnsafeBufferPointer<UInt8>, expected: Int = 0) -> Int? {
        if expected < ends.count, hasBytes(expected, text) { return expected }
        let place = place(of: text)
        return place < order.count && hasBytes(order[place], text) ? order[place] : nil
    }

    private func range(_ number: Int) -> Range<Int> {
        (number == 0 ? 0 : ends[number - 1])..<ends[number]
    }

    @inline(__always)
    private func hasBytes(_ number: Int, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let range = range(number)
        guard range.count == text.count else { return false }
        for index in 0..<text.count where bytes[range.lowerBound &+ index] != text[index] {
            return false
        }
        return true
    }

    /// Returns the index in `order` of the first text that is not less than `text`.
    private func place(of text: UnsafeBufferPointer<UInt8>) -> Int {
        order.partitioningIndex { number in
            let range = range(number)
            guard range.count == text.count else { return range.count > text.count }
            for index in 0..<text.count where bytes[range.lowerBound + index] != text[index] {
                return bytes[range.lowerBound + index] > text[index]
            }
            return true
        }
    }
}

extension JSONDocument {
    /// Calls `body` with the decoded text of the string at `node`, which is valid only during the
    /// call.
    @inline(__always)
    func withText<Result>(
        of node: UInt32, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        let literal = tape[node]
        return bytes.withUnsafeBufferPointer { bytes in
            let raw = UnsafeBufferPointer(
                rebasing: bytes[Int(literal.offset) + 1..<Int(literal.end) - 1])
            guard literal.hasEscapes else { return body(raw) }
            return Array(IteratorSequence(JSONUnescaper(raw))).withUnsafeBufferPointer(body)
        }
    }
}
