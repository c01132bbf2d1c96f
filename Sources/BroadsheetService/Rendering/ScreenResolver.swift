import Broadsheet
import BroadsheetIO
import BroadsheetStores

/// Resolves stored screens by one catalog.
struct ScreenResolver: Sendable {
    let catalog: ActiveCatalog
    let limits: ScreenLimits
    /// The number of the store's restarts before the screens were read.
    let restarts: UInt64
    /// The memory that pages are resolved in, from which they take their own.
    var memory = MemoryReservation(in: .unlimited, for: .work)

    /// An error of a stored screen.
    enum Failure: Error, Sendable {
        /// A page is not valid JSON, which it was when it was accepted.
        case corrupt(String)
        case tooLarge(ReadExcess)
        /// There is no memory for a page, now or ever.
        case outOfMemory(Problem)
    }

    /// Resolves a screen, or a part of it.
    ///
    /// - Parameters:
    ///   - stored: The screen with the pages that are read.
    ///   - known: A snapshot, whose pages that were resolved by the same catalog from the same
    ///     bytes are reused, so that only changed pages are resolved after another daemon's write.
    ///   - isRest: A Boolean value that indicates whether `stored` has only pages above those of
    ///     `known`, at the same revision.
    /// - Complexity: O(bytes of the pages that are not reused).
    func snapshot(
        _ stored: StoredScreen, of name: ScreenName, reusing known: ScreenSnapshot?,
        isRest: Bool = false
    ) throws(Failure) -> ScreenSnapshot {
        let known = known?.catalog === catalog ? known : nil
        var model = PaginatedViewModel(limits: .unlimited)
        var history = stored.history
        var byteCount = ScreenSnapshot.ownByteCount
        if isRest, let known {
            model = known.model
            history = known.history
            for page in stored.history.pages { history.append(page) }
            byteCount = known.byteCount
        }
        var reserved = model.reservedByteCount
        for page in stored.pages {
            // The caller drops the snapshot then.
            guard !LongWork.isAbandoned() else { break }
            var resolved = known?.page(page.number, writtenAt: page.revision)
            if resolved == nil { resolved = try resolve(page, beside: reserved) }
            guard let resolved else { continue }
            // Cannot fail: the model has no limits.
            try? model.load(resolved)
            reserved += resolved.reservedByteCount
            byteCount += resolved.byteCountInMemory
            try check(model)
        }
        // The model took the last one that was read, which may be among the rest.
        model.recordLoadedLast(stored.latestPage)
        return ScreenSnapshot(
            name: name, head: stored.head, model: model, history: history, byteCount: byteCount,
            catalog: catalog, restarts: restarts)
    }

    /// Resolves a page that was accepted before.
    ///
    /// - Parameter others: The number of bytes that are reserved for the other pages of its screen.
    func resolve(_ page: StoredPage, beside others: Int = 0) throws(Failure) -> ResolvedPage {
        let document: JSONDocument
        do {
            document = try JSONDocument(page.bytes, maxDepth: limits.maxDepth)
        } catch {
            guard case .tooDeep(let limit) = error.reason else {
                throw .corrupt("page \(page.number) is not valid JSON")
            }
            throw .tooLarge(ReadExcess(of: .depth(page: page.number), limit: limit))
        }
        let reserved = memory.count
        defer { memory.shrink(to: reserved) }
        let needed = MemoryCost.reading(
            document, maxItems: limits.maxItems, by: catalog.registry)
        guard memory.resize(to: reserved + needed) else {
            throw .outOfMemory(
                memory.refusal(of: reserved + needed, beside: others, for: .storedScreen))
        }
        do throws(ReadExcess) {
            let resolved = try ResolvedPage(
                accepted: document, number: page.number, by: catalog.registry, limits: limits)
            resolved.takeMemory(from: memory)
            return resolved
        } catch {
            throw .tooLarge(error)
        }
    }

    /// Throws if a screen exceeds a limit that depends on the catalog.
    private func check(_ model: PaginatedViewModel) throws(Failure) {
        if model.sectionCount > limits.maxSections {
            throw .tooLarge(ReadExcess(of: .sections, limit: limits.maxSections))
        }
        if model.itemCount > limits.maxItems {
            throw .tooLarge(ReadExcess(of: .items, limit: limits.maxItems))
        }
    }
}

extension ScreenSnapshot {
    fileprivate func page(_ number: Int, writtenAt revision: UInt64) -> ResolvedPage? {
        history[number] == revision ? model.storedPage(number) : nil
    }
}

extension ResolvedPage {
    /// Resolves a page that was accepted before.
    ///
    /// With a catalog that renames the members of a page it may have become unreadable; then it has
    /// no sections and a diagnostic.
    ///
    /// - Throws: The limit of sections or items that the page exceeds.
    convenience init(
        accepted document: JSONDocument, number: Int, by registry: CellRegistry,
        limits: ScreenLimits
    ) throws(ReadExcess) {
        let names = registry.names
        if let sections = document.root[names.sections], sections.kind == .array,
            sections.count > limits.maxSections
        {
            throw ReadExcess(of: .sections, limit: limits.maxSections)
        }
        let posted: ServerStatePage
        do throws(ContractError) {
            posted = try ServerStatePage(document, names: names, limits: limits)
        } catch {
            self.init(unreadable: document, number: number, names: names, error: error)
            return
        }
        do throws(ContractError) {
            try self.init(page: posted, number: number, registry: registry, limits: limits)
        } catch {
            throw ReadExcess(of: .items, limit: limits.maxItems)
        }
    }

    func takeMemory(from reservation: MemoryReservation) {
        keep(reservation.split(bytes.count + derivedByteCount, for: .screens))
    }

    /// Moves the memory of the page to the history, because the current screen does not have it.
    func moveMemoryToHistory() { (kept as? MemoryReservation)?.move(to: .history) }
}

extension ScreenLimits {
    /// No limits, for models whose pages are checked by their callers.
    static let unlimited = ScreenLimits(
        maxDepth: .max, maxSections: .max, maxItems: .max, maxPages: .max)
}
