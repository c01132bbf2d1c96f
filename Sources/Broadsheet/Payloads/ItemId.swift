/// An item's id as a tree shows it: its text or its place, and `#2` where an earlier one has the same.
struct ItemId {
    let identity: CellInfo.Identity
    /// Which item of that identity it is; 1 says nothing.
    let number: Int
    /// The number of its page.
    let page: Int

    /// The most bytes that the id takes; escaping anew never makes a text longer.
    @inline(__always)
    var maxByteCount: Int {
        switch identity {
        case .text(let range, _): range.count + JSONCursor.longestNumber
        case .position: 4 * JSONCursor.longestNumber
        }
    }

    /// Writes the id without quotes; `bytes` are its page's.
    @inline(__always)
    func write(to cursor: inout JSONCursor, _ bytes: UnsafeBufferPointer<UInt8>) {
        switch identity {
        case .text(let range, let hasEscapes):
            let text = UnsafeBufferPointer(
                rebasing: bytes[Int(range.lowerBound)..<Int(range.upperBound)])
            if hasEscapes { cursor.reescaped(text) } else { cursor.copy(text) }
        case .position(let unit, let element):
            cursor.raw("p")
            cursor.digits(of: UInt64(page.magnitude))
            cursor.raw(".u")
            cursor.digits(of: UInt64(unit.magnitude))
            cursor.raw(".e")
            cursor.digits(of: UInt64(element.magnitude))
        }
        guard number > 1 else { return }
        cursor.byte(UInt8(ascii: "#"))
        cursor.digits(of: UInt64(number.magnitude))
    }
}
