import Broadsheet

/// The pages of a compose request while they are read one after another.
struct CompositionDraft: Sendable {
    /// The pages so far.
    private(set) var model: PaginatedViewModel
    private let registry: CellRegistry
    private let reading: PageReading

    /// No pages yet.
    init(registry: CellRegistry, reading: PageReading) {
        self.registry = registry
        self.reading = reading
        model = PaginatedViewModel(limits: reading.limits)
    }

    /// Adds every page of the array `pages`, noting what does not fit.
    mutating func add(_ pages: JSONValue, _ faults: inout ComposeFaults) {
        guard pages.kind == .array else {
            return faults.note("/pages", "must be an array of pages", at: pages)
        }
        for (index, page) in pages.elements.enumerated() {
            // What a million faulty pages have in common need not be found a million times.
            guard !faults.isFull else { return }
            add(page, at: JSONPointer.appending("/pages", index), &faults)
        }
    }

    /// Adds the page at `pointer` of the body, noting what does not fit.
    mutating func add(_ value: JSONValue, at pointer: String, _ faults: inout ComposeFaults) {
        do throws(ContractError) {
            let page = try ServerStatePage(
                value, at: pointer, names: registry.names, limits: reading.limits)
            guard let number = number(of: page, value, at: pointer, &faults) else { return }
            let resolved = try ResolvedPage(
                page: page, number: number, registry: registry, limits: reading.limits)
            load(resolved, value, at: pointer, &faults)
        } catch {
            faults.note(error)
        }
    }

    /// Notes when the pages hold more items than may be laid out in all viewports together: an
    /// answer should not grow beyond what a body of one viewport can ask for.
    func check(
        _ viewports: ComposedViewports, _ body: JSONValue, _ faults: inout ComposeFaults
    ) {
        guard case .many(let all) = viewports, let value = body["viewports"] else { return }
        let limit = reading.limits.maxItems
        guard model.itemCount > limit / max(1, all.count) else { return }
        faults.note(
            "/viewports",
            "are \(all.count), for \(model.itemCount) items each: together above the limit of "
                + "\(limit) items (--max-items)", at: value)
    }

    private mutating func load(
        _ page: ResolvedPage, _ value: JSONValue, at pointer: String,
        _ faults: inout ComposeFaults
    ) {
        do throws(ViewModelError) {
            try model.load(page)
        } catch {
            faults.note(pointer, error.detail, at: value)
        }
    }

    /// The page's own number, or the next free one; nil when that is taken or there is none.
    private func number(
        of page: ServerStatePage, _ value: JSONValue, at pointer: String,
        _ faults: inout ComposeFaults
    ) -> Int? {
        let member = JSONPointer.appending(pointer, "page")
        if let own = page.number {
            guard model.storedPage(own) != nil else { return own }
            faults.note(member, "is \(own), as is an earlier page's", at: value["page"] ?? value)
            return nil
        }
        let next = model.highestPage.map { $0 + 1 } ?? 0
        guard next <= ServerStatePage.maxNumber else {
            faults.note(member, "is needed: no number above the others is left", at: value)
            return nil
        }
        return next
    }
}
