/// The scripts that the server runs.
///
/// A screen is one hash with these fields:
///
/// - `revision` and `edit`, the version of the record; `record`, its bytes; `weight`; `bytes`, its
///   size in lists;
/// - `feedVersion`, and `feed` after the first event;
/// - `<kind>:<number>:<revision>` for each object.
///
/// Numbers are texts, and are compared as such, as numbers of Lua do not have 64 bits; only lines
/// and the revisions of floors are numbers, exact up to 2^53.
///
/// The line of a server is known by three words (``state``): the first digits of `master_replid`,
/// which changes when a replica is promoted, when the server is restarted, and when its first
/// replica connects, or `-` if the server does not disclose it; the name in the identity of the
/// store, or `-` without one, and the identity that follows begins no line; and the number of the
/// line. The key ``RedisKeys/line`` has them as of the last write, and each daemon sends those of
/// the last reply, so that the number grows also if the first write of a line was lost with it.
///
/// A script that fails in the middle is not rolled back. Each script therefore reads first, and
/// then begins with the only writes that the server may refuse: those that it refuses without
/// memory, before which nothing was written, and those to the sets, which may be of another type.
extension LuaScript {
    /// The number of hexadecimal digits of a line.
    private static let digits = 8

    /// The part of a script that reads the state of the server.
    ///
    /// KEYS: the line, the floor, the identity. ARGV: the state in the last reply. Sets `line`, a
    /// number; `state`; `stored`, the state as of the last write; `floor` and `floorLine`; and the
    /// functions `text` and `name`, which sets the name in the identity in the state.
    private static let state = """
        local function text(number) return string.format('%.0f', number) end
        local info = redis.pcall('INFO', 'replication')
        local digits = type(info) == 'string'
          and string.match(info, 'master_replid:(\(String(repeating: "%x", count: digits)))') or '-'
        local stored, identity = redis.call('GET', KEYS[1]), redis.call('GET', KEYS[3])
        local function nameIn(value) return string.match(value or '', '^1:(%w+):') or '-' end
        local name, line = nameIn(identity), 1
        for _, known in ipairs({stored or '', ARGV[1]}) do
          local knownDigits, knownName, count = string.match(known, '^(%S+) (%S+) (%d+)$')
          if count then
            local isSame = (knownName == name or knownName == '-')
              and (digits == '-' or knownDigits == digits)
            if isSame and digits == '-' then digits = knownDigits end
            line = math.max(line, tonumber(count) + (isSame and 0 or 1))
          end
        end
        local function stateOf(name) return digits .. ' ' .. name .. ' ' .. text(line) end
        local state = stateOf(name)
        local floor, floorLine =
          string.match(redis.call('GET', KEYS[2]) or '0 1', '^(%d+) (%d+)$')
        if not floor then return redis.error_reply('WRONGTYPE the floor is not one') end
        local function isForeign(key) return redis.call('EXISTS', key) == 1 end
        local foreign = redis.error_reply('WRONGTYPE the screen is not one')
        """

    /// Reads records.
    ///
    /// KEYS: those of ``state``; the screens. ARGV: that of ``state``; for each screen the known
    /// revision and edit; a marker (``RedisMarker``). Returns
    /// `{state, floor, its line, records, marker}`; a record is null, the PTTL of one of the known
    /// version, or `{revision, edit, PTTL, record, feed version, feed}`.
    static let records = LuaScript(
        """
        \(state)
        local records = {}
        for place = 4, #KEYS do
          local key, query = KEYS[place], 2 * place - 6
          local version = redis.call('HMGET', key, 'revision', 'edit')
          if not version[1] then
            if isForeign(key) then return foreign end
            records[#records + 1] = false
          elseif version[1] == ARGV[query] and version[2] == ARGV[query + 1] then
            records[#records + 1] = redis.call('PTTL', key)
          else
            local values = redis.call('HMGET', key, 'record', 'feedVersion', 'feed')
            records[#records + 1] = {version[1], version[2], redis.call('PTTL', key), values[1],
              values[2], values[3]}
          end
        end
        return {state, floor, floorLine, records, ARGV[#ARGV]}
        """)

    /// Reads objects of a screen.
    ///
    /// KEYS: the screen. ARGV: the maximum number of bytes; the fields; a marker. Returns
    /// `{objects, marker}`: for each field null, its bytes, or its length.
    static let objects = LuaScript(
        """
        local rest, objects = tonumber(ARGV[1]), {}
        for place = 2, #ARGV - 1 do
          local length = redis.call('HSTRLEN', KEYS[1], ARGV[place])
          local bytes = (length == 0 or length <= rest) and redis.call('HGET', KEYS[1], ARGV[place])
          if length == 0 and not bytes then objects[#objects + 1] = false
          elseif length > rest then objects[#objects + 1], rest = length, -1
          else objects[#objects + 1], rest = bytes, rest - length end
        end
        return {objects, ARGV[#ARGV]}
        """)

    /// Compares the line, the record, the feed and the floor with those that a batch expects, and
    /// applies it, or returns what is there.
    ///
    /// KEYS: those of ``state``, the screen, the names, the times at which screens are due. ARGV:
    /// those that are named in the script, with `-` for what the batch does not have; the bytes of
    /// the record and of the feed; the fields to delete; the fields to store with their bytes; a
    /// marker. Returns `{1, state, PTTL, marker}`, or `{0, state, floor, its line, record, marker}`
    /// with the record as in ``records``; with 2 in place of 0 if the server had lost its keys.
    ///
    /// The message is out before any client receives a reply.
    static let apply = LuaScript(
        """
        \(state)
        local _, screen, expectedLine, expectation, oldRevision, oldEdit, change, revision, edit,
          due, weight, listed, lifetime, feedExpected, feedVersion, raised, raisedLine, channel,
          message, restored, restoredFloor, frees, deleteCount = unpack(ARGV, 1, 23)
        local key, last, marker = KEYS[4], #ARGV - 1, ARGV[#ARGV]
        local found = redis.call('HMGET', key, 'revision', 'edit', 'feedVersion')
        local exists = found[1]
        if not exists and isForeign(key) then return foreign end
        local kind, fits = 0, text(line) == expectedLine
        if expectation == 'absent' then
          if not identity and restored ~= '' then
            redis.call('SET', KEYS[3], restored)
            state = stateOf(nameIn(restored))
            if tonumber(restoredFloor) > tonumber(floor) then
              floor, floorLine = restoredFloor, text(line)
              redis.call('SET', KEYS[2], floor .. ' ' .. floorLine)
            end
            redis.call('SET', KEYS[1], state)
            kind, fits = 2, false
          end
          fits = fits and not exists and change == 'write' and tonumber(revision) > tonumber(floor)
        elseif expectation == 'current' then
          fits = fits and exists == oldRevision and found[2] == oldEdit
        elseif expectation == 'alive' then fits = fits and exists
        elseif expectation == 'expired' then fits = false
        end
        if feedExpected ~= '-' and exists and change ~= 'remove' then
          fits = fits and found[3] == feedExpected
        end
        if not fits then
          local record = false
          if exists then
            local values = redis.call('HMGET', key, 'record', 'feed')
            record = {exists, found[2], redis.call('PTTL', key), values[1], found[3], values[2]}
          end
          return {kind, state, floor, floorLine, record, marker}
        end

        local function delete()
          for start = 26, 25 + deleteCount, 1000 do
            local stop = math.min(start + 999, 25 + deleteCount)
            redis.call('HDEL', key, unpack(ARGV, start, stop))
          end
        end
        -- A server that is out of memory refuses no script that has deleted something.
        if frees == '1' then
          redis.call('HDEL', key, '-')
          delete()
        end
        if change == 'remove' then
          redis.call('DEL', key)
          redis.call('ZREM', KEYS[5], screen)
          redis.call('ZREM', KEYS[6], screen)
        elseif exists or change == 'write' then
          if not exists then redis.call('ZADD', KEYS[5], '0', screen) end
          local values = {}
          if change == 'write' then
            if due ~= '-' then redis.call('ZADD', KEYS[6], due, screen) end
            values = {'revision', revision, 'edit', edit, 'record', ARGV[24], 'weight', weight,
              'bytes', listed, 'feedVersion', found[3] or revision}
          end
          if feedExpected ~= '-' then
            for _, value in ipairs({'feedVersion', feedVersion, 'feed', ARGV[25]}) do
              values[#values + 1] = value
            end
          end
          if values[1] then redis.call('HSET', key, unpack(values)) end
          for start = 26 + deleteCount, last, 1000 do
            redis.call('HSET', key, unpack(ARGV, start, math.min(start + 999, last)))
          end
          if frees ~= '1' then delete() end
          if change == 'write' then
            if due == '-' then redis.call('ZREM', KEYS[6], screen) end
            if lifetime == '-' then redis.call('PERSIST', key)
            elseif lifetime ~= '=' then redis.call('EXPIRE', key, lifetime) end
          end
        end
        if raised ~= '-' then
          if tonumber(raised) > tonumber(floor) then floor = raised end
          redis.call('SET', KEYS[2], floor .. ' ' .. raisedLine)
        end
        if stored ~= state then redis.call('SET', KEYS[1], state) end
        if message ~= '' then redis.call('PUBLISH', channel, message .. ' ' .. state) end
        return {1, state, redis.call('PTTL', key), marker}
        """)

    /// Replaces the identity in the same line.
    ///
    /// KEYS: the line, the floor, the identity. ARGV: the state in the last reply, the identity, a
    /// marker. Returns the marker.
    static let identify = LuaScript(
        """
        \(state)
        redis.call('SET', KEYS[3], ARGV[2])
        redis.call('SET', KEYS[1], stateOf(nameIn(ARGV[2])))
        return ARGV[3]
        """)

    /// Performs a write that changes no screen.
    ///
    /// KEYS: a hash and a set of its own, which go also if the script fails in the middle. ARGV:
    /// the bytes, a channel to which no daemon subscribes, a marker. Returns the marker.
    static let probe = LuaScript(
        """
        redis.call('ZADD', KEYS[2], '0', 'probe')
        redis.call('EXPIRE', KEYS[2], '60')
        redis.call('HSET', KEYS[1], 'record', ARGV[1])
        redis.call('EXPIRE', KEYS[1], '60')
        redis.call('PUBLISH', ARGV[2], '')
        redis.call('DEL', KEYS[1], KEYS[2])
        return ARGV[3]
        """)

    /// Removes names from the index, and from the times at which screens are due, whose screens do
    /// not exist.
    ///
    /// KEYS: these two; a screen for each of ARGV, the names.
    static let prune = """
        for place, name in ipairs(ARGV) do
          if redis.call('EXISTS', KEYS[place + 2]) == 0 then
            redis.call('ZREM', KEYS[1], name)
            redis.call('ZREM', KEYS[2], name)
          end
        end
        """
}
