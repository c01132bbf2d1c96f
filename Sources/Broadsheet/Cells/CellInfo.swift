/// One item of a page: its type, the range of its data, its identity and its size inputs.
///
/// It is 24 bytes of offsets into its page, which provides everything else about it
/// (``ResolvedPage``).
public struct CellInfo: Sendable {
    /// The identity of an item within its section.
    package enum Identity: Sendable, Hashable {
        /// A text in the page's bytes: a string's content between its quotes, or a number's bytes.
        case text(range: Range<UInt32>, hasEscapes: Bool)
        /// The item's position: the unit in its posted section, and the element in its unit.
        case position(unit: Int, element: Int)
    }

    /// The type's index in the page's kinds, and two flags above it.
    private let kindAndFlags: UInt32
    private let dataStart: UInt32
    private let dataEnd: UInt32
    /// The two numbers of the identity: a text's start and end, or a position's unit and element.
    private let identity: (UInt32, UInt32)
    /// The index of the item's first size input in the page; of a Swift type, the data's tape node.
    let inputs: UInt32

    private static let positionFlag: UInt32 = 1 << 31
    private static let escapesFlag: UInt32 = 1 << 30

    /// Creates the item of the kind at index `kind`, whose data is at `data` in the page's bytes.
    init(kind: Int, data: Range<Int>, identity: Identity, inputs: UInt32) {
        let kind = UInt32(truncatingIfNeeded: kind)
        switch identity {
        case .text(let range, let hasEscapes):
            kindAndFlags = kind | (hasEscapes ? Self.escapesFlag : 0)
            self.identity = (range.lowerBound, range.upperBound)
        case .position(let unit, let element):
            kindAndFlags = kind | Self.positionFlag
            self.identity = (
                UInt32(truncatingIfNeeded: unit), UInt32(truncatingIfNeeded: element)
            )
        }
        dataStart = UInt32(truncatingIfNeeded: data.lowerBound)
        dataEnd = UInt32(truncatingIfNeeded: data.upperBound)
        self.inputs = inputs
    }

    /// The index of the item's type among its page's kinds.
    @inline(__always)
    package var kind: Int { Int(kindAndFlags & (Self.escapesFlag - 1)) }

    /// The range of the item's data in its page's bytes.
    @inline(__always)
    package var dataRange: Range<Int> { Int(dataStart)..<Int(dataEnd) }

    /// The identity of the item, before a suffix distinguishes it from equal ones.
    @inline(__always)
    package var id: Identity {
        if kindAndFlags & Self.positionFlag != 0 {
            return .position(unit: Int(identity.0), element: Int(identity.1))
        }
        return .text(
            range: identity.0..<identity.1, hasEscapes: kindAndFlags & Self.escapesFlag != 0)
    }
}

/// A section's header or footer: its type, and the range of its data in its page.
public struct ReusableViewInfo: Sendable {
    /// The index of its type among its page's kinds.
    package let kind: Int
    /// The range of its data in its page's bytes.
    package let dataRange: Range<Int>
    /// The index of its first size input in the page; of a Swift type, the data's tape node.
    let inputs: UInt32
    /// The location of the unit that made it.
    package let location: UnitLocation
}
