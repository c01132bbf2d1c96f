extension CellRegistry {
    /// Checks a cell type before its first use.
    ///
    /// The program stops, with the reason, if the type's ``CellType/id`` is a literal that is not a
    /// JSON Pointer, if its name is empty or too long, if its pointer is too long, or if another
    /// type of the same name was declared. Types that are not declared are not checked.
    public mutating func declare(_ type: any CellType.Type) {
        let name = type.typeName
        guard 1...CatalogLimits.maxNameBytes ~= name.utf8.count else {
            fatalError(
                "The name of the cell type \(type) has \(name.utf8.count) bytes; it must have 1 to "
                    + "\(CatalogLimits.maxNameBytes).")
        }
        let pointerByteCount = type.id?.description.utf8.count ?? 0
        guard pointerByteCount <= CatalogLimits.maxPointerBytes else {
            fatalError(
                "The id of the cell type \"\(name)\" has \(pointerByteCount) bytes; it may have "
                    + "at most \(CatalogLimits.maxPointerBytes).")
        }
        if let violation = type.content.flatMap(CodeContents.violation) {
            fatalError("The content of the cell type \"\(name)\": \(violation)")
        }
        guard declareUnlessOther(type) else {
            fatalError("Two cell types have the name \"\(name)\": \(type) is the second one.")
        }
    }
}
