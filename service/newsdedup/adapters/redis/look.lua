#!lua name=newsdedup_VERSION

-- The atomic steps of a namespace: looking things up here, committing in commits.lua. Modules codec.py and
-- commit_encoding.py encode the arguments. All keys are declared and share one hash slot: 1 meta, 2 log,
-- 3 outbox, 4 positions, 5 observations, then records, directory and rows of each span, then sets.

-- Most arguments of one command: the Lua stack is bounded.
local AT_ONCE = 1000
-- A set with more members is long.
local LONG = 16
-- Weight that makes a candidate (core/matching/index_keys.py); a sure key alone has it.
local HITS = 2
-- A record begins with so many characters: the seconds of its effective time in digits, then a stamp of
-- letters, which any other state of the record lacks. Earlier releases wrote digits alone.
local FRONT = 20
local SECONDS = 14
local DIGITS = '^%d*$'
-- A posting by a sure key is the ordinal times this, plus the tag of the key (TAGS of keys.py).
local TAGS = 256

-- As `FunctionStatus` in calls.py.
local STALE, DONE, DISTURBED, READS_NEEDED, ASLEEP = 0, 1, 2, 3, 4

-- By meta key the era in which this server was woken. It is in no key, as a server that has lost writes
-- does not know that: after a restart the table is empty, and a former master that takes over again
-- has an older era here than the stored one. Of each release its own field, or two releases on one
-- server would wake it in turns.
local awake = {}
local WOKEN = 'newsdedup_VERSION_woken'
local function is_awake(key, woken) return woken and awake[key] == woken end

local function records_of(span) return 3 + 3 * span end
local function directory_of(span) return 4 + 3 * span end
local function rows_of(span) return 5 + 3 * span end

-- Return a function that calls as `call` does and one that returns the ordinals of a set that have a tag, with
-- `read`, the number of its postings. Both read each set once: a batch may have many copies of one text.
local function reading_once(call)
  local sets, tagged = {}, {}
  local function reading(command, key, ...)
    if command ~= 'SMEMBERS' then return call(command, key, ...) end
    local members = sets[key] or call(command, key)
    sets[key] = members
    return members
  end
  local function ordinals_of(key, tag)
    local name = tag .. key
    if tagged[name] then return tagged[name] end
    local postings = reading('SMEMBERS', key)
    local ordinals = {read = #postings}
    for _, posting in ipairs(postings) do
      if posting % TAGS == tag then
        ordinals[#ordinals + 1] = string.format('%d', (posting - tag) / TAGS)
      end
    end
    tagged[name] = ordinals
    return ordinals
  end
  return reading, ordinals_of
end

-- Return the ordinals with the given tag in each of some sets, with a value, those behind `sure` tags apart
-- from the others, and how many postings were read.
local function find_tagged(ordinals_of, keys, first, tags, value, sure)
  local found, near, read = {}, {}, 0
  for nth, tag in ipairs(tags) do
    local into, ordinals = nth <= sure and found or near, ordinals_of(keys[first + nth - 1], tag)
    read = read + ordinals.read
    for at = 1, #ordinals do into[ordinals[at]] = value end
  end
  return found, near, read
end

-- Return the sums of the ordinals found by sure and by near keys, and that none was found by a near key which
-- decides alone: of a span whose latest record is far from the entry that is looked up none does.
local function weigh_far(found, near, worth)
  for ordinal in pairs(near) do found[ordinal] = found[ordinal] or worth end
  return found, {}
end

-- Return the members of some sets whose weights sum up to HITS, with those of `hits`, and how many postings
-- were read. Long sets are not read whole: they are only asked for members of the short ones, and
-- intersected.
local function find_twice(call, keys, first, weights, hits)
  local candidates, long, read = {}, {}, 0
  for ordinal in pairs(hits) do candidates[#candidates + 1] = ordinal end
  local function hit(ordinal, weight)
    local before = hits[ordinal] or 0
    if before >= HITS then return end
    hits[ordinal] = before + weight
    if before + weight >= HITS then candidates[#candidates + 1] = ordinal end
  end

  for nth = 1, #weights do
    local key, weight = keys[first + nth - 1], weights[nth]
    local size = call('SCARD', key)
    if size > LONG and weight < HITS then
      long[#long + 1] = key
    elseif size > 0 then
      read = read + size
      for _, ordinal in ipairs(call('SMEMBERS', key)) do hit(ordinal, weight) end
    end
  end
  if #long == 0 then return candidates, read end

  local once = {}
  for ordinal, weight in pairs(hits) do
    if weight < HITS then once[#once + 1] = ordinal end
  end
  for nth, key in ipairs(long) do
    for from = 1, #once, AT_ONCE do
      local last = math.min(from + AT_ONCE - 1, #once)
      for at, stands in ipairs(call('SMISMEMBER', key, unpack(once, from, last))) do
        if stands == 1 then hit(once[from + at - 1], HITS) end
      end
    end
    for other = nth + 1, #long do
      local both = call('SINTER', key, long[other])
      read = read + #both
      for _, ordinal in ipairs(both) do hit(ordinal, HITS) end
    end
  end
  return candidates, read
end

-- Add the weight of a set to the sums of those of the ordinals in `open` that it has, maybe to other sums too;
-- return how many postings were read. A set that is no longer than `open` is read: that takes less than asking.
local function add_weight(call, set, sums, open)
  local key, weight = set.key, set.weight
  if set.size <= #open then
    local members = call('SMEMBERS', key)
    for nth = 1, #members do
      local sum = sums[members[nth]]
      if sum then sums[members[nth]] = sum + weight end
    end
    return #members
  end
  for from = 1, #open, AT_ONCE do
    local last = math.min(from + AT_ONCE - 1, #open)
    local stands = call('SMISMEMBER', key, unpack(open, from, last))
    for nth = 1, #stands do
      local ordinal = open[from + nth - 1]
      if stands[nth] == 1 then sums[ordinal] = sums[ordinal] + weight end
    end
  end
  return 0
end

-- Return the members of some sets whose weights sum up to `least` with what is in `sums`, and those in `near`;
-- and how many postings were read. The longest sets, as many as weigh less than that together, only add to the
-- sums: a member of them alone is no candidate (MaxScore, Turtle and Flood 1995). Records whose sums cannot
-- suffice any more are left out before each. A sum is complete unless it was `enough` before.
local function find_worth(call, keys, first, weights, sums, least, near, enough)
  local sets, rest, unread, read = {}, 0, 0, 0
  for nth, weight in ipairs(weights) do
    local size = call('SCARD', keys[first + nth - 1])
    if size > 0 then sets[#sets + 1] = {key = keys[first + nth - 1], weight = weight, size = size} end
  end
  table.sort(sets, function(one, other) return one.size > other.size end)
  while unread < #sets and rest + sets[unread + 1].weight < least do
    unread = unread + 1
    rest = rest + sets[unread].weight
  end
  for nth = unread + 1, #sets do
    local members, weight = call('SMEMBERS', sets[nth].key), sets[nth].weight
    read = read + #members
    for at = 1, #members do
      local ordinal = members[at]
      sums[ordinal] = (sums[ordinal] or 0) + weight
    end
  end
  for ordinal in pairs(near) do sums[ordinal] = sums[ordinal] or 0 end
  local candidates, open = {}, {}
  for ordinal, sum in pairs(sums) do
    if sum >= enough then
      candidates[#candidates + 1] = ordinal
    elseif sum + rest >= least or near[ordinal] then
      open[#open + 1] = ordinal
    end
  end
  for nth = unread, 1, -1 do
    read = read + add_weight(call, sets[nth], sums, open)
    rest = rest - sets[nth].weight
    local still = {}
    for at = 1, #open do
      local ordinal = open[at]
      if sums[ordinal] + rest >= least or near[ordinal] then still[#still + 1] = ordinal end
    end
    open = still
  end
  for _, ordinal in ipairs(open) do candidates[#candidates + 1] = ordinal end
  return candidates, read
end

-- Return whether a record may be a candidate by its front and a sum, which more is asked of the more items
-- came between: `far` has the second of the entry that is looked up, in how many seconds few items come, how
-- much more is asked each time that twice as many came, what a near key is worth then, and for each span the
-- least sum of its latest record. The record may have been a second nearer.
local function is_candidate(front, sum, shares_near, least, far)
  local apart = math.abs(tonumber(string.sub(front, 1, SECONDS)) - far.second) - 1
  local reach = far.few
  if shares_near then
    if apart < reach then return true end
    sum = sum + far.pair
  end
  while apart >= reach do least, reach = least + far.more, reach * 2 end
  return sum >= least
end

-- Return the values of some fields of a hash, false for a missing one.
local function read_fields(call, key, fields)
  if #fields == 0 then return {} end
  if #fields <= AT_ONCE then return call('HMGET', key, unpack(fields)) end
  local all = {}
  for first = 1, #fields, AT_ONCE do
    local last = math.min(first + AT_ONCE - 1, #fields)
    for _, value in ipairs(call('HMGET', key, unpack(fields, first, last))) do
      all[#all + 1] = value
    end
  end
  return all
end

-- Run look-ups. Return the records that they found, each once, as span, ordinal, length and front: the caller
-- may have it, and fetches it if not. One without a stamp, or of an item that was looked up, comes as span,
-- ordinal, bytes and, of such an item, row. Return for each look-up the numbers of its records, and how many
-- postings were read.
local function run_lookups(call, keys, args)
  local request = cmsgpack.unpack(args[2])
  local spans, found, fronts, number = request.spans, {}, {}, {}
  local reading, ordinals_of = reading_once(call)
  for span = 1, spans do fronts[span], number[span] = {}, {} end

  local function add(span, ordinal, record)
    local nth, front = #found + 1, string.sub(record, 1, FRONT)
    local stamped = not string.find(front, DIGITS)
    found[nth] = stamped and {span, ordinal, #record, front} or {span, ordinal, record}
    fronts[span][ordinal], number[span][ordinal] = front, nth
    return nth
  end

  local function find_item(item)
    for span = spans, 1, -1 do
      local ordinal = call('HGET', keys[directory_of(span)], item)
      local record = ordinal and call('HGET', keys[records_of(span)], ordinal)
      if record then
        local nth = number[span][ordinal] or add(span, ordinal, record)
        found[nth] = {span, ordinal, record, call('HGET', keys[rows_of(span)], ordinal) or ''}
        return {nth}
      end
    end
    return {}
  end

  local function search(one)
    local answer, read = {}, 0
    local weights, least, tags, since, far = one.weights, one.least, one.tags, one.since, one.far
    local find = least == HITS and find_twice or find_worth
    local enough, sure = far and math.huge or least, far and far.sure or #tags
    for span = 1, spans do
      local begin = one.first + (span - 1) * (#weights + #tags)
      local sums, near, postings = find_tagged(ordinals_of, keys, begin + #weights, tags, enough, sure)
      local floor = far and far.floors[span] or least
      if floor > least then sums, near = weigh_far(sums, near, far.pair) end
      local candidates, members = find(reading, keys, begin, weights, sums, floor, near, enough)
      read = read + postings + members
      local function fits(ordinal, front)
        return front >= since and (not far or is_candidate(front, sums[ordinal], near[ordinal], least, far))
      end

      local unknown = {}
      for _, ordinal in ipairs(candidates) do
        local front, nth = fronts[span][ordinal], number[span][ordinal]
        if not front or fits(ordinal, front) then
          if nth then answer[#answer + 1] = nth else unknown[#unknown + 1] = ordinal end
        end
      end
      local records = read_fields(call, keys[records_of(span)], unknown)
      for nth, ordinal in ipairs(unknown) do
        local record = records[nth]
        if record then
          local front = string.sub(record, 1, FRONT)
          fronts[span][ordinal] = front
          if fits(ordinal, front) then answer[#answer + 1] = add(span, ordinal, record) end
        end
      end
    end
    return answer, read
  end

  local answers, reads = {}, {}
  for nth, one in ipairs(request.looks) do
    if one.item then
      answers[nth], reads[nth] = find_item(args[one.item]), 0
    else
      answers[nth], reads[nth] = search(one)
    end
  end
  return found, answers, reads
end

-- Run look-ups; return the version of the state that they have seen, and the answers.
local function look(keys, args)
  local call = redis.call
  local names = {'live', 'seq', 'tip', 'latest', 'mark', 'generation', 'born', 'era', WOKEN}
  local meta = call('HMGET', keys[1], unpack(names))
  if not is_awake(keys[1], meta[9]) then return {ASLEEP} end
  if (meta[1] or '') ~= args[1] then return {STALE, meta[1] or ''} end
  local found, answers, reads = run_lookups(call, keys, args)
  local _, seq, tip, latest, mark, generation, born, era = unpack(meta)
  return {DONE, seq, tip, latest, mark, generation, born, era, found, answers, reads}
end

redis.register_function{function_name = 'newsdedup_VERSION_look', callback = look, flags = {'no-writes'}}
