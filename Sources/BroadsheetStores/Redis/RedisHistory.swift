/// The earlier revisions of a screen on the server: the scripts, and the decoding of their replies.
///
/// Two hashes besides that of the screen hold them. Both have the screen's time to live, and that
/// of the history never more than the age of revisions. The state has the screen's last writes and
/// their line, too (``RedisLine``); revisions before a gap are forgotten.
///
/// - The state: `creation`; `revision`, the revision that it is about (if that is not the screen's,
///   an earlier release has written in between, and there is no history); `first`, the oldest
///   revision; `bytes`, the bytes of earlier pages; and `record`, the record of the current
///   revision without its former state.
/// - The history: `r:<revision>` for each record after the oldest revision, and for that one: the
///   bytes that the record keeps, its time, and in the next line the record
///   (``RevisionRecord``); `v:<revision>:<number>` for the value of each page that a revision has
///   replaced or removed.
enum RedisHistory {
    /// The number of seconds that a history outlives the age of its revisions.
    private static let spareSeconds = 60

    /// Returns the arguments of a commit: a creation for a new screen (`-` to keep no history), the
    /// words of the note, its operations, the maximum number of revisions and of bytes, the time up
    /// to which revisions are too old, and the seconds to live of the history, separated by a blank
    /// from the time.
    static func arguments(
        _ note: RevisionNote, _ bounds: HistoryBounds, at now: Int64
    ) -> [String] {
        guard !bounds.isNone else { return ["-", "-", "-", "-", "-", "-"] }
        let (words, operations) = note.recordParts(at: now)
        let seconds =
            min(
                bounds.maxAge, ScreenLifetime.secondsRange.upperBound) + spareSeconds
        return [
            String(Int64.random(in: 1...Int64.max)), words, operations,
            "\(bounds.maxRevisions) \(seconds)", String(bounds.maxBytes),
            String(bounds.cutoff(at: now)),
        ]
    }

    /// The part of ``RedisScript/commit`` that records the revision, after its writes.
    ///
    /// `ARGV[8]` to `ARGV[13]` are ``arguments(_:_:at:)``.
    static let commit = """
        local function expireHistory(left) end
        if keeps then
          local state, history = KEYS[4], KEYS[5]
          local cutoff = tonumber(ARGV[13])
          local maxRevisions, seconds = string.match(ARGV[11], '^(%d+) (%d+)$')
          maxRevisions = tonumber(maxRevisions)
          local creation = redis.call('HGET', state, 'creation')
          if not current or not creation then creation = ARGV[8] end
          local first, bytes = current or revision, 0
          if current and redis.call('HGET', state, 'revision') == current
            and redis.call('EXISTS', history) == 1 then
            first = redis.call('HGET', state, 'first')
            bytes = tonumber(redis.call('HGET', state, 'bytes'))
          else
            redis.call('DEL', history)
            local record = current and redis.call('HGET', state, 'revision') == current
              and redis.call('HGET', state, 'record')
            if record then
              local at = string.match(record, '^%S+ %S+ %S+ %S+ (%S+)')
              redis.call('HSET', history, 'r:' .. current, '0 ' .. at .. '\\n' .. record)
            end
          end

          local listed, words = {}, {}
          for number in pairs(stored) do listed[#listed + 1] = number end
          for _, number in ipairs(gone) do listed[#listed + 1] = number end
          table.sort(listed, function(a, b) return tonumber(a) < tonumber(b) end)
          for place = 1, math.min(#listed, 100) do
            local number = listed[place]
            local isStored = stored[number] ~= nil
            words[place] = number .. ':' .. (isStored and pages[number][5] or '-')
          end
          if #listed > 100 then words[101] = '+' .. (#listed - 100) end
          local record = '1 ' .. creation .. ' ' .. revision .. ' ' .. (current or revision)
            .. ' ' .. ARGV[9] .. ' ' .. text(count) .. '\\n' .. ARGV[10] .. '\\n'
            .. table.concat(words, ' ')
          local at = string.match(ARGV[9], '^%S+')

          if current and formerBytes <= most and tonumber(first) < tonumber(revision) then
            local lines = {'h 0 ' .. was[1] .. ' - ' .. text(was[2]) .. ' ' .. text(was[3]) .. ' '
              .. was[4] .. ' ' .. was[5] .. ' ' .. was[6]}
            for place, entry in ipairs(former) do
              local words = pages[entry.number].was
              local line = ' ' .. entry.number
              if entry.exists then
                line = line .. ' ' .. words[6] .. ' ' .. words[1] .. ' ' .. words[2]
              end
              if entry.value then
                line = 'p' .. line .. ' ' .. words[3] .. ' ' .. words[4] .. ' ' .. words[5] .. ' '
                  .. revision .. ' 0'
                redis.call('HSET', history, 'v:' .. revision .. ':' .. entry.number, entry.value)
              elseif entry.exists then line = 't' .. line
              else line = 'n' .. line end
              lines[place + 1] = line
            end
            redis.call('HSET', history, 'r:' .. revision, text(formerBytes) .. ' ' .. at .. '\\n'
              .. record .. '\\n' .. table.concat(lines, '\\n'))
            bytes = bytes + formerBytes
          else
            redis.call('DEL', history)
            redis.call('HSET', history, 'r:' .. revision, '0 ' .. at .. '\\n' .. record)
            first, bytes = revision, 0
          end
          while tonumber(first) < tonumber(revision) do
            local second = after(first)
            local value = redis.call('HGET', history, 'r:' .. second)
            local own, time = string.match(value or '', '^(%d+) (%S+)\\n')
            local isBeyond = tonumber(revision) - tonumber(first) > maxRevisions or bytes > most
            if own and not isBeyond and (tonumber(time) or 0) > cutoff then break end
            if own then
              for number in string.gmatch(value, '\\np (%d+) ') do
                redis.call('HDEL', history, 'v:' .. second .. ':' .. number)
              end
              redis.call('HDEL', history, 'r:' .. first)
              redis.call('HSET', history, 'r:' .. second,
                '0 ' .. time .. string.match(value, '^%d+ %S+(\\n.-)\\nh ') or '\\n')
              first, bytes = second, bytes - tonumber(own)
            else
              redis.call('DEL', history)
              first, bytes = revision, 0
            end
          end
          redis.call('HSET', state, 'creation', creation, 'revision', revision, 'first', first,
            'bytes', text(bytes), 'record', record)
          expireHistory = function(left)
            local most = tonumber(seconds) * 1000
            if left >= 0 then
              most = math.min(most, math.max(left, 1))
            end
            redis.call('PEXPIRE', history, text(most))
            if tonumber(first) < tonumber(revision) then
              redis.call('HSET', KEYS[6], name, text(bytes) .. ' ' .. text(tonumber(at) + most))
            else
              redis.call('HDEL', KEYS[6], name)
            end
          end
        end
        """

    /// Reads the records after a revision, the newest first.
    ///
    /// KEYS: the screen, the state, the history. ARGV: the revision; a marker. Returns
    /// `{revision of the screen or null, records or null, PTTL, marker}`.
    static let past = """
        local current = redis.call('HGET', KEYS[1], 'revision')
        local left = redis.call('PTTL', KEYS[1])
        local first = redis.call('HGET', KEYS[2], 'first')
        if not current or not first or redis.call('HGET', KEYS[2], 'revision') ~= current
          or tonumber(first) > tonumber(ARGV[1]) or tonumber(ARGV[1]) >= tonumber(current) then
          return {current, false, left, ARGV[2]}
        end
        local records = {}
        for revision = tonumber(current), tonumber(ARGV[1]) + 1, -1 do
          local value = redis.call('HGET', KEYS[3], 'r:' .. string.format('%.0f', revision))
          if not value then return {current, false, left, ARGV[2]} end
          records[#records + 1] = value
        end
        return {current, records, left, ARGV[2]}
        """

    /// Reads the list of revisions.
    ///
    /// KEYS: the screen, the state, the history. ARGV: the revision above the first entry, or `-`;
    /// the maximum number of entries; the time up to which revisions are too old; a marker. Returns
    /// `{revision or null, sizes or null, oldest revision, revision of the first entry, entries,
    /// the record after the last entry or null, marker}`; an entry is null without a record.
    static let list = """
        local function text(number) return string.format('%.0f', number) end
        local current = redis.call('HGET', KEYS[1], 'revision')
        if not current then return {false, false, false, false, {}, false, ARGV[4]} end
        local sizes = redis.call('HGET', KEYS[1], 'sizes')
        local function record(revision)
          return redis.call('HGET', KEYS[3], 'r:' .. text(revision))
        end
        local last = tonumber(current)
        local first, own = last, false
        if redis.call('HGET', KEYS[2], 'revision') == current then
          local stated = redis.call('HGET', KEYS[2], 'record')
          own = stated and '0 0\\n' .. stated
          if redis.call('EXISTS', KEYS[3]) == 1 then
            first = tonumber(redis.call('HGET', KEYS[2], 'first'))
          end
          while first < last do
            local time = string.match(record(first + 1) or '', '^%d+ (%S+)\\n')
            if time and (tonumber(time) or 0) > tonumber(ARGV[3]) then break end
            first = first + 1
          end
        end
        local start = last
        if ARGV[1] ~= '-' then start = math.min(last, tonumber(ARGV[1]) - 1) end
        local entries, revision = {}, start
        while revision >= first and #entries < tonumber(ARGV[2]) do
          entries[#entries + 1] = record(revision) or (revision == last and own) or false
          revision = revision - 1
        end
        return {current, sizes, text(first), text(start), entries,
          revision + 1 < last and record(revision + 2) or false, ARGV[4]}
        """

    /// Removes the earlier revisions of screens.
    ///
    /// KEYS: the sizes of histories, and for each screen the screen, its state and its history.
    /// ARGV: the channel on which the messages are published, or nothing; for each screen its name
    /// and a message; a marker. Returns `{1 if the first screen exists, marker}`.
    static let remove = """
        for place = 1, (#ARGV - 2) / 2 do
          local base = 3 * place - 1
          local revision = redis.call('HGET', KEYS[base], 'revision')
          redis.call('DEL', KEYS[base + 2])
          if revision and redis.call('HGET', KEYS[base + 1], 'revision') == revision then
            redis.call('HSET', KEYS[base + 1], 'first', revision, 'bytes', '0')
          end
          redis.call('HDEL', KEYS[1], ARGV[2 * place])
          if ARGV[1] ~= '' then redis.call('PUBLISH', ARGV[1], ARGV[2 * place + 1]) end
        end
        return {redis.call('EXISTS', KEYS[2]), ARGV[#ARGV]}
        """

    /// Returns the keys of a screen and of its history.
    static func keys(_ name: ScreenName) -> [String] {
        [RedisKeys.screen(name), RedisKeys.state(name), RedisKeys.history(name)]
    }

    /// Decodes the value of a record and the time in front of it; `nil` for anything else.
    static func record(_ value: RESPValue) -> RevisionRecord? {
        guard let text = value.text, let end = text.firstIndex(of: "\n") else { return nil }
        return RevisionRecord(String(text[text.index(after: end)...]))
    }
}
