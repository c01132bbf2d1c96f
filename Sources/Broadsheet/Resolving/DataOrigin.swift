/// The origin of a cell's data in its page.
struct DataOrigin {
    /// The unit.
    let unit: UnitContext
    /// The pointer from the unit's data to the placement's.
    let pointer: String
    /// The index in the placement's data, if that is an array of cells.
    var element: Int?

    /// Returns the pointer from the unit's data to a value of the cell's data.
    func pointer(to value: String) -> String {
        (element.map { JSONPointer.appending(pointer, $0) } ?? pointer) + value
    }
}

extension JSONDocument {
    /// Returns the pointer from the value at `start` to that at `target`, or `nil` if it is not
    /// inside or is hidden by a later member of the same name.
    ///
    /// - Complexity: O(children of the containers on the path).
    func pointer(from start: UInt32, to target: UInt32) -> String? {
        path(from: start, to: target)?.reduce("") { pointer, step in
            step.index.map { JSONPointer.appending(pointer, $0) }
                ?? JSONPointer.appending(pointer, String(decoding: step.key.utf8, as: UTF8.self))
        }
    }
}
