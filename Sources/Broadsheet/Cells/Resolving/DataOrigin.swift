/// The origin of a cell's data in its page.
struct DataOrigin {
    let unit: UnitContext
    /// The pointer from the unit's data to the placement's.
    let pointer: String
    /// The index in the placement's data, if that is an array of cells.
    var element: Int?
    /// A Boolean value that indicates whether the data is known to keep the schemas of its cell
    /// types.
    var isJudged = false

    /// Returns the pointer from the unit's data to a value of the cell's data.
    func pointer(to value: String) -> String {
        (element.map { JSONPointer.appending(pointer, $0) } ?? pointer) + value
    }
}

extension DataOrigin {
    init(of unit: ServerStateUnit, at location: UnitLocation, pointer: String = "") {
        self.init(
            unit: UnitContext(location: location, isFlat: unit.nodes.isFlat, only: nil),
            pointer: pointer)
    }
}

/// A value of an unusable type: a cell type, by its index among the page's kinds, and a pointer.
struct UnusableValue: Hashable {
    let kind: Int
    let pointer: String
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

extension CellInfo.Identity {
    /// Creates the identity of an item: the text of its id, or its position.
    @inline(__always)
    init(of data: UInt32, _ document: JSONDocument, _ id: JSONPointer?, unit: Int, element: Int) {
        if let found = id?.evaluate(on: data, in: document), let text = document.text(of: found) {
            self = .text(range: text.range, hasEscapes: text.hasEscapes)
        } else {
            self = .position(unit: unit, element: element)
        }
    }
}
