/// An element of a list that covers a number of positions.
package protocol Weighted {
    /// The number of positions.
    var weight: Int { get }
    /// A Boolean value that indicates whether every element covers one position.
    static var isSingle: Bool { get }
    /// A number that a list sums up beside the weights, which a change of an element may change.
    var measure: Int { get }
    /// A Boolean value that indicates whether elements have such a number.
    static var isMeasured: Bool { get }
}

extension Weighted {
    package static var isSingle: Bool { false }
    package var measure: Int { 0 }
    package static var isMeasured: Bool { false }
}

/// An element that covers one position, so that positions are indices.
package protocol SingleElement: Weighted {}

extension SingleElement {
    package var weight: Int { 1 }
    package static var isSingle: Bool { true }
}
