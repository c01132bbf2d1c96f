/// Reads of earlier revisions from a server (``RedisHistory``).
struct RedisEarlierReader {
    /// The client of the server.
    let client: RedisClient
    /// The reader of current screens.
    let screens: RedisScreenReader
    /// The damage that reads have found.
    let damages: DamagedHistories
    /// A function that receives the damage.
    let onEvent: StoreEvent.Handler

    /// The number of pages that one round of a read takes.
    private static let pagesPerRound = 100

    /// Returns a part of a screen as it was at a revision that is not the current one.
    ///
    /// A page that is damaged makes the revision an unknown one.
    ///
    /// - Parameter cutoff: The time up to which revisions are too old, in milliseconds since 1970.
    /// - Returns: `nil` if the revision is not kept.
    func load(
        _ name: ScreenName, at revision: UInt64, _ part: ScreenPart, within limits: ReadLimits,
        after cutoff: Int64
    ) async throws(StoreError) -> ScreenLoad? {
        for _ in 0..<RedisScreenReader.maxAttempts {
            guard let (current, records) = try await records(of: name, after: revision) else {
                return nil
            }
            guard let oldest = records.last, oldest.note.at ?? 0 > cutoff,
                revision > damages.last(of: oldest.creation)
            else { return nil }
            var state = Rewind(head: ScreenHead(revision: current), treeFloor: 0)
            for record in records {
                guard state.undo(record) else { return nil }
            }
            guard state.head.revision == revision else { return nil }
            guard let found = try await screens.head(of: name, listingPages: true) else {
                return nil
            }
            guard let head = found.value else { return nil }
            // Otherwise the screen was written meanwhile.
            guard found.revision == current else { continue }
            let numbers = state.numbers(among: head.pages)
            state.setHighestPage(numbers.last)
            if part.end == .none {
                let history = TreeHistory(floor: state.treeFloor)
                return .screen(StoredScreen(head: state.head, pages: [], history: history))
            }
            if let excess = limits.excess(of: state.head.size) {
                return .tooLarge(state.head, excess)
            }
            let wanted = part.numbers(of: numbers)
            do throws(StoreError) {
                let load = try await pages(
                    wanted, of: (name, current), state, within: limits)
                if let load { return load }
            } catch {
                guard case .corrupt(let reason) = error else { throw error }
                // At least the revision itself has it.
                let last = wanted.compactMap { state.pages[$0]?.last }.min() ?? revision
                if damages.record(max(revision, last), of: oldest.creation) {
                    onEvent(.damaged(reason))
                }
                return nil
            }
        }
        return nil
    }

    /// Returns the current revision and the records after another one, the newest first; `nil` if
    /// not all are kept.
    private func records(
        of name: ScreenName, after revision: UInt64
    ) async throws(StoreError) -> (current: UInt64, records: [RevisionRecord])? {
        let reply = try await client.call { marker in
            marker.command(
                RedisHistory.past, keys: RedisHistory.keys(name), [Array(String(revision).utf8)])
        }.last
        guard let parts = reply?.elements, parts.count == 4,
            let current = parts[0].text.flatMap({ UInt64($0) }), let values = parts[1].elements
        else { return nil }
        var records: [RevisionRecord] = []
        for value in values {
            guard let record = RedisHistory.record(value) else { return nil }
            records.append(record)
        }
        return (current, records)
    }

    /// Returns pages of an earlier state, or `nil` if the screen is not at the current revision any
    /// more, or a page is not there.
    private func pages(
        _ numbers: [Int], of screen: (name: ScreenName, revision: UInt64), _ state: Rewind,
        within limits: ReadLimits
    ) async throws(StoreError) -> ScreenLoad? {
        var stored = StoredScreen(
            head: state.head, pages: [], history: TreeHistory(floor: state.treeFloor))
        let decoder = RedisValues(name: screen.name)
        for start in stride(from: 0, to: numbers.count, by: Self.pagesPerRound) {
            let round = numbers[start..<min(start + Self.pagesPerRound, numbers.count)]
            guard let values = try await values(of: Array(round), screen, state) else { return nil }
            for (number, value) in zip(round, values) {
                guard value.page != .null else { return nil }
                var page = try decoder.page(number, value.page)
                if let excess = limits.excess(ofPage: number, byteCount: page.bytes.count) {
                    return .tooLarge(state.head, excess)
                }
                var tree = TreeHistory.Page(number: number, stored: page.revision)
                let former = state.pages[number]
                if let content = former?.content {
                    page.counts = content.size.counts
                } else if value.changes != .null {
                    let known = try decoder.revisions(of: number, value.changes)
                    page.counts = known.size?.counts
                    tree.removalBelow = known.removalBelow
                    tree.nextChange = known.nextChange
                }
                if let known = former?.tree { tree = known }
                guard tree.stored == page.revision else { return nil }
                stored.pages.append(page)
                stored.history.append(tree)
            }
        }
        return .screen(stored)
    }

    /// Returns the values of pages of an earlier state, and of their changes.
    private func values(
        of numbers: [Int], _ screen: (name: ScreenName, revision: UInt64), _ state: Rewind
    ) async throws(StoreError) -> [(page: RESPValue, changes: RESPValue)]? {
        let isFormer = numbers.map { state.pages[$0]?.content != nil }
        let current = zip(numbers, isFormer).filter { !$0.1 }.flatMap {
            [RedisScreenReader.Part.value("p:\($0.0)"), .value("c:\($0.0)")]
        }
        let found = try await screens.read(current, of: screen.name, at: screen.revision)
        guard let own = found?.value else { return nil }
        let fields = numbers.compactMap { number in
            state.pages[number]?.content.map { "v:\($0.place):\(number)" }
        }
        let key = RedisKeys.history(screen.name)
        let replies = try await client.call(fields.map { RESPCommand("HGET", key, $0) })
        var (ownPosition, formerPosition) = (0, 0)
        return isFormer.map { isFormer in
            if isFormer {
                defer { formerPosition += 1 }
                return (replies[formerPosition], .null)
            }
            defer { ownPosition += 2 }
            return (own[ownPosition], own[ownPosition + 1])
        }
    }

    /// Returns a part of the list of a screen's revisions.
    func list(
        of name: ScreenName, before revision: UInt64?, limit: Int, after cutoff: Int64
    ) async throws(StoreError) -> RevisionList? {
        let words = [revision.map { String($0) } ?? "-", String(max(0, limit)), String(cutoff)]
        let reply = try await client.call { marker in
            marker.command(
                RedisHistory.list, keys: RedisHistory.keys(name), words.map { Array($0.utf8) })
        }.last
        guard let parts = reply?.elements, parts.count == 7 else {
            throw .corrupt("the reply about the revisions of screen \(name) is malformed")
        }
        guard let current = parts[0].text.flatMap({ UInt64($0) }) else { return nil }
        guard let first = parts[2].text.flatMap({ UInt64($0) }),
            let values = parts[4].elements
        else { throw .corrupt("the list of the revisions of screen \(name) is malformed") }
        let size = parts[1] == .null ? nil : try RedisValues(name: name).size(parts[1])
        let creation = values.lazy.compactMap(RedisHistory.record).first?.creation
        let damaged = creation.map(damages.last) ?? 0
        var list = RevisionList(
            revision: current, first: min(current, max(first, damaged &+ 1)), entries: [])
        guard let start = parts[3].text.flatMap({ UInt64($0) }) else { return list }
        for (index, value) in values.enumerated() {
            let revision = start &- UInt64(index)
            guard (list.first...current).contains(revision) else { break }
            guard let record = RedisHistory.record(value) else {
                // A revision that an earlier release wrote has no record.
                let next = RedisHistory.record(parts[5])?.former?.head.size.pageCount
                let count = revision == current ? size?.pageCount : next
                list.entries.append(
                    RevisionEntry(revision: revision, pageCount: count ?? 0))
                continue
            }
            list.entries.append(record.entry)
        }
        return list
    }

    /// Removes the earlier revisions of screens; returns whether the first one exists.
    ///
    /// - Parameter channel: The channel on which the removals are published; `nil` for none.
    func remove(
        _ names: [ScreenName], publishingOn channel: String? = nil
    ) async throws(StoreError) -> Bool {
        let keys = [RedisKeys.histories] + names.flatMap(RedisHistory.keys)
        let words =
            [channel ?? ""]
            + names.flatMap { [$0.text, StoreInvalidation.removalMessage($0)] }
        let reply = try await client.call { marker in
            marker.command(RedisHistory.remove, keys: keys, words.map { Array($0.utf8) })
        }.last
        return reply?.elements?.first?.integer == 1
    }

    /// Returns the screens with earlier revisions, the bytes of these, and the times at which they
    /// expire, in milliseconds since 1970.
    func sizes() async throws(StoreError) -> [(name: ScreenName, byteCount: Int, expiry: Int64)] {
        let reply = try await client.call(RESPCommand("HGETALL", RedisKeys.histories))
        guard let fields = reply.elements else { return [] }
        return stride(from: 0, to: fields.count - 1, by: 2).compactMap { index in
            let words = (fields[index + 1].text ?? "").split(separator: " ")
            guard let name = fields[index].text.flatMap({ ScreenName($0) }), words.count == 2,
                let byteCount = Int(words[0]), let expiry = Int64(words[1])
            else { return nil }
            return (name, byteCount, expiry)
        }
    }
}
