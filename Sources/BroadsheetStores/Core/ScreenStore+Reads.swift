import BroadsheetCollections
import BroadsheetIO

extension ScreenStore {
    /// Returns a part of the screen, unless its revision is still `revision`.
    ///
    /// The result reflects every write that any daemon had acknowledged before the call. Pages
    /// outside of the part are not read. Nothing but the head of a screen is read if the screen, or
    /// a page of the part, exceeds a limit; a part without pages exceeds none.
    ///
    /// - Returns: ``ScreenLoad/absent`` without such a screen, for any `revision`.
    public func load(
        _ screen: ScreenName, unlessAt revision: UInt64?, _ part: ScreenPart = .all,
        within limits: ReadLimits = .unlimited
    ) async throws(StoreError) -> ScreenLoad {
        if let revision, backend.isKnown(screen, toBeAt: revision) { return .unchanged }
        let found = try await find(screen)
        guard let known = found.screen else { return .absent }
        if known.record.version.revision == revision { return .unchanged }
        var reading = Reading(screen, known, restarts: cache.restarts)
        while true {
            if let load = try await read(
                part, of: reading.known.record.state, within: limits, &reading)
            {
                return load
            }
            guard try await findNewer(&reading) else { return .absent }
        }
    }

    /// Returns the screen without its pages, and one of them; `nil` if there is no such screen.
    ///
    /// - Parameters:
    ///   - number: The number of the page; `nil` for the highest.
    ///   - screen: The screen.
    ///   - byteCount: The number of bytes above which the bytes of the page are not read; `nil` to
    ///     read none.
    public func page(
        _ number: Int?, of screen: ScreenName, atMost byteCount: Int?
    ) async throws(StoreError) -> PageLoad? {
        guard let known = try await find(screen).screen else { return nil }
        var reading = Reading(screen, known, restarts: cache.restarts)
        while true {
            let head = reading.known.record.state.head
            guard let wanted = number ?? head.highestPage else { return PageLoad(screen: head) }
            if let load = try await page(wanted, atMost: byteCount, &reading) { return load }
            guard try await findNewer(&reading) else { return nil }
        }
    }

    /// Returns a part of the screen as it was at a revision.
    public func load(
        _ screen: ScreenName, at revision: UInt64, _ part: ScreenPart, within limits: ReadLimits
    ) async throws(StoreError) -> ScreenLoad {
        guard let known = try await find(screen).screen else { return .absent }
        do throws(StoreError) {
            return try await load(known, of: screen, at: revision, part, within: limits)
        } catch .corrupt where revision != known.record.version.revision {
            // An earlier revision with damage is one that is not kept.
            return .absent
        }
    }

    private func load(
        _ known: KnownScreen, of screen: ScreenName, at revision: UInt64, _ part: ScreenPart,
        within limits: ReadLimits
    ) async throws(StoreError) -> ScreenLoad {
        var reading = Reading(screen, known, restarts: cache.restarts)
        repeat {
            let record = reading.known.record
            if revision == record.version.revision {
                if let load = try await read(part, of: record.state, within: limits, &reading) {
                    return load
                }
                continue
            }
            guard let key = record.earlierKey(revision), !bounds.history.isNone else {
                return .absent
            }
            guard let earlier = try await earlier([key], &reading)?.first else { continue }
            guard !isTooOld(earlier.garbage) else { return .absent }
            if let load = try await read(part, of: earlier.state, within: limits, &reading) {
                return load
            }
        } while try await findNewer(&reading)
        return .absent
    }

    /// Returns up to `limit` revisions of the screen, the newest first.
    public func revisions(
        of screen: ScreenName, before revision: UInt64?, limit: Int
    ) async throws(StoreError) -> RevisionList? {
        guard let known = try await find(screen).screen else { return nil }
        var reading = Reading(screen, known, restarts: cache.restarts)
        repeat {
            if let list = try await list(before: revision, limit: limit, &reading) { return list }
        } while try await findNewer(&reading)
        return nil
    }

    /// Returns events of a screen after a number.
    public func feed(
        of screen: ScreenName, after number: UInt64, byteCount: Int
    ) async throws(StoreError) -> FeedPart? {
        guard let known = try await find(screen, withFeed: true).screen else { return nil }
        guard let feed = known.feed else { return FeedPart() }
        let epoch = try await epoch.value(since: known.restarts, of: backend)
        var part = FeedPart(
            instance: epoch == 0 ? feed.instance : "\(feed.instance).\(epoch)",
            first: feed.first, last: feed.last)
        var next = max(feed.first, number.addingReportingOverflow(1).partialValue)
        guard number < feed.last else { return part }
        var rest = byteCount
        while next <= feed.last {
            let last = min(feed.last, next + Self.eventsRead - 1)
            let keys = (next...last).map { ObjectKey.event($0, base: feed.base) }
            let replies = try await backend.objects(keys, of: screen, within: .max)
            for (key, reply) in zip(keys, replies) {
                guard case .bytes(let bytes) = reply else {
                    return try await feedAgain(of: screen, feed, after: number, byteCount)
                }
                let event: FeedEvent
                do throws(BinaryDamage) {
                    event = try FeedRecord.read(bytes, of: screen, at: key)
                } catch {
                    // Those before it are returned first.
                    guard part.events.isEmpty else { return part }
                    throw damaged(error)
                }
                guard part.events.isEmpty || event.data.count <= rest else { return part }
                part.events.append(event)
                rest -= event.data.count
            }
            next = last + 1
        }
        return part
    }

    /// Reads a feed again of which an event is gone.
    private func feedAgain(
        of screen: ScreenName, _ former: FeedRecord, after number: UInt64, _ byteCount: Int
    ) async throws(StoreError) -> FeedPart? {
        if let now = try await find(screen, withFeed: true).screen?.feed,
            now.version == former.version
        {
            throw damaged("screen \(screen) is damaged: events are missing")
        }
        return try await feed(of: screen, after: number, byteCount: byteCount)
    }

    /// The number of events that are read at once; fixed.
    private static let eventsRead: UInt64 = 256
}

extension ScreenStore {
    /// A read of a screen, and what it has read, which is never wrong and is kept if the screen is
    /// written meanwhile.
    private struct Reading {
        let screen: ScreenName
        var known: KnownScreen
        var restarts: UInt64
        var pages: [ObjectKey: [UInt8]] = [:]
        var nodes: [ObjectKey: [PageEntry]]
        var earlier: [ObjectKey: Earlier] = [:]

        init(_ screen: ScreenName, _ known: KnownScreen, restarts: UInt64) {
            self.screen = screen
            self.known = known
            self.restarts = restarts
            nodes = known.objects.nodes
        }
    }

    private typealias Earlier = (state: ScreenState, garbage: EarlierGarbage)

    private func damageAsError<Value>(
        _ body: () throws(BinaryDamage) -> Value
    ) throws(StoreError) -> Value {
        do throws(BinaryDamage) { return try body() } catch { throw damaged(error) }
    }

    private func isTooOld(_ garbage: EarlierGarbage) -> Bool {
        garbage.replacedAt <= bounds.history.cutoff(at: clock.unixMilliseconds)
    }

    /// Reads the record again, because an object of the one before is gone.
    ///
    /// - Returns: `false` if there is no such screen any more.
    /// - Throws: ``StoreError/corrupt(_:)`` if the record is the same.
    private func findNewer(_ reading: inout Reading) async throws(StoreError) -> Bool {
        let found = try await findNewer(
            reading.screen, than: reading.known, since: reading.restarts)
        guard let known = found.screen else { return false }
        reading.known = known
        reading.restarts = cache.restarts
        return true
    }

    /// Reads a record again, because an object of the one before is gone.
    func findNewer(
        _ screen: ScreenName, than known: KnownScreen?, since restarts: UInt64
    ) async throws(StoreError) -> Found {
        let found = try await find(screen, withFeed: true)
        if let known, let now = found.screen, now.record.version == known.record.version,
            now.feedVersion == known.feedVersion, cache.restarts == restarts
        {
            throw damaged("screen \(screen) is damaged: values are missing")
        }
        return found
    }

    /// Reads objects whose bytes are wanted; `nil` for each that is gone.
    private func bytes(
        _ keys: [ObjectKey], of screen: ScreenName, within byteCount: Int = recordBytesRead
    ) async throws(StoreError) -> [[UInt8]?] {
        var found: [[UInt8]?] = []
        found.reserveCapacity(keys.count)
        while found.count < keys.count {
            let rest = Array(keys[found.count...])
            var replies = try await backend.objects(rest, of: screen, within: byteCount)
            // One that does not fit is read alone.
            if case .length(let length)? = replies.first {
                replies = try await backend.objects([rest[0]], of: screen, within: length)
            }
            let before = found.count
            read: for reply in replies {
                switch reply {
                case .bytes(let bytes): found.append(bytes)
                case .absent: found.append(nil)
                case .length: break read
                }
            }
            if found.count == before { found.append(nil) }
        }
        return found
    }

    /// The number of bytes of records and nodes that are read at once; fixed.
    private static let recordBytesRead = 64 << 10
    /// The number of bytes of pages that are read at once; fixed.
    private static let pageBytesRead = 16 << 20

    /// Makes the pages of nodes known; returns `false` if one is gone.
    private func readNodes(
        _ nodes: some Sequence<DirectoryNode>, _ reading: inout Reading
    ) async throws(StoreError) -> Bool {
        let keys = nodes.compactMap { $0.entries == nil ? $0.key : nil }.filter {
            reading.nodes[$0] == nil
        }
        guard !keys.isEmpty else { return true }
        let found = try await bytes(keys, of: reading.screen)
        let screen = reading.screen
        for case (let key, let bytes?) in zip(keys, found) {
            reading.nodes[key] = try damageAsError { () throws(BinaryDamage) in
                try DirectoryNode.read(bytes, of: screen, at: key)
            }
        }
        keepNodes(reading)
        return !found.contains(nil)
    }

    private func keepNodes(_ reading: Reading) {
        guard var known = cache.screen(reading.screen),
            known.record.version == reading.known.record.version,
            known.restarts == reading.restarts
        else { return }
        known.objects.nodes.merge(reading.nodes) { first, _ in first }
        known.objects.retain(for: known.record, known.feed)
        cache.keep(known, of: reading.screen)
    }

    /// Returns the entries of the part; `nil` if a node is gone.
    private func entries(
        of part: ScreenPart, in state: ScreenState, _ reading: inout Reading
    ) async throws(StoreError) -> [PageEntry]? {
        let directory = PageDirectory(state.nodes, known: [:], capacity: .max)
        guard !directory.isEmpty else { return [] }
        let first = directory.index(of: part.start)
        let last =
            switch part.end {
            case .none, .lowest: 0
            // The lowest page above it may be the first one of the next node.
            case .after(let page):
                min(directory.index(of: page < .max ? page + 1 : page) + 1, state.nodes.count - 1)
            case .highest: state.nodes.count - 1
            }
        guard first <= last else { return [] }
        let nodes = state.nodes[first...last]
        guard try await readNodes(nodes, &reading) else { return nil }
        let all = nodes.flatMap { node in
            node.entries ?? node.key.flatMap { reading.nodes[$0] } ?? []
        }
        let start = all.partitioningIndex { $0.number >= part.start }
        let end =
            switch part.end {
            case .none: start
            case .lowest: 1
            case .after(let page):
                page < .max
                    ? min(all.count, all.partitioningIndex { $0.number > page } + 1) : all.count
            case .highest: all.count
            }
        return start < end ? Array(all[start..<end]) : []
    }

    /// Reads a part of a state; returns `nil` if an object is gone.
    private func read(
        _ part: ScreenPart, of state: ScreenState, within limits: ReadLimits,
        _ reading: inout Reading
    ) async throws(StoreError) -> ScreenLoad? {
        var stored = StoredScreen(
            head: state.head, pages: [], history: TreeHistory(floor: state.treeFloor))
        guard part.end != .none else { return .screen(stored) }
        if let excess = limits.excess(of: state.head.size) { return .tooLarge(state.head, excess) }
        guard let entries = try await entries(of: part, in: state, &reading) else { return nil }
        for entry in entries {
            if let excess = limits.excess(ofPage: entry.number, byteCount: entry.size.byteCount) {
                return .tooLarge(state.head, excess)
            }
        }
        guard try await readPages(entries, &reading) else { return nil }
        stored.pages.reserveCapacity(entries.count)
        for entry in entries {
            stored.history.append(entry.tree)
            stored.pages.append(
                StoredPage(
                    number: entry.number, revision: entry.tree.stored,
                    bytes: reading.pages[entry.key] ?? [], counts: entry.size.counts))
        }
        return .screen(stored)
    }

    /// Makes the bytes of pages known; returns `false` if one is gone.
    private func readPages(
        _ entries: [PageEntry], _ reading: inout Reading
    ) async throws(StoreError) -> Bool {
        let missing = entries.filter { reading.pages[$0.key] == nil }
        guard !missing.isEmpty else { return true }
        let found = try await bytes(
            missing.map(\.key), of: reading.screen, within: Self.pageBytesRead)
        for case (let entry, let bytes?) in zip(missing, found) {
            guard entry.matches(bytes, of: reading.screen) else {
                throw damaged("page \(entry.number) of screen \(reading.screen) is damaged")
            }
            reading.pages[entry.key] = bytes
        }
        return !found.contains(nil)
    }

    /// Reads one page; returns `nil` if an object is gone.
    private func page(
        _ number: Int, atMost byteCount: Int?, _ reading: inout Reading
    ) async throws(StoreError) -> PageLoad? {
        let state = reading.known.record.state
        let index = PageDirectory(state.nodes, known: [:], capacity: .max).index(of: number)
        guard state.nodes.indices.contains(index) else { return PageLoad(screen: state.head) }
        let node = state.nodes[index]
        guard try await readNodes([node], &reading) else { return nil }
        let entries = node.entries ?? node.key.flatMap { reading.nodes[$0] } ?? []
        guard let entry = entries.first(where: { $0.number == number }) else {
            return PageLoad(screen: state.head)
        }
        let size = entry.size.byteCount
        var load = PageLoad(
            screen: state.head,
            page: PageHead(number: number, revision: entry.tree.stored, byteCount: size))
        if let byteCount, size <= byteCount {
            guard try await readPages([entry], &reading) else { return nil }
            load.bytes = reading.pages[entry.key]
        }
        return load
    }

    /// Reads records of earlier revisions; returns `nil` if one is gone.
    private func earlier(
        _ keys: [ObjectKey], _ reading: inout Reading
    ) async throws(StoreError) -> [Earlier]? {
        let missing = keys.filter { reading.earlier[$0] == nil }
        if !missing.isEmpty {
            let found = try await bytes(missing, of: reading.screen)
            let screen = reading.screen
            for case (let key, let bytes?) in zip(missing, found) {
                reading.earlier[key] = try damageAsError { () throws(BinaryDamage) in
                    try ScreenState.readEarlier(bytes, of: screen, at: key)
                }
            }
        }
        let earlier = keys.compactMap { reading.earlier[$0] }
        return earlier.count == keys.count ? earlier : nil
    }

    /// Returns a part of the list of revisions; `nil` if a record is gone.
    private func list(
        before revision: UInt64?, limit: Int, _ reading: inout Reading
    ) async throws(StoreError) -> RevisionList? {
        let record = reading.known.record
        let current = record.version.revision
        guard let first = try await oldest(&reading) else { return nil }
        var list = RevisionList(revision: current, first: first, entries: [])
        if current < revision ?? .max, limit > 0 { list.entries.append(record.state.entry) }
        let kept = record.kept(before: revision, limit: limit - list.entries.count)
        let keys = kept.filter { $0 >= first }.compactMap { record.earlierKey($0) }
        guard let earlier = try await earlier(keys, &reading) else { return nil }
        list.entries += earlier.map(\.state.entry)
        return list
    }

    /// Returns the oldest kept revision that is not too old, or the current one; `nil` if a record
    /// is gone.
    private func oldest(_ reading: inout Reading) async throws(StoreError) -> UInt64? {
        let record = reading.known.record
        guard !bounds.history.isNone else { return record.version.revision }
        let cutoff = bounds.history.cutoff(at: clock.unixMilliseconds)
        let all = record.runs.lazy.flatMap { $0 }
        guard let oldest = record.oldest, oldest <= cutoff else {
            return all.first ?? record.version.revision
        }
        for revision in all {
            guard let key = record.earlierKey(revision) else { continue }
            guard let earlier = try await earlier([key], &reading)?.first else { return nil }
            if !isTooOld(earlier.garbage) { return revision }
        }
        return record.version.revision
    }

    /// Reads all values of a screen, also those of earlier revisions, one page at a time.
    ///
    /// - Throws: ``StoreError/corrupt(_:)`` if one is damaged.
    fileprivate func verify(_ screen: ScreenName) async throws(StoreError) {
        guard let known = try await find(screen).screen else { return }
        var reading = Reading(screen, known, restarts: cache.restarts)
        repeat {
            if try await areAllThere(&reading) { return }
        } while try await findNewer(&reading)
    }

    /// Reads all values of a screen; returns `false` if one is gone.
    private func areAllThere(_ reading: inout Reading) async throws(StoreError) -> Bool {
        let record = reading.known.record
        var states = [record.state]
        let keys = record.kept(before: nil, limit: .max).compactMap { record.earlierKey($0) }
        guard let earlier = try await earlier(keys, &reading) else { return false }
        states += earlier.map(\.state)
        var checked: Set<ObjectKey> = []
        for state in states {
            guard let entries = try await entries(of: .all, in: state, &reading) else {
                return false
            }
            for entry in entries where checked.insert(entry.key).inserted {
                if Task.isCancelled { return true }
                guard try await readPages([entry], &reading) else { return false }
                reading.pages = [:]
            }
        }
        return true
    }
}

extension ScreenStore {
    /// The number of names that an inspection reads at once; fixed.
    static let namesPerPiece = 32

    /// Reads all screens once, with pauses, so that damage is reported before a client asks for a
    /// damaged screen.
    func inspect(pauseFactor: Int) async {
        var (total, damaged) = (0, 0)
        var after: ScreenName?
        do throws(StoreError) {
            while true {
                let begin = TimeSource.monotonicInstant()
                let names = try await backend.names(
                    after: after, prefix: .none, limit: Self.namesPerPiece)
                guard let last = names.last?.name else { break }
                for name in names.map(\.name) {
                    if try await !isIntact(name) { damaged += 1 }
                }
                total += names.count
                after = last
                let worked = TimeSource.monotonicInstant().nanoseconds(since: begin)
                let (pause, isTooLong) = Int64(clamping: worked).multipliedReportingOverflow(
                    by: Int64(pauseFactor))
                try? await Task.sleep(for: .nanoseconds(isTooLong ? .max : pause))
                if Task.isCancelled { return }
            }
            onEvent(.inspected(screens: total, damaged: damaged))
        } catch {
            // Requests fail with the same error.
        }
    }

    private func isIntact(_ screen: ScreenName) async throws(StoreError) -> Bool {
        do throws(StoreError) {
            try await verify(screen)
            return true
        } catch .corrupt {
            return false
        }
    }
}
