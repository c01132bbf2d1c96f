/// A member's name, prepared once for looking it up in many objects.
public struct JSONKey: Hashable, Sendable {
    private let utf8: [UInt8]

    /// Prepares `name`.
    public init(_ name: String) {
        utf8 = Array(name.utf8)
    }

    /// The name.
    public var name: String { String(decoding: utf8, as: UTF8.self) }

    /// Whether a string of this content has this name's code points.
    @inline(__always)
    func matches(_ content: UnsafeBufferPointer<UInt8>, hasEscapes: Bool) -> Bool {
        if hasEscapes { return matchesDecoded(content) }
        guard content.count == utf8.count else { return false }
        for index in 0..<content.count where content[index] != utf8[index] { return false }
        return true
    }

    @inline(never)
    private func matchesDecoded(_ content: UnsafeBufferPointer<UInt8>) -> Bool {
        IteratorSequence(JSONUnescaper(content)).elementsEqual(utf8)
    }
}
