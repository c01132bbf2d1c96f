extension CellRegistry {
    /// Checks a cell type before its first use.
    ///
    /// The program stops, with the reason, if the type's ``CellType/id`` is a literal that is not a
    /// JSON Pointer, if its name is empty or too long, if its pointer is too long, or if another
    /// type of the same name was declared. Types that are not declared are not checked.
    public mutating func declare(_ type: any CellType.Type) {
        var violation = Self.violation(of: type)
        if violation == nil && !declareUnlessOther(type) {
            violation =
                "Two cell types have the name \"\(type.typeName)\": \(type) is the second one."
        }
        if let violation { fatalError(violation) }
    }

    private static func violation(of type: any CellType.Type) -> String? {
        let name = type.typeName
        guard 1...CatalogLimits.maxNameBytes ~= name.utf8.count else {
            return "The name of the cell type \(type) has \(name.utf8.count) bytes; it must have "
                + "1 to \(CatalogLimits.maxNameBytes)."
        }
        let pointerByteCount = type.id?.description.utf8.count ?? 0
        guard pointerByteCount <= CatalogLimits.maxPointerBytes else {
            return "The id of the cell type \"\(name)\" has \(pointerByteCount) bytes; it may have "
                + "at most \(CatalogLimits.maxPointerBytes)."
        }
        return type.content.flatMap(CodeContents.violation).map {
            "The content of the cell type \"\(name)\": \($0)"
        }
    }
}
