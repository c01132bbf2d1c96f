/// The scripts that the server runs whole, with nobody's command in between.
///
/// A screen is one hash: `revision`, `latest` (the page written last), `bytes` (what its pages take
/// up) and, for each page, `p:<number>` with its revision, a colon and its bytes.
///
/// A script that fails in its middle is not undone. So each reads first, and then begins with the one
/// write that may be refused (for want of memory, or because the index is no index): what follows it
/// cannot fail, since the server lets a script that has written go on.
enum RedisScript {
    /// The most bytes that the pages of one screen may have together: what the server can answer, and
    /// a daemon take in, within the time that a call has.
    static let maxScreenBytes = 256 * 1024 * 1024

    /// Writes a screen by compare-and-set.
    ///
    /// KEYS: the screen, the index, the floor. ARGV: the expected revision (`-` for none); `put`,
    /// `page` (remove one), `pages` (remove all) or `screen`; the page's number; its bytes; the
    /// seconds to live (`-` for ever, `=` as before); the screen's name; the channel; the most bytes
    /// of a screen. Answers `{1, revision, what PTTL says now}`; `{0, current revision or -}` or
    /// `{2, bytes}` (too large) when nothing was done. Tells the channel the name and the lowest
    /// revision that the screen can have from now on, so before anybody is answered.
    ///
    /// Lua counts in doubles, exactly up to 2^53 writes.
    static let commit = """
        local key, index, floorKey = KEYS[1], KEYS[2], KEYS[3]
        local expected, action, page, bytes = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
        local lifetime, name, channel, most = ARGV[5], ARGV[6], ARGV[7], tonumber(ARGV[8])

        local current = redis.call('HGET', key, 'revision')
        if (current or '-') ~= expected then return {0, current or '-'} end
        if not current and action ~= 'put' then return {0, '-'} end
        local floor = tonumber(redis.call('GET', floorKey) or '0')
        if not floor then return redis.error_reply('WRONGTYPE the floor is no number') end

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

    /// Takes names off the index whose screens are gone.
    ///
    /// KEYS: the index, then a screen for each of ARGV, the names. Answers how many were gone.
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

/// What things are called on the server.
///
/// All names carry one hash tag, so that a cluster keeps a whole store on one of its nodes: one script
/// may then touch a screen, the index and the floor in one step. A node has room for more screens and
/// writes than the daemons in front of it will ever lay out.
enum RedisKeys {
    /// A sorted set of all screens' names.
    ///
    /// May name one that has expired; never lacks one that is there.
    static let index = "{broadsheet}:screens"
    /// The store's name and sealing key.
    static let identity = "{broadsheet}:identity"
    /// The highest revision of any screen that was removed or may expire.
    static let floor = "{broadsheet}:floor"

    /// The hash that holds a screen.
    static func screen(_ name: ScreenName) -> String { "{broadsheet}:screen:\(name.text)" }

    /// Where daemons on one database tell each other what they wrote: channels, unlike keys, are all
    /// databases'.
    static func changes(_ endpoint: RedisEndpoint) -> String {
        "{broadsheet}:changes:\(endpoint.database)"
    }
}
