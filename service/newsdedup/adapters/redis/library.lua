#!lua name=newsdedup_VERSION

-- The atomic steps of a namespace: look and commit. adapters/redis/commit_encoding.py and codec.py
-- encode the arguments. All keys are declared and share one hash slot: 1 meta, 2 log, 3 outbox,
-- 4 positions, 5 observations, then records, directory and rows of each span, then sets.
-- All checks come before the first write: a function writes everything or nothing.

-- Commits kept in the log: a worker whose look-up is older must look again.
local REMEMBERED = 1024
-- Approximate length of the log of observations: two generations of a busy stream.
local OBSERVATIONS = 65536
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
-- How long, in milliseconds, partition clocks are kept after the latest one was stored.
local CLOCKS_LIFE = 86400000

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

-- Return the ordinals with the given tag in each of some sets, with a value, those behind `sure` tags apart
-- from the others, and how many postings were read.
local function find_tagged(call, keys, first, tags, value, sure)
  local found, near, read = {}, {}, 0
  for nth, tag in ipairs(tags) do
    local into, postings = nth <= sure and found or near, call('SMEMBERS', keys[first + nth - 1])
    read = read + #postings
    for _, posting in ipairs(postings) do
      if posting % TAGS == tag then into[string.format('%d', (posting - tag) / TAGS)] = value end
    end
  end
  return found, near, read
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
-- much more is asked each time that twice as many came, and what a near key is worth then. The record may
-- have been a second nearer.
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
      local sums, near, postings = find_tagged(call, keys, begin + #weights, tags, enough, sure)
      local candidates, members = find(call, keys, begin, weights, sums, least, near, enough)
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

-- Return the commits of other workers since a look-up, nil if the log does not reach back so far; and this
-- commit itself, if it was made before and only the answer was lost.
local function commits_since(call, log, now, header)
  local seen = header.seen
  local count = now - seen.seq
  if count < 0 or count >= REMEMBERED then return nil end
  local mine, others = {}, {}
  for _, token in ipairs(header.own) do mine[token] = true end
  for nth, packed in ipairs(call('LRANGE', log, 0, count)) do
    local commit = cmsgpack.unpack(packed)
    if nth > count then
      -- The latest commit that the look-up saw; if it differs, the server has lost some.
      if commit.token ~= seen.tip then return nil end
    elseif commit.token == header.token then
      return others, commit
    elseif not mine[commit.token] then
      others[#others + 1] = commit
    end
  end
  return others
end

-- Return whether commits changed a record that was read, or filed one that a look-up would have found.
local function conflict(commits, reads)
  local changed, filed, filings = {}, {}, 0
  for _, commit in ipairs(commits) do
    for _, slot in ipairs(commit.changed) do changed[slot] = true end
    for _, filing in ipairs(commit.filed) do
      filings = filings + 1
      for _, address in ipairs(filing) do
        filed[address] = filed[address] or {}
        table.insert(filed[address], filings)
      end
    end
  end
  for _, slot in ipairs(reads.slots) do
    if changed[slot] then return true end
  end
  for _, one in ipairs(reads.looks) do
    local hits = {}
    for nth = 2, #one, 2 do
      for _, filing in ipairs(filed[one[nth]] or {}) do
        hits[filing] = (hits[filing] or 0) + one[nth + 1]
        if hits[filing] >= one[1] then return true end
      end
    end
  end
  return false
end

-- Return the answer to a commit that is refused or was made before; nil if it may be made now.
local function check(call, keys, args, header, meta)
  local seq, tip = tonumber(meta[2] or 0), meta[3] or ''
  if seq == header.seen.seq + #header.own and tip == header.tip then return nil end
  local commits, made = commits_since(call, keys[2], seq, header)
  if made then return {DONE, made.seq, made.ordinals, made.sent} end
  if args[2] == '' then return {READS_NEEDED} end
  if not commits or conflict(commits, cmsgpack.unpack(args[2])) then return {DISTURBED} end
  if (meta[1] or '') ~= header.live then return {STALE, meta[1] or ''} end
end

local function write_watermark(call, keys, args, header, meta)
  if not meta[4] or tonumber(meta[4]) <= header.marked then
    call('HSET', keys[1], 'mark', args[3], 'marked', string.format('%.0f', header.marked))
  end
  if (meta[5] or '') < header.latest then call('HSET', keys[1], 'latest', header.latest) end
end

-- Return for each span when its keys expire by the server's clock, and store which spans are live. This
-- only frees memory; the time of the stream decides what has left the window.
local function expiries(call, keys, header, stored)
  local clock = call('TIME')
  local now = tonumber(clock[1]) * 1000 + math.floor(tonumber(clock[2]) / 1000)
  local at, live = {}, {}
  for nth, span in ipairs(header.spans) do
    local reached = now + header.ahead[nth]
    at[nth] = call('HGET', keys[1], 'expires:' .. span)
    -- Fixed by the first write, but the stream may have stood still since, or an earlier release may have
    -- counted a span ahead of it from then on; what is written now must live.
    if not at[nth] or tonumber(at[nth]) < reached + header.least then
      at[nth] = string.format('%.0f', reached + header.life)
      call('HSET', keys[1], 'expires:' .. span, at[nth])
    end
  end
  -- The stream may need years to leave a span behind whose keys have expired.
  for span in string.gmatch(header.becomes, '[^,]+') do
    local expires = call('HGET', keys[1], 'expires:' .. span)
    if not expires or tonumber(expires) > now then live[#live + 1] = span end
  end
  live = table.concat(live, ',')
  if live ~= (stored or '') then call('HSET', keys[1], 'live', live) end
  return at
end

-- Delete the records of dropped spans.
local function drop_spans(call, keys, header)
  for _, span in ipairs(header.dropped) do
    call('UNLINK', keys[span.first], keys[span.first + 1], keys[span.first + 2])
    call('HDEL', keys[1], 'expires:' .. span.name, 'next:' .. span.name)
  end
end

-- Return the posting of a record by a sure key with this tag.
local function tagged(ordinal, tag) return string.format('%d', ordinal * TAGS + tag) end

-- Write one record, deleting it from its old slot if it moves; return its ordinal.
local function write_record(call, keys, args, header, one, expires)
  local span, ordinal = one.span, one.ordinal
  if one.was > 0 then
    call('HDEL', keys[records_of(one.was)], one.had)
    call('HDEL', keys[directory_of(one.was)], args[one.item])
    call('HDEL', keys[rows_of(one.was)], one.had)
  end
  for _, key in ipairs(one.unfile) do call('SREM', keys[key], one.had) end
  for _, posting in ipairs(one.untag or {}) do call('SREM', keys[posting[1]], tagged(one.had, posting[2])) end
  if ordinal == '' then
    ordinal = tostring(call('HINCRBY', keys[1], 'next:' .. header.spans[span], 1))
    call('HSET', keys[directory_of(span)], args[one.item], ordinal)
  end
  call('HSET', keys[records_of(span)], ordinal, args[one.record])
  if one.row > 0 then
    call('HSET', keys[rows_of(span)], ordinal, args[one.row])
  elseif one.row < 0 then
    call('HDEL', keys[rows_of(span)], ordinal)
  end
  local function file(key, posting)
    call('SADD', keys[key], posting)
    if call('SCARD', keys[key]) == 1 then call('PEXPIREAT', keys[key], expires[span]) end
  end
  for _, key in ipairs(one.file) do file(key, ordinal) end
  for _, posting in ipairs(one.tag or {}) do file(posting[1], tagged(ordinal, posting[2])) end
  return ordinal
end

-- Write events, observations and positions; return the outbox numbers of the events.
local function write_streams(call, keys, args, header)
  local sent = {}
  for nth, event in ipairs(header.events) do
    sent[nth] = call('XADD', keys[3], '*', 'e', args[event[1]], 'r', args[event[2]])
  end
  for _, observation in ipairs(header.lessons) do
    local number = call('HINCRBY', keys[1], 'taught', 1)
    call('XADD', keys[5], 'MAXLEN', '~', OBSERVATIONS, number .. '-1', 'l', args[observation])
  end
  for name, position in pairs(header.positions) do
    -- A worker that stood still may finish a batch that others have judged meanwhile, and more.
    if position > tonumber(call('HGET', keys[4], name) or 0) then
      call('HSET', keys[4], name, position)
    end
  end
  return sent
end

-- Append a commit to the log, for the check of later ones.
local function log(call, keys, header, commit)
  commit.token, commit.filed = header.token, header.filed
  call('LPUSH', keys[2], cmsgpack.pack(commit))
  call('LTRIM', keys[2], 0, REMEMBERED - 1)
end

-- Make a commit, unless something that it read has changed since.
local function make_commit(keys, args)
  local call = redis.call
  local header = cmsgpack.unpack(args[1])
  local meta = call('HMGET', keys[1], 'live', 'seq', 'tip', 'marked', 'latest', 'era', WOKEN)
  -- What was read in another era may be lost.
  if not is_awake(keys[1], meta[7]) or meta[6] ~= header.era then return {DISTURBED} end
  local refused = check(call, keys, args, header, meta)
  if refused then return refused end
  local seq = tostring(call('HINCRBY', keys[1], 'seq', 1))
  call('HSET', keys[1], 'tip', header.token)
  write_watermark(call, keys, args, header, meta)
  drop_spans(call, keys, header)
  local expires = expiries(call, keys, header, meta[1])
  local ordinals, changed = {}, {}
  for nth, one in ipairs(header.puts) do
    ordinals[nth] = write_record(call, keys, args, header, one, expires)
    changed[#changed + 1] = header.spans[one.span] .. ':' .. ordinals[nth]
    if one.was > 0 then changed[#changed + 1] = header.spans[one.was] .. ':' .. one.had end
  end
  for nth, at in ipairs(expires) do
    for key = records_of(nth), rows_of(nth) do call('PEXPIREAT', keys[key], at) end
  end
  local sent = write_streams(call, keys, args, header)
  log(call, keys, header, {seq = seq, changed = changed, ordinals = ordinals, sent = sent})
  return {DONE, seq, ordinals, sent}
end

-- Begin a new era, unless another worker has, with a generation beyond `after`, the latest that the
-- caller has seen: revisions that the server may have lost must not be used again. args: the name of the
-- new era, then generation and name of the era that the caller has seen last.
local function begin_era(keys, args)
  local meta = redis.call('HMGET', keys[1], WOKEN, 'generation', 'seq', 'era')
  local number, after, seen = tonumber(meta[2] or 0), tonumber(args[2]), args[3]
  local is_new = number > after or number == after and meta[4] == seen
  if is_awake(keys[1], meta[1]) and is_new then return {DONE} end
  if meta[3] then number = number + 1 end
  number = math.max(number, after + 1)
  redis.call('HSET', keys[1], 'era', args[1], WOKEN, args[1], 'generation', number)
  awake[keys[1]] = args[1]
  return {DONE}
end

-- Store how far some partitions are and return the clocks of all, with the time in milliseconds.
-- keys: the hash of partition clocks. args: field and value of each, in turns.
local function exchange_clocks(keys, args)
  local now = redis.call('TIME')
  local ms = now[1] * 1000 + math.floor(now[2] / 1000)
  for nth = 1, #args, 2 do
    redis.call('HSET', keys[1], args[nth], string.format('%d', ms) .. ':' .. args[nth + 1])
  end
  if #args > 0 then redis.call('PEXPIREAT', keys[1], string.format('%d', ms + CLOCKS_LIFE)) end
  return {string.format('%d', ms), redis.call('HGETALL', keys[1])}
end

redis.register_function{function_name = 'newsdedup_VERSION_exchange_clocks', callback = exchange_clocks}
redis.register_function{function_name = 'newsdedup_VERSION_begin_era', callback = begin_era}
redis.register_function{function_name = 'newsdedup_VERSION_look', callback = look, flags = {'no-writes'}}
redis.register_function{function_name = 'newsdedup_VERSION_commit', callback = make_commit}
