/// The Lua scripts that the server runs atomically.
///
/// A screen is one hash: `revision`, `latest` (the page written last), `bytes` (the size of its
/// pages) and, for each page, `p:<number>` with its revision, a colon, and its bytes.
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
    /// channel; the maximum size of a screen. Returns `{1, revision, PTTL after the write}`, or, if
    /// nothing was changed, `{0, current revision or -}` or `{2, bytes}` (too large). Publishes the
    /// name and the lowest possible revision of the screen on the channel, before any client
    /// receives its reply.
    ///
    /// Lua numbers are doubles, exact up to 2^53 writes.
    static let commit = """
        local key, index, floorKey = KEYS[1], KEYS[2], KEYS[3]
        local expected, action, page, bytes = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
        local lifetime, name, channel, most = ARGV[5], ARGV[6], ARGV[7], tonumber(ARGV[8])

        local current = redis.call('HGET', key, 'revision')
        if (current or '-') ~= expected then return {0, current or '-'} end
        if not current and action ~= 'put' then return {0, '-'} end
        local floor = tonumber(redis.call('GET', floorKey) or '0')
        if not floor then return redis.error_reply('WRONGTYPE the floor is not a number') end

        local function after(revision) return string.format('%.0f', tonumber(revision) + 1) end
        local function raise(revision)
          if tonumber(revision) > floor then redis.call('SET', floorKey, revision) end
        end

        if action == 'screen' then
          redis.call('ZREM', index, name)
          redis.call('DEL', key)
          raise(current)
          redis.call('PUBLISH', channel, name .. ' ' .. after(current))
          return {1, current, -2}
        end

        local revision = after(current or floor)
        local latest = redis.call('HGET', key, 'latest') or '0'
        local size = tonumber(redis.call('HGET', key, 'bytes') or '0')
        if action == 'put' then
          local field = 'p:' .. page
          local value = revision .. ':' .. bytes
          size = size - redis.call('HSTRLEN', key, field) + #value
          if size > most then return {2, string.format('%.0f', size)} end
          if not current then redis.call('ZADD', index, '0', name) end
          redis.call('HSET', key, 'revision', revision, 'latest', page,
            'bytes', string.format('%.0f', size), field, value)
        elseif action == 'page' then
          local field = 'p:' .. page
          size = size - redis.call('HSTRLEN', key, field)
          redis.call('HDEL', key, field)
          if latest == page then
            local highest = 0
            for _, other in ipairs(redis.call('HKEYS', key)) do
              local number = tonumber(string.match(other, '^p:(%d+)$') or '0')
              if number > highest then highest = number end
            end
            latest = string.format('%.0f', highest)
          end
          redis.call('HSET', key, 'revision', revision, 'latest', latest,
            'bytes', string.format('%.0f', size))
        else
          local left = redis.call('PTTL', key)
          redis.call('DEL', key)
          redis.call('HSET', key, 'revision', revision, 'latest', '0', 'bytes', '0')
          if left >= 0 then redis.call('PEXPIRE', key, math.max(left, 1)) end
        end

        if lifetime == '-' then redis.call('PERSIST', key)
        elseif lifetime ~= '=' then redis.call('EXPIRE', key, lifetime) end
        local left = redis.call('PTTL', key)
        if left >= 0 then raise(revision) end
        redis.call('PUBLISH', channel, name .. ' ' .. revision)
        return {1, revision, left}
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
