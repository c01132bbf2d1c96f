/// The data of a page's cells of one Swift type, decoded as its models.
protocol CellModels: Sendable {
    /// The estimated size in memory, in bytes.
    var byteCount: Int { get }

    /// Decodes the data of a cell, and returns the index of its model.
    ///
    /// - Parameters:
    ///   - data: The data.
    ///   - report: Receives the first part of the data that does not fit; the model has an index
    ///     nevertheless.
    /// - Complexity: O(bytes).
    mutating func append(_ data: JSONValue, report: (ModelError) -> Void) -> UInt32

    /// Returns the size in points of the cell with the model at an index, or `nil` for the layout's
    /// default, which a cell without a model has too.
    func size(at index: UInt32, constrainedTo container: Container) -> Size?

    /// Returns the span of the cell with the model at an index; `nil` for a cell without a model.
    func span(at index: UInt32) -> CellSpan?
}

/// The models of the cells of a type; `nil` for data that does not fit.
struct DecodedModels<Cell: CellType>: CellModels {
    private var models: [Cell.Input?] = []
    /// The size of the data; models are assumed to need as much memory again.
    private var dataByteCount = 0

    init(for type: Cell.Type) {}

    var byteCount: Int { models.count * MemoryLayout<Cell.Input?>.stride + dataByteCount }

    mutating func append(_ data: JSONValue, report: (ModelError) -> Void) -> UInt32 {
        dataByteCount += data.byteRange.count
        do throws(ModelError) {
            models.append(try data.decode(Cell.Input.self))
        } catch {
            models.append(nil)
            report(error)
        }
        return UInt32(truncatingIfNeeded: models.count - 1)
    }

    /// Returns the model at an index; `nil` for data that does not fit.
    subscript(index: UInt32) -> Cell.Input? { models[safe: Int(index)].flatMap { $0 } }

    func size(at index: UInt32, constrainedTo container: Container) -> Size? {
        models[safe: Int(index)]?.flatMap { Cell.size(with: $0, constrainedTo: container) }
    }

    func span(at index: UInt32) -> CellSpan? {
        models[safe: Int(index)]?.map(Cell.span)
    }
}

extension CellType {
    static func decodedSpan(of data: JSONValue) throws(ModelError) -> ItemSpan {
        let model = try data.decode(Input.self)
        return ItemSpan(span(with: model))
    }
}
