local key, index, floorKey = KEYS[1], KEYS[2], KEYS[3]
local expected, action, lifetime, name = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local channel, most, totals = ARGV[5], tonumber(ARGV[6]), ARGV[7]
local marker = ARGV[#ARGV]

local current = redis.call('HGET', key, 'revision')
if (current or '-') ~= expected then return {0, current or '-', marker} end
local puts = action == 'put' or action == 'replace'
if not current and not puts then return {0, '-', marker} end
if not current and KEYS[4] and redis.call('EXISTS', KEYS[4]) == 0 then
  return {3, '-', marker}
end
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
    pages[number] = known
  end
  return known
end
local function change(number)
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
  for place = action == 'put' and 8 or 9, #ARGV - 4, 4 do
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
    replace(own, length, #bytes, tonumber(ARGV[place + 2]), tonumber(ARGV[place + 3]))
    own[5], own[6], own[7], own[8] = #bytes, ARGV[place + 2], ARGV[place + 3], revision
    latest, stored[number] = number, length == 0
    set(field, value)
  end
end
if action == 'page' or action == 'replace' then
  local named, all, above, isCut = {}, numbers(), nil, false
  for number in string.gmatch(ARGV[8], '%d+') do named[number] = true end
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
      replace(page(number), length, 0, 0, 0)
      if above then change(above)[1] = revision else isCut = true end
      gone[#gone + 1] = number
    end
  end
  if isCut and not highest then trees = revision end
  if count == 0 then posted, sections, items = 0, 0, 0 end
  if action == 'replace' or gone[1] == latest then latest = highest or '0' end
end
if next(stored) and size > most then return {2, text(size), marker} end
if not current then redis.call('ZADD', index, '0', name) end
local function delete()
  for _, number in ipairs(gone) do
    redis.call('HDEL', key, 'p:' .. number, 'c:' .. number)
  end
end
-- A removal alone frees memory, so that the server has no reason to refuse it.
if not next(stored) then delete() end
if action == 'pages' then
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

if lifetime == '-' then redis.call('PERSIST', key)
elseif lifetime ~= '=' then redis.call('EXPIRE', key, lifetime) end
local left = redis.call('PTTL', key)
if left >= 0 then raise(revision) end
redis.call('PUBLISH', channel, name .. ' ' .. revision)
return {1, revision, left, marker}
