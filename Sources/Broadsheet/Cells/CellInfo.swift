/// One item of a page: its type, where its data stands, and what identifies and sizes it.
///
/// 24 bytes, none of them owned: offsets into the page it belongs to, which answers everything else
/// about it (``ResolvedPage``).
public struct CellInfo: Sendable {
    /// What identifies an item within its section.
    package enum Identity: Sendable, Hashable {
        /// Text in the page's bytes: a string's content between its quotes, or a number's bytes.
        case text(range: Range<UInt32>, hasEscapes: Bool)
        /// The item's place: the unit within its posted section, the element within its unit.
        case position(unit: Int, element: Int)
    }

    /// The type's index in the page's kinds, and two flags above it.
    private let kindAndFlags: UInt32
    private let dataStart: UInt32
    private let dataEnd: UInt32
    /// The identity's two numbers: a text's start and end, or a place's unit and element.
    private let identity: (UInt32, UInt32)
    /// Where the item's size inputs begin among the page's; of a Swift type, the data's tape node.
    let inputs: UInt32

    private static let placeFlag: UInt32 = 1 << 31
    private static let escapesFlag: UInt32 = 1 << 30
    /// How many kinds a page can tell apart.
    static let maxKinds = 1 << 30

    /// Makes the item of the kind at index `kind`, whose data stands at `data` in the page's bytes.
    init(kind: Int, data: Range<Int>, identity: Identity, inputs: UInt32) {
        let kind = UInt32(truncatingIfNeeded: kind)
        switch identity {
        case .text(let range, let hasEscapes):
            kindAndFlags = kind | (hasEscapes ? Self.escapesFlag : 0)
            self.identity = (range.lowerBound, range.upperBound)
        case .position(let unit, let element):
            kindAndFlags = kind | Self.placeFlag
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

    /// Where the item's data stands in its page's bytes.
    @inline(__always)
    package var dataRange: Range<Int> { Int(dataStart)..<Int(dataEnd) }

    /// What identifies the item, before it is told apart from others of the same identity.
    @inline(__always)
    package var id: Identity {
        if kindAndFlags & Self.placeFlag != 0 {
            return .position(unit: Int(identity.0), element: Int(identity.1))
        }
        return .text(
            range: identity.0..<identity.1, hasEscapes: kindAndFlags & Self.escapesFlag != 0)
    }
}
