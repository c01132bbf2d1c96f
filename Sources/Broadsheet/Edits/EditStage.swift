/// A part of an update that takes memory, for a caller that reserves it beforehand.
package enum EditStage {
    /// A page of so many bytes is indexed.
    case opening(byteCount: Int)
    /// The contract of an indexed page with that many items is read.
    case reading(JSONDocument, itemCount: Int)
    /// That many units of a page are listed with the items that they make.
    case listing(unitCount: Int)
    /// A changed page of so many bytes is written and indexed.
    case writing(byteCount: Int)
    case resolving(JSONDocument)
}

/// A function that reserves the memory of a stage; it returns `false` if that is not free.
package typealias EditReservation = (EditStage) -> Bool
