/// The scripts that the server runs whole.
///
/// A screen is one hash: `revision`, `latest` (the page written last) and, for each page,
/// `p:<number>` with its revision, a colon and its bytes.
enum RedisScript {
    /// How long after its removal a screen's key still says what revision it had, in seconds: far
    /// longer than any write may take that began before.
    static let floorLifetime = 60

    /// Writes a screen by compare-and-set.
    ///
    /// KEYS: the screen. ARGV: the expected revision (`-` for none); `put`, `page` (remove one),
    /// `pages` (remove all) or `screen`; the page's number; its bytes; the seconds to live (`-` for
    /// ever, `=` as before); the floor of new screens; the channel and the screen's name. Answers
    /// `{1, revision}`, or `{0, current revision or -1}` and nothing was done.
    ///
    /// Lua counts in doubles, exactly up to 2^53 writes of one screen.
    static let commit = """
        local key, expected, action, page = KEYS[1], ARGV[1], ARGV[2], ARGV[3]
        local current = redis.call('HGET', key, 'revision')
        if (current or '-') ~= expected then return {0, tonumber(current or '-1')} end
        if not current and action ~= 'put' then return {0, -1} end
        local revision = current
        if action == 'screen' then
          redis.call('DEL', key)
          redis.call('HSET', key, 'floor', current)
          redis.call('EXPIRE', key, \(floorLifetime))
        else
          local latest = redis.call('HGET', key, 'latest') or '0'
          if current then
            revision = string.format('%.0f', tonumber(current) + 1)
          else
            local floor = tonumber(redis.call('HGET', key, 'floor') or '0')
            revision = string.format('%.0f', math.max(floor, tonumber(ARGV[6])) + 1)
            redis.call('DEL', key)
          end
          if action == 'put' then
            redis.call('HSET', key, 'p:' .. page, revision .. ':' .. ARGV[4])
            latest = page
          else
            local highest = -1
            for _, field in ipairs(redis.call('HKEYS', key)) do
              local number = string.match(field, '^p:(%d+)$')
              if number and (action == 'pages' or number == page) then
                redis.call('HDEL', key, field)
              elseif number then
                highest = math.max(highest, tonumber(number))
              end
            end
            if action == 'pages' or latest == page then
              latest = string.format('%.0f', math.max(highest, 0))
            end
          end
          redis.call('HSET', key, 'revision', revision, 'latest', latest)
          if ARGV[5] == '-' then redis.call('PERSIST', key)
          elseif ARGV[5] ~= '=' then redis.call('EXPIRE', key, ARGV[5]) end
        end
        redis.call('PUBLISH', ARGV[7], ARGV[8] .. ' ' .. revision)
        return {1, tonumber(revision)}
        """

    /// Raises the floor of new screens. KEYS: the floor. ARGV: the revision that it must reach.
    static let raiseFloor = """
        if tonumber(ARGV[1]) > tonumber(redis.call('GET', KEYS[1]) or '0') then
          redis.call('SET', KEYS[1], ARGV[1])
        end
        return 1
        """
}
