/// A page's diagnostics, not yet rendered.
struct PageDiagnostics: Sendable {
    let names: ContractNames
    private let duplicates: [String]
    private let faults: [ContractViolation]
    private let findings: [UnitDiagnostic]
    private let total: Int
    private let limit: Int

    /// Takes what was found while `draft` came to be, and while `page` was read, if it was.
    init(_ draft: PageDraft, of page: ServerStatePage? = nil, maxDiagnostics: Int) {
        names = page?.names ?? ContractNames()
        duplicates = page?.duplicates ?? []
        faults = []
        findings = draft.findings
        total = (page?.duplicateTotal ?? 0) + draft.findingTotal
        limit = maxDiagnostics
    }

    /// Takes why a page cannot be read any more by a contract of these names.
    init(unreadable error: ContractError, names: ContractNames) {
        self.names = names
        duplicates = []
        faults = error.violations
        findings = []
        total = error.total
        limit = error.violations.count
    }

    /// The first of them, up to the limit, and one more line when there are others.
    func diagnostics(page: Int) -> [Diagnostic] {
        let unreadable = faults.map { fault in
            Diagnostic(
                code: .unreadablePage, page: page, pointer: fault.pointer, detail: fault.detail)
        }
        let repeated = duplicates.map { pointer in
            Diagnostic(
                code: .duplicateMember, page: page, pointer: pointer,
                detail: "stands more than once in its object; the last one counts")
        }
        let found = findings.prefix(max(0, limit - repeated.count)).map {
            $0.diagnostic(page: page, names: names)
        }
        let shown = unreadable + repeated + found
        guard total > shown.count else { return shown }
        return shown + [
            Diagnostic(
                code: .diagnosticsTruncated, page: page, pointer: "",
                detail: "\(total - shown.count) more diagnostics of this page are not shown")
        ]
    }
}
