/// The line of a server: the first digits of `master_replid`, which changes when a replica is
/// promoted, when the server is restarted, and when its first replica connects.
///
/// The store counts its lines with the first write in each: ``RedisKeys/line`` has the digits of
/// the current one, a blank, and its number, which is 0 for a new store. The revision after *r* is
/// *r* + 1, and a million more for each line that has begun since the screen was written last; for
/// a new screen, *r* and its line are those of the floor. So a revision that a server has lost is
/// never assigned again, also if the lost write was the first one to its screen in a line that has
/// ended. What an earlier release wrote is in the line before the first one.
///
/// The hash of a screen's state (``RedisKeys/state(_:)``) has two fields for this, which earlier
/// releases ignore; the hash of the screen itself they read completely, and reject with others:
///
/// - `line`: the digits and the number of the line, or `-` if the server did not disclose it;
/// - `writes`: of each of the last 16 commits its number (``WriteNumber``), a colon, and the
///   revision that it got, the newest first, separated by blanks. The numbers are texts: numbers of
///   Lua do not have 63 bits.
enum RedisLine {
    /// The number of hexadecimal digits.
    static let length = 8

    /// Returns the number of a line.
    static func number(_ digits: some StringProtocol) -> Int? { Int(digits, radix: 16) }

    /// The part of a script that reads the line of the server: `digits` is `nil` if the server does
    /// not disclose it, or the user may not read it.
    static let read = """
        local info = redis.pcall('INFO', 'replication')
        local digits = type(info) == 'string'
          and string.match(info, 'master_replid:(\(String(repeating: "%x", count: length)))') or nil
        """

    /// The part of ``RedisScript/commit`` that reads the screen and the floor, and returns unless
    /// the expected revision is the current one.
    ///
    /// It sets `current`, `floor`, `writes` and `line`, and the functions `text`, `after`, `raise`
    /// (the floor) and `reply`. `gap` is what is added to the revision besides 1, and `dropped` the
    /// number of events that the write drops.
    static let begin = """
        local dropped = 0
        local function reply(outcome, value, left)
          return {outcome, value, left or '-', digits or '-', dropped, marker}
        end
        local current = redis.call('HGET', key, 'revision')
        local writes = current and redis.call('HGET', KEYS[4], 'writes') or ''
        local done = string.match(' ' .. writes, ' ' .. number .. ':(%d+)')
        if done then return reply(5, done) end
        local puts = action == 'put' or action == 'replace'
        if (current or '-') ~= expected or not current and not puts then
          -- If it had been applied, it would be among the known ones.
          local oldest = string.match(writes, ':(%d+)$')
          local isFinal = oldest and expected ~= '-' and tonumber(oldest) <= tonumber(expected)
          return reply(isFinal and 0 or 4, current or '-')
        end
        if not current and KEYS[9] and redis.call('EXISTS', KEYS[9]) == 0 then
          return reply(3, '-')
        end

        local function text(number) return string.format('%.0f', number) end
        local function after(revision) return text(tonumber(revision) + 1) end
        local storedFloor, floorLine = redis.call('GET', floorKey), redis.call('GET', KEYS[8])
        local floor = tonumber(storedFloor or '0')
        if not floor then return redis.error_reply('WRONGTYPE the floor is not a number') end
        local function lines(known) return tonumber(string.match(known or '', ' (%d+)$') or '0') end
        local line = digits and floorLine
        -- A store without anything has had no other line.
        local isNew = not floorLine and not storedFloor and redis.call('EXISTS', index) == 0
        if digits and string.match(floorLine or '', '^%x+') ~= digits then
          line = digits .. ' ' .. text(isNew and 0 or lines(floorLine) + 1)
        end
        local function gapAfter(known)
          if not line or known == line then return 0 end
          return 1000000 * math.max(1, lines(line) - lines(known))
        end
        local ownLine = current and redis.call('HGET', KEYS[4], 'line')
        local gap = current and gapAfter(ownLine) or 0
        if not isNew then floor = floor + gapAfter(floorLine) end

        local function raise(revision)
          local highest = math.max(floor, tonumber(revision))
          if highest > tonumber(storedFloor or '0') then
            redis.call('SET', floorKey, text(highest))
          end
          if line and floorLine ~= line then redis.call('SET', KEYS[8], line) end
        end
        """

    /// The part of ``RedisScript/commit`` that records the write; `left` is the time to live of the
    /// screen, which its state has, too.
    static let record = """
        local recorded = {number .. ':' .. revision}
        for write in string.gmatch(writes, '%S+') do
          if #recorded < 16 then recorded[#recorded + 1] = write end
        end
        redis.call('HSET', KEYS[4], 'writes', table.concat(recorded, ' '),
          'line', line or ownLine or '-')
        if left >= 0 then redis.call('PEXPIRE', KEYS[4], math.max(left, 1))
        else redis.call('PERSIST', KEYS[4]) end
        """
}
