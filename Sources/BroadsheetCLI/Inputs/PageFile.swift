internal import Broadsheet

/// A page that was read from a file and keeps the contract.
struct PageFile {
    /// Where it came from.
    let source: SourceText
    /// The page.
    let page: ServerStatePage

    /// Reads `source` as a page whose members are called `names`.
    ///
    /// - Throws: `CommandError.input` with a line for each fault: the one byte that keeps it from
    ///   being JSON, or everything in it that does not keep the contract.
    init(_ source: SourceText, names: ContractNames, limits: ScreenLimits) throws(CommandError) {
        self.source = source
        let document = try source.document(maxDepth: limits.maxDepth)
        do throws(ContractError) {
            page = try ServerStatePage(document, names: names, limits: limits)
        } catch {
            throw .input(source.lines(for: error.violations, total: error.total))
        }
    }

    /// Resolves it as page `number` of a screen.
    ///
    /// - Throws: `CommandError.input` when it makes more items than a screen may have.
    func resolved(
        as number: Int, by registry: CellRegistry, limits: ScreenLimits
    ) throws(CommandError) -> ResolvedPage {
        do throws(ContractError) {
            return try ResolvedPage(
                page: page, number: number, registry: registry, limits: limits)
        } catch {
            throw .input(source.lines(for: error.violations, total: error.total))
        }
    }
}
