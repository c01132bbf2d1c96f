/// The feeds of screens on the server: the scripts, and the decoding of their replies.
///
/// A feed is one hash with the time to live of its screen: `instance`; `first` and `last`, the
/// numbers of the oldest and of the last event; `bytes`, the bytes of all events; and `e:<number>`
/// for each event, its number, a colon, and its bytes.
enum RedisFeed {
    /// The part of scripts that defines `appendEvents(feed, packed)`, which stores events
    /// (``packed(_:_:)``), drops the oldest ones beyond the bounds, and returns the number of
    /// these; requires `text`.
    static let append = """
        local function appendEvents(feed, packed)
          local stop = string.find(packed, '\\n', 1, true)
          local words, values = {}, {}
          for word in string.gmatch(string.sub(packed, 1, stop - 1), '%S+') do
            words[#words + 1] = word
          end
          local maxEvents, maxBytes = tonumber(words[2]), tonumber(words[3])
          local first, last, bytes = 1, 0, 0
          if redis.call('HGET', feed, 'instance') then
            first = tonumber(redis.call('HGET', feed, 'first'))
            last = tonumber(redis.call('HGET', feed, 'last'))
            bytes = tonumber(redis.call('HGET', feed, 'bytes'))
          else
            values[1], values[2] = 'instance', words[1]
          end
          local start = stop + 1
          for place = 4, #words do
            local length = tonumber(words[place])
            last, bytes = last + 1, bytes + length
            values[#values + 1] = 'e:' .. text(last)
            values[#values + 1] = text(last) .. ':'
              .. string.sub(packed, start, start + length - 1)
            start = start + length
          end
          for place = 1, #values, 1000 do
            redis.call('HSET', feed, unpack(values, place, math.min(place + 999, #values)))
          end
          local oldest = first
          while first < last and (last - first >= maxEvents or bytes > maxBytes) do
            local field = 'e:' .. text(first)
            local length = redis.call('HSTRLEN', feed, field) - #text(first) - 1
            bytes, first = bytes - math.max(0, length), first + 1
            redis.call('HDEL', feed, field)
          end
          redis.call('HSET', feed, 'first', text(first), 'last', text(last),
            'bytes', text(bytes))
          return first - oldest
        end
        local function expireFeed(feed, left)
          if left >= 0 then redis.call('PEXPIRE', feed, math.max(left, 1))
          else redis.call('PERSIST', feed) end
        end
        """

    /// Stores events of a screen without a revision.
    ///
    /// KEYS: the screen, the feed. ARGV: the events (``packed(_:_:)``), the name of the screen, the
    /// channel, a marker (``RedisMarker``). Returns `{1, number of dropped events, marker}`, or
    /// `{0, 0, marker}` if there is no such screen. Publishes the name and the revision of the
    /// screen on the channel.
    static let store = """
        local function text(number) return string.format('%.0f', number) end
        \(append)
        local current = redis.call('HGET', KEYS[1], 'revision')
        if not current then return {0, 0, ARGV[4]} end
        local dropped = appendEvents(KEYS[2], ARGV[1])
        expireFeed(KEYS[2], redis.call('PTTL', KEYS[1]))
        redis.call('PUBLISH', ARGV[3], ARGV[2] .. ' ' .. current)
        return {1, dropped, ARGV[4]}
        """

    /// Reads events of a screen.
    ///
    /// KEYS: the screen, the feed. ARGV: the number after which the events are, the number of their
    /// bytes, a marker (``RedisMarker``). Returns `{revision or null, instance or null, oldest
    /// number, last number, events, marker}`.
    static let read = """
        local function text(number) return string.format('%.0f', number) end
        local current = redis.call('HGET', KEYS[1], 'revision')
        local instance = redis.call('HGET', KEYS[2], 'instance')
        if not current or not instance then return {current, false, '1', '0', {}, ARGV[3]} end
        local first = redis.call('HGET', KEYS[2], 'first')
        local last = redis.call('HGET', KEYS[2], 'last')
        local events, rest = {}, tonumber(ARGV[2])
        local number = math.max(tonumber(first), tonumber(ARGV[1]) + 1)
        while number <= tonumber(last) do
          local value = redis.call('HGET', KEYS[2], 'e:' .. text(number))
          local length = value and #value - #text(number) - 1
          if not value or #events > 0 and length > rest then break end
          events[#events + 1] = value
          number, rest = number + 1, rest - length
        end
        return {current, instance, first, last, events, ARGV[3]}
        """

    /// Returns events as one argument of a script; `-` for none.
    ///
    /// It has an instance for a new feed, the maximum numbers of events and of bytes, and the
    /// lengths of the events, separated by blanks; after an end of line, their bytes.
    static func packed(_ events: [[UInt8]], _ bounds: FeedBounds) -> [UInt8] {
        guard !events.isEmpty, !bounds.isNone else { return Array("-".utf8) }
        let words =
            [FeedPart.newInstance(), String(bounds.maxEvents), String(bounds.maxBytes)]
            + events.map { String($0.count) }
        return events.reduce(into: Array("\(words.joined(separator: " "))\n".utf8)) { $0 += $1 }
    }

    /// Decodes the reply of ``read``; `nil` if there is no such screen.
    ///
    /// The events end before one that is malformed or missing; if that is the first one, it throws.
    ///
    /// - Parameter number: The number after which the events are.
    static func part(
        _ reply: RESPValue?, of screen: ScreenName, after number: UInt64
    ) throws(StoreError) -> FeedPart? {
        guard let parts = reply?.elements, parts.count == 6 else {
            throw .corrupt("the reply about the feed of screen \(screen) is malformed")
        }
        guard parts[0] != .null else { return nil }
        guard let instance = parts[1].text else { return FeedPart() }
        guard let first = parts[2].text.flatMap({ UInt64($0) }),
            let last = parts[3].text.flatMap({ UInt64($0) }), let values = parts[4].elements
        else { throw .corrupt("the feed of screen \(screen) is not one") }
        var part = FeedPart(instance: instance, first: first, last: last)
        var next = max(first, number == .max ? number : number + 1)
        for value in values {
            let head = Array("\(next):".utf8)
            guard let bytes = value.bytes, bytes.starts(with: head) else { break }
            part.events.append(FeedEvent(number: next, data: Array(bytes.dropFirst(head.count))))
            next += 1
        }
        guard !part.events.isEmpty || next > last else {
            throw .corrupt("event \(next) of the feed of screen \(screen)")
        }
        return part
    }
}

extension RedisStore {
    /// Stores events of a screen and returns after the server has acknowledged them; if it is out
    /// of memory, removes earlier revisions first.
    package func append(
        _ events: [[UInt8]], to screen: ScreenName
    ) async throws(StoreError) -> Bool {
        try await writer.makingSpace(for: screen) { () async throws(StoreError) -> Bool in
            try await self.send(events, to: screen)
        }
    }

    private func send(
        _ events: [[UInt8]], to screen: ScreenName
    ) async throws(StoreError) -> Bool {
        // They have no number by which the server would know them.
        let reply = try await client.call(isRepeated: false) { [channel, feedBounds] marker in
            marker.command(
                RedisFeed.store, keys: [RedisKeys.screen(screen), RedisKeys.feed(screen)],
                [
                    RedisFeed.packed(events, feedBounds), Array(screen.text.utf8),
                    Array(channel.utf8),
                ])
        }.last
        let parts = reply?.elements ?? []
        if parts.count > 1 {
            writer.droppedEvents.add(parts[1].integer.flatMap { UInt64(exactly: $0) } ?? 0)
        }
        return parts.first?.integer == 1
    }

    /// Returns a part of the feed of a screen.
    package func feed(
        of screen: ScreenName, after number: UInt64, byteCount: Int
    ) async throws(StoreError) -> FeedPart? {
        let reply = try await client.call { marker in
            marker.command(
                RedisFeed.read, keys: [RedisKeys.screen(screen), RedisKeys.feed(screen)],
                [Array(String(number).utf8), Array(String(byteCount).utf8)])
        }.last
        return try RedisFeed.part(reply, of: screen, after: number)
    }
}
