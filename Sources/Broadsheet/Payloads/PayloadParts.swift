/// A document that is written in parts, so that a large one need not be in memory at once.
package protocol PayloadParts: Sendable {
    var isFinished: Bool { get }

    /// Writes the next part, or returns `nil` after the last one.
    ///
    /// - Parameter byteCount: The number of bytes at which the part ends. It is larger by at most
    ///   one item, one section without its items, or the diagnostics.
    mutating func next(byteCount: Int) -> [UInt8]?

    /// Returns the number of bytes of everything that is left, or `nil` if it is more than `limit`.
    ///
    /// - Complexity: O(min(bytes left, limit)).
    func byteCount(upTo limit: Int) -> Int?
}

extension PayloadParts {
    package mutating func written() -> [UInt8] { next(byteCount: .max) ?? [] }
}

/// A document that is written step by step into one buffer, from which its parts are taken.
protocol SteppedParts: PayloadParts {
    var output: StructuredJSONWriter { get set }
    /// The estimated number of bytes of the document; 0 if there is no estimate.
    var expectedByteCount: Int { get }
    /// The time that the part has taken besides that of writing its bytes, in bytes that could be
    /// written in it; the next part begins with 0.
    var extraCost: Int { get set }

    /// Writes the next step; of a list as many entries as `byteCount` has space for, at least one.
    mutating func advance(upTo byteCount: Int)
}

extension SteppedParts {
    package mutating func next(byteCount: Int) -> [UInt8]? {
        guard !isFinished else { return nil }
        let (capacity, overflow) = byteCount.addingReportingOverflow(byteCount / 4)
        output.writer.reserveCapacity(min(expectedByteCount, overflow ? .max : capacity))
        extraCost = 0
        while !isFinished, output.writer.bytes.count < byteCount - extraCost {
            advance(upTo: byteCount)
        }
        return output.writer.takeBytes()
    }

    /// Writes and discards the parts one after the other.
    package func byteCount(upTo limit: Int) -> Int? {
        // The approximate size of the buffer in which bytes are counted.
        let partByteCount = 64 * 1024
        var (parts, total) = (self, 0)
        while !parts.isFinished {
            parts.extraCost = 0
            parts.advance(upTo: partByteCount)
            total += parts.output.writer.bytes.count
            guard total <= limit else { return nil }
            parts.output.writer.removeAll()
        }
        return total
    }
}
