/// The Lua scripts that the server runs atomically.
///
/// A screen is one hash with these fields:
///
/// - `revision`; `latest`, the page written last; `bytes`, the size of its pages; `highest`, the
///   highest page, or `-`;
/// - `trees`: the lower bound of the revisions of its trees (``TreeHistory/floor``) and the name of
///   the screen;
/// - `p:<number>` for each page: its revision, the name of the screen, the number, a colon, and the
///   bytes;
/// - `c:<number>` for some pages: ``TreeHistory/Page/removalBelow``,
///   ``TreeHistory/Page/nextChange``, the name of the screen, and the number.
///
/// The names and numbers in the values show to which screen and page a reply belongs. Versions
/// without histories wrote screens without `trees`, `highest` and `c:`, and pages as revision,
/// colon, and bytes; these are read, and are replaced when they are next written.
///
/// A script that fails in the middle is not rolled back. Each script therefore reads first and then
/// begins with the only write that the server may refuse (out of memory, or an index of another
/// type); the writes after it cannot fail, because the server does not refuse a script that has
/// written.
enum RedisScript {
    /// The default for the maximum size of the pages of a screen, in bytes: as much as the server
    /// can send and a daemon can receive within the timeout of a request.
    static let maxScreenBytes = 256 * 1024 * 1024

    /// Writes a screen by compare-and-set.
    ///
    /// KEYS: the screen, the index, the floor. ARGV: the expected revision (`-` for none); `put`,
    /// `page` (remove one), `pages` (remove all) or `screen`; the number of the page; its bytes;
    /// the seconds to live (`-` for unlimited, `=` for unchanged); the name of the screen; the
    /// channel; the maximum size of a screen; a marker (``RedisMarker``). Returns `{1, revision,
    /// PTTL after the write, marker}`, or, if nothing was changed, `{0, current revision or -,
    /// marker}` or `{2, bytes, marker}` (too large). Publishes the name and the lowest possible
    /// revision of the screen on the channel, before any client receives its reply.
    ///
    /// The rules of the history are those of ``TreeHistory``.
    ///
    /// Lua numbers are doubles, exact up to 2^53 writes.
    static let commit = """
        local key, index, floorKey = KEYS[1], KEYS[2], KEYS[3]
        local expected, action, page, bytes = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
        local lifetime, name, channel, most = ARGV[5], ARGV[6], ARGV[7], tonumber(ARGV[8])
        local marker = ARGV[9]

        local current = redis.call('HGET', key, 'revision')
        if (current or '-') ~= expected then return {0, current or '-', marker} end
        if not current and action ~= 'put' then return {0, '-', marker} end
        local floor = tonumber(redis.call('GET', floorKey) or '0')
        if not floor then return redis.error_reply('WRONGTYPE the floor is not a number') end

        local function text(number) return string.format('%.0f', number) end
        local function after(revision) return text(tonumber(revision) + 1) end
        local function raise(revision)
          if tonumber(revision) > floor then redis.call('SET', floorKey, revision) end
        end

        if action == 'screen' then
          redis.call('ZREM', index, name)
          redis.call('DEL', key)
          raise(current)
          redis.call('PUBLISH', channel, name .. ' ' .. after(current))
          return {1, current, -2, marker}
        end

        local revision = after(current or floor)
        local latest = redis.call('HGET', key, 'latest') or '0'
        local size = tonumber(redis.call('HGET', key, 'bytes') or '0')
        local trees, highest = redis.call('HGET', key, 'trees'), redis.call('HGET', key, 'highest')

        -- The highest page besides `except`, and the lowest one above it; nil for none.
        local function neighbours(except)
          local highest, above
          for _, field in ipairs(redis.call('HKEYS', key)) do
            local number = tonumber(string.match(field, '^p:(%d+)$') or '-1')
            if number >= 0 and number ~= except then
              if not highest or number > highest then highest = number end
              if number > except and (not above or number < above) then above = number end
            end
          end
          return highest and text(highest), above and text(above)
        end
        if trees then trees = string.match(trees, '^%d+')
        else
          -- Written by a version without histories, or new.
          trees, highest = current or '0', current and neighbours(-1)
        end
        if highest == '-' then highest = nil end

        -- Returns the field of the changes of a page, and its value with one of them replaced.
        local function changed(number, removal, change)
          local field = 'c:' .. number
          local kept = redis.call('HGET', key, field) or ''
          local below, next = string.match(kept, '^(%d+) (%d+) ')
          return field, table.concat(
            {removal or below or '0', change or next or '0', name, number}, ' ')
        end

        local values = {'revision', revision}
        local function set(field, value)
          values[#values + 1] = field
          values[#values + 1] = value
        end
        if action == 'put' then
          local field = 'p:' .. page
          local value = revision .. ' ' .. name .. ' ' .. page .. ':' .. bytes
          local former = redis.call('HSTRLEN', key, field)
          size = size - former + #value
          if size > most then return {2, text(size), marker} end
          if former == 0 then
            local isHighest = not highest or tonumber(page) > tonumber(highest)
            if highest and isHighest then set(changed(highest, nil, revision)) end
            if isHighest then highest = page end
          end
          latest = page
          set(field, value)
          if not current then redis.call('ZADD', index, '0', name) end
        elseif action == 'page' then
          local field = 'p:' .. page
          local former = redis.call('HSTRLEN', key, field)
          if former > 0 then
            local last, above = neighbours(tonumber(page))
            highest = last
            if latest == page then latest = last or '0' end
            if above then set(changed(above, revision, nil))
            elseif last then set(changed(last, nil, revision))
            else trees = revision end
            size = size - former
            redis.call('HDEL', key, field, 'c:' .. page)
          end
        else
          if highest then trees = revision end
          latest, size, highest = '0', 0, nil
          local left = redis.call('PTTL', key)
          redis.call('DEL', key)
          redis.call('HSET', key, 'revision', revision)
          if left >= 0 then redis.call('PEXPIRE', key, math.max(left, 1)) end
        end
        set('latest', latest)
        set('bytes', text(size))
        set('highest', highest or '-')
        set('trees', trees .. ' ' .. name)
        redis.call('HSET', key, unpack(values))

        if lifetime == '-' then redis.call('PERSIST', key)
        elseif lifetime ~= '=' then redis.call('EXPIRE', key, lifetime) end
        local left = redis.call('PTTL', key)
        if left >= 0 then raise(revision) end
        redis.call('PUBLISH', channel, name .. ' ' .. revision)
        return {1, revision, left, marker}
        """

    /// Performs ``commit`` and removes all its keys, to find out whether writes succeed.
    ///
    /// The keys are those of no screen. They are removed after the write: the server does not
    /// refuse a script that has written, not even if it is out of memory.
    static let probe = """
        local function commit()
        \(commit)
        end
        local reply = commit()
        redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
        return reply
        """

    /// Reads the revision of a screen.
    ///
    /// KEYS: the screen. ARGV: a marker (``RedisMarker``). Returns `{revision or null, PTTL,
    /// marker}`.
    static let revision = """
        return {redis.call('HGET', KEYS[1], 'revision'), redis.call('PTTL', KEYS[1]), ARGV[1]}
        """

    /// Reads the time to live of a screen.
    ///
    /// KEYS: the screen. ARGV: a marker (``RedisMarker``). Returns `{PTTL, marker}`.
    static let timeToLive = "return {redis.call('PTTL', KEYS[1]), ARGV[1]}"

    /// Reads nothing.
    ///
    /// KEYS: none, or one of which the server must be the owner. ARGV: a marker (``RedisMarker``).
    /// Returns the marker.
    static let marker = "return ARGV[1]"

    /// Removes names from the index whose screens do not exist.
    ///
    /// KEYS: the index, then a screen for each of ARGV, the names. Returns the number of removed
    /// names.
    static let prune = """
        local gone = 0
        for place, name in ipairs(ARGV) do
          if redis.call('EXISTS', KEYS[place + 1]) == 0 then
            redis.call('ZREM', KEYS[1], name)
            gone = gone + 1
          end
        end
        return gone
        """
}
