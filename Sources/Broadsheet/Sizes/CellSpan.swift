/// The number of columns of a grid, or of masonry, that an item spans (rules F20 and M3).
public enum CellSpan: Sendable, Hashable {
    /// A number of columns, at most all; a number below 1 counts as 1.
    case columns(Int)
    /// All columns.
    case all
}

/// A span in 4 bytes: a page keeps one for each item whose span is in its data.
package struct ItemSpan: BitwiseCopyable, Sendable, Hashable {
    private let count: UInt32

    package static let one = ItemSpan(.columns(1))

    /// Creates a span; more columns than fit into it are more than any grid has.
    package init(_ span: CellSpan) {
        count =
            switch span {
            case .columns(let columns): UInt32(clamping: max(1, columns))
            case .all: .max
            }
    }

    /// Returns the number of columns that an item spans in a grid of `columns`, at least 1.
    @inline(__always)
    package func count(of columns: Int) -> Int {
        count == .max ? columns : min(Int(count), columns)
    }
}

extension ItemSpan {
    /// Creates the span that a value is: a whole number from 1, or `all`.
    init?(_ value: JSONValue) {
        if value.kind == .string, value.text?.equals("all") == true {
            self.init(.all)
            return
        }
        guard let number = value.double, number.isFinite, number >= 1,
            number == number.rounded(.down)
        else { return nil }
        self.init(.columns(Int(min(number, Length.limit * 10))))
    }

    init?(_ value: JSONValue, _ collector: inout ViolationCollector) {
        let expected = #"a whole number from 1, or "all""#
        guard let span = value.expecting(expected, ItemSpan(value), &collector) else { return nil }
        self = span
    }
}
