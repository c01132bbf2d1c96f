extension ResolvedPage {
    /// Returns the bytes of the page; those of a page that was built in code, as a page of the
    /// contract.
    ///
    /// - Throws: The reason why a built page is not one that the registry makes the same of.
    func editedBytes(by registry: CellRegistry) throws(EditFailure) -> [UInt8] {
        guard built != nil else { return bytes }
        do throws(ModelPageError) { return try contractBytes(declaredIn: registry) } catch {
            throw EditFailure(
                "Page \(number) was built in code and cannot be edited: \(error).")
        }
    }
}
