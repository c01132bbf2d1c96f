/// The Lua scripts that the server runs atomically.
///
/// A screen is one hash with these fields:
///
/// - `revision`; `latest`, the page written last; `bytes`, the size of the values of its pages;
///   `highest`, the highest page, or `-`;
/// - `sizes`: the number of pages, the number of their posted bytes, the numbers of their sections
///   and items, or `-` for each of these two (``ScreenSize``), and the name of the screen;
/// - `trees`: the lower bound of the revisions of its trees (``TreeHistory/floor``) and the name of
///   the screen;
/// - `p:<number>` for each page: its revision, the name of the screen, the number, a colon, and the
///   bytes;
/// - `c:<number>` for each page: ``TreeHistory/Page/removalBelow``,
///   ``TreeHistory/Page/nextChange``, the name of the screen, the number, the number of posted
///   bytes, the numbers of sections and items, or `-` for each, and the revision of the page.
///
/// The names and numbers in the values show to which screen and page a reply belongs. Earlier
/// versions wrote less: no `sizes`, and `c:` for some pages only and without what follows the
/// number; or also no `trees`, `highest` and `c:`, and pages as revision, colon, and bytes. These
/// are read, and are replaced when they are next written.
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
    /// KEYS: the screen, the index, the floor, the state and the records of the history, the sizes
    /// of histories, the feed, the line, and, if the store is known to have an identity, the
    /// identity. ARGV: the expected revision (`-` for none); `put`, `replace`, `page` (remove one),
    /// `pages` (remove all) or `screen`; the seconds to live (`-` for unlimited, `=` for
    /// unchanged); the name of the screen; the channel; the maximum size of a screen; the sections
    /// and items after the write, separated by a blank, or `-`; the arguments of the history
    /// (``RedisHistory``); the events of the feed (``RedisFeed/packed(_:_:)``); of `page` the
    /// number to remove, and of `replace` the numbers to keep, separated by blanks; for each page
    /// to store its number, bytes, sections and items (`-` if not known); the number of the commit
    /// (``WriteNumber``); a marker (``RedisMarker``). Returns
    /// `{1, revision, PTTL after the write, line, number of dropped events, marker}`, or, if
    /// nothing was changed, another first element (``RedisCommit/Reply/Kind``) and the current
    /// revision, the one that was assigned before, or the bytes in place of the revision. Publishes
    /// the name and the lowest possible revision of the screen on the channel, before any client
    /// receives its reply.
    ///
    /// The rules of the history are those of ``TreeHistory``, and those of sizes are
    /// ``ScreenSize/replace(_:with:)``.
    ///
    /// The cost does not depend on the other pages, but for `page` and `replace`, which read the
    /// names of the fields, and for the first write to a screen of an earlier version.
    ///
    /// Lua numbers are doubles, exact up to 2^53 writes.
    static let commit = """
        local key, index, floorKey = KEYS[1], KEYS[2], KEYS[3]
        local expected, action, lifetime, name = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
        local channel, limit, totals = ARGV[5], tonumber(ARGV[6]), ARGV[7]
        local number, marker = ARGV[#ARGV - 1], ARGV[#ARGV]
        local keeps = ARGV[8] ~= '-'
        \(RedisLine.read)
        \(RedisLine.begin)

        if action == 'screen' then
          redis.call('ZREM', index, name)
          redis.call('DEL', key, KEYS[4], KEYS[5], KEYS[7])
          if keeps then redis.call('HDEL', KEYS[6], name) end
          raise(tonumber(current) + gap)
          redis.call('PUBLISH', channel, name .. ' ' .. after(current))
          return reply(1, current, -2)
        end

        local revision = after((current or floor) + gap)
        local latest = redis.call('HGET', key, 'latest') or '0'
        local size = tonumber(redis.call('HGET', key, 'bytes') or '0')
        local trees, highest = redis.call('HGET', key, 'trees'), redis.call('HGET', key, 'highest')
        local sizes = redis.call('HGET', key, 'sizes')

        -- The numbers of the stored pages, and the highest one.
        local function numbers()
          local found, highest = {}, nil
          for _, field in ipairs(redis.call('HKEYS', key)) do
            local number = tonumber(string.match(field, '^p:(%d+)$') or '-1')
            if number >= 0 then
              found[#found + 1] = number
              highest = math.max(highest or 0, number)
            end
          end
          return found, highest and text(highest)
        end
        if trees then trees = string.match(trees, '^%d+')
        else
          -- Written by a version without histories, or new.
          local _, last = numbers()
          trees, highest = current or '0', last
        end
        if highest == '-' then highest = nil end

        local count, posted, sections, items =
          string.match(sizes or '', '^(%d+) (%d+) (%S+) (%S+) ')
        if count then
          count, posted, sections, items =
            tonumber(count), tonumber(posted), tonumber(sections), tonumber(items)
        elseif current then
          -- Written by a version without sizes: the bytes of the values are a bit more.
          count, posted = #numbers(), size
          if count == 0 then sections, items = 0, 0 end
        else
          count, posted, sections, items = 0, 0, 0, 0
        end

        local was = {latest, count, posted, sections or '-', items or '-', trees}
        -- The pages as they are before the write, as far as it changes them.
        local former, formerBytes = {}, 0

        -- The changes and the size of a page, as they will be written.
        local pages, changed = {}, {}
        local function page(number)
          local known = pages[number]
          if not known then
            known = {}
            for word in string.gmatch(redis.call('HGET', key, 'c:' .. number) or '', '%S+') do
              known[#known + 1] = word
            end
            known[1], known[2], known[3], known[4] = known[1] or '0', known[2] or '0', name, number
            known.was = {known[1], known[2], known[5], known[6] or '-', known[7] or '-', known[8]}
            pages[number] = known
          end
          return known
        end
        -- Notes a page before its first change, and its value if that is replaced or removed.
        local function note(number, isReplaced)
          if not keeps or not current then return end
          local entry, was = former[number], page(number).was
          if not entry then
            entry = {number = number, exists = redis.call('HSTRLEN', key, 'p:' .. number) > 0}
            former[number], former[#former + 1] = entry, entry
          end
          if not entry.exists or not (isReplaced or not was[6]) or entry.value then return end
          local value = redis.call('HGET', key, 'p:' .. number)
          was[6] = string.match(value, '^%d+')
          if not isReplaced then return end
          entry.value = value
          was[3] = was[3] or text(#value - string.find(value, ':', 1, true))
          formerBytes = formerBytes + tonumber(was[3])
        end
        local function change(number)
          note(number)
          if not changed[number] then
            changed[number] = true
            changed[#changed + 1] = number
          end
          return page(number)
        end
        -- Replaces the size of a page, whose value has `length` bytes, by another size.
        local function replace(former, length, bytes, newSections, newItems)
          if length > 0 then posted = posted - (tonumber(former[5]) or length) end
          posted = math.max(0, posted) + bytes
          if sections and newSections then
            sections = math.max(0, sections - (tonumber(former[6]) or 0)) + newSections
            items = math.max(0, items - (tonumber(former[7]) or 0)) + newItems
          else
            sections, items = nil, nil
          end
        end

        local values = {'revision', revision}
        local function set(field, value)
          values[#values + 1] = field
          values[#values + 1] = value
        end
        -- The numbers of the pages to store, true for new ones, and of the pages to remove.
        local stored, gone = {}, {}
        if puts then
          for place = action == 'put' and 15 or 16, #ARGV - 5, 4 do
            local number, bytes = ARGV[place], ARGV[place + 1]
            local field = 'p:' .. number
            local value = revision .. ' ' .. name .. ' ' .. number .. ':' .. bytes
            local length = redis.call('HSTRLEN', key, field)
            size = size - length + #value
            if length == 0 then
              count = count + 1
              local isHighest = not highest or tonumber(number) > tonumber(highest)
              if highest and isHighest then change(highest)[2] = revision end
              if isHighest then highest = number end
            end
            local own = change(number)
            note(number, true)
            replace(own, length, #bytes, tonumber(ARGV[place + 2]), tonumber(ARGV[place + 3]))
            own[5], own[6], own[7], own[8] = #bytes, ARGV[place + 2], ARGV[place + 3], revision
            latest, stored[number] = number, length == 0
            set(field, value)
          end
        end
        if action == 'page' or action == 'replace' then
          local named, all, above, isCut = {}, numbers(), nil, false
          for number in string.gmatch(ARGV[15], '%d+') do named[number] = true end
          for number, isNew in pairs(stored) do
            if isNew then all[#all + 1] = tonumber(number) end
          end
          table.sort(all)
          highest = nil
          for place = #all, 1, -1 do
            local number = text(all[place])
            local isNamed = named[number] or false
            if stored[number] ~= nil or isNamed == (action == 'replace') then
              if isCut and not highest then change(number)[2] = revision end
              highest, above = highest or number, number
            else
              local length = redis.call('HSTRLEN', key, 'p:' .. number)
              size, count = size - length, count - 1
              note(number, true)
              replace(page(number), length, 0, 0, 0)
              if above then change(above)[1] = revision else isCut = true end
              gone[#gone + 1] = number
            end
          end
          if isCut and not highest then trees = revision end
          if count == 0 then posted, sections, items = 0, 0, 0 end
          if action == 'replace' or gone[1] == latest then latest = highest or '0' end
        end
        if next(stored) and size > limit then return reply(2, text(size)) end
        if not current then redis.call('ZADD', index, '0', name) end
        local function delete()
          for _, number in ipairs(gone) do
            redis.call('HDEL', key, 'p:' .. number, 'c:' .. number)
          end
        end
        -- A removal alone frees memory, so that the server has no reason to refuse it.
        if not next(stored) then delete() end
        -- The bytes of earlier pages that are kept beside those of the current ones.
        local most = math.min(tonumber(ARGV[12]) or 0,
          math.max(action == 'pages' and 0 or posted, 262144))
        if action == 'pages' then
          for _, number in ipairs(keeps and numbers() or {}) do
            gone[#gone + 1] = text(number)
            if was[3] <= most then note(text(number), true) end
          end
          if was[3] > most then formerBytes = was[3] end
          if highest then trees = revision end
          latest, size, highest = '0', 0, nil
          count, posted, sections, items = 0, 0, 0, 0
          local left = redis.call('PTTL', key)
          redis.call('DEL', key)
          redis.call('HSET', key, 'revision', revision)
          if left >= 0 then redis.call('PEXPIRE', key, math.max(left, 1)) end
        end
        for _, number in ipairs(changed) do
          set('c:' .. number, table.concat(pages[number], ' '))
        end
        local counts = totals
        if counts == '-' then
          counts = sections and text(sections) .. ' ' .. text(items) or '- -'
        end
        set('latest', latest)
        set('bytes', text(size))
        set('highest', highest or '-')
        set('sizes', text(count) .. ' ' .. text(posted) .. ' ' .. counts .. ' ' .. name)
        set('trees', trees .. ' ' .. name)
        for start = 1, #values, 1000 do
          redis.call('HSET', key, unpack(values, start, math.min(start + 999, #values)))
        end
        if next(stored) then delete() end
        \(RedisHistory.commit)
        \(RedisFeed.append)
        if not current then redis.call('DEL', KEYS[7]) end
        if ARGV[14] ~= '-' then dropped = appendEvents(KEYS[7], ARGV[14]) end
        if lifetime == '-' then redis.call('PERSIST', key)
        elseif lifetime ~= '=' then redis.call('EXPIRE', key, lifetime) end
        local left = redis.call('PTTL', key)
        raise(left >= 0 and revision or 0)
        \(RedisLine.record)
        expireHistory(left)
        expireFeed(KEYS[7], left)
        redis.call('PUBLISH', channel, name .. ' ' .. revision)
        return reply(1, revision, left)
        """

    /// Gives a server an identity, unless it has one, and raises the floor.
    ///
    /// KEYS: the identity, the floor, its line, and the index. ARGV: the identity, the floor, the
    /// channel, and the message that the store has begun. Returns the floor.
    static let start = """
        \(RedisLine.read)
        local stored = redis.call('GET', KEYS[2])
        local floor = stored or '0'
        if redis.call('SET', KEYS[1], ARGV[1], 'NX') then
          local isRaised = (tonumber(floor) or 0) < tonumber(ARGV[2])
          if isRaised then
            floor = ARGV[2]
            redis.call('SET', KEYS[2], floor)
          end
          -- Otherwise the floor and the screens are those of another line.
          if digits and (isRaised or not stored and redis.call('EXISTS', KEYS[4]) == 0) then
            redis.call('SET', KEYS[3], digits .. ' 0')
          end
          redis.call('PUBLISH', ARGV[3], ARGV[4])
        end
        return floor
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
        redis.call('DEL', KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7], KEYS[8])
        return reply
        """

    /// Reads fields of a screen.
    ///
    /// KEYS: the screen. ARGV: for each part of the reply `=` and a field for its value, `#` and a
    /// field for the length of its value, or `*` for the names of all fields; a marker
    /// (``RedisMarker``). Returns `{revision or null, parts, PTTL, marker}`.
    static let fields = """
        local parts = {}
        for place = 1, #ARGV - 1 do
          local kind, field = string.sub(ARGV[place], 1, 1), string.sub(ARGV[place], 2)
          if kind == '=' then parts[place] = redis.call('HGET', KEYS[1], field)
          elseif kind == '#' then parts[place] = redis.call('HSTRLEN', KEYS[1], field)
          else parts[place] = redis.call('HKEYS', KEYS[1]) end
        end
        return {redis.call('HGET', KEYS[1], 'revision'), parts, redis.call('PTTL', KEYS[1]),
          ARGV[#ARGV]}
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

    /// Removes names from the index, and from the times at which screens are due, whose screens do
    /// not exist.
    ///
    /// KEYS: these two, then a screen for each of ARGV, the names. Returns the number of removed
    /// names.
    static let prune = """
        local gone = 0
        for place, name in ipairs(ARGV) do
          if redis.call('EXISTS', KEYS[place + 2]) == 0 then
            redis.call('ZREM', KEYS[1], name)
            redis.call('ZREM', KEYS[2], name)
            gone = gone + 1
          end
        end
        return gone
        """
}
