#!lua name=newsdedup_VERSION

-- The two steps that must be atomic: look and settle; adapters/redis/store.py words what goes in
-- and reads what comes out. All keys are declared and share one hash slot:
--   1 meta, 2 log, 3 outbox, 4 positions, 5 lessons, then records, directory and rows of each span,
--   then sets.
-- Whatever can be refused is refused before the first write, so nothing is ever half written.

-- Commits remembered for those who looked before them; who looked earlier looks again.
local REMEMBERED = 1024
-- Lessons that are kept, about: two generations of a busy stream.
local LESSONS = 65536
-- Arguments of one command: the stack has its bound.
local AT_ONCE = 1000
-- Members from which on a set is long.
local LONG = 16
-- Hits that make a candidate (core/matching/prefix.py); a sure key weighs as much.
local HITS = 2
-- Digits of the effective time that a record begins with.
local ORDER = 20

local STALE, DONE, DISTURBED, UNTOLD, ASLEEP = 0, 1, 2, 3, 4

-- The eras in which this server was woken, by the meta key of their namespaces: the one thing that
-- lives in no key, for a server that has lost writes does not know it. It sleeps unless its era is the
-- one that was written last: one that was master before, followed another and takes over again still
-- holds its former era. Of each release its own, or two on one server would wake it by turns.
local awake = {}
local WOKEN = 'newsdedup_VERSION_woken'
local function is_awake(key, woken) return woken and awake[key] == woken end

local function records_of(span) return 3 + 3 * span end
local function directory_of(span) return 4 + 3 * span end
local function rows_of(span) return 5 + 3 * span end

-- Return the members of sets that weigh enough together, and how many members the sets have.
-- Long sets are not read as a whole: which members of short ones stand in them, and what two of
-- them share, the server tells faster.
local function near(call, keys, first, weights)
  local hits, found, long, read = {}, {}, {}, 0
  local function hit(ordinal, weight)
    local before = hits[ordinal] or 0
    if before >= HITS then return end
    hits[ordinal] = before + weight
    if before + weight >= HITS then found[#found + 1] = ordinal end
  end

  for nth = 1, #weights do
    local key, weight = keys[first + nth - 1], weights[nth]
    local size = call('SCARD', key)
    read = read + size
    if size > LONG and weight < HITS then
      long[#long + 1] = key
    elseif size > 0 then
      for _, ordinal in ipairs(call('SMEMBERS', key)) do hit(ordinal, weight) end
    end
  end
  if #long == 0 then return found, read end

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
      for _, ordinal in ipairs(call('SINTER', key, long[other])) do hit(ordinal, HITS) end
    end
  end
  return found, read
end

-- Return the values of some fields of a hash, in their order; false where there is none.
local function values(call, key, fields)
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

-- Answer look-ups: for each one the numbers of the records it found; each record is told once, as
-- span, ordinal, bytes, and its row if the item itself was asked for; lastly, for each look-up, how
-- many postings stand in its sets.
local function found(call, keys, args)
  local asked = cmsgpack.unpack(args[2])
  local spans, told, number = asked.spans, {}, {}
  for span = 1, spans do number[span] = {} end

  local function tell(span, ordinal, record)
    told[#told + 1] = {span, ordinal, record}
    number[span][ordinal] = #told
    return #told
  end

  local function known(item)
    for span = spans, 1, -1 do
      local ordinal = call('HGET', keys[directory_of(span)], item)
      local record = ordinal and call('HGET', keys[records_of(span)], ordinal)
      if record then
        local nth = number[span][ordinal] or tell(span, ordinal, record)
        told[nth][4] = call('HGET', keys[rows_of(span)], ordinal) or ''
        return {nth}
      end
    end
    return {}
  end

  local function search(first, weights, since)
    local answer, read = {}, 0
    for span = 1, spans do
      local found, members = near(call, keys, first + (span - 1) * #weights, weights)
      read = read + members
      local unknown = {}
      for _, ordinal in ipairs(found) do
        if not number[span][ordinal] then unknown[#unknown + 1] = ordinal end
      end
      local records = values(call, keys[records_of(span)], unknown)
      for nth, ordinal in ipairs(unknown) do
        if records[nth] then tell(span, ordinal, records[nth]) end
      end
      for _, ordinal in ipairs(found) do
        local nth = number[span][ordinal]
        if nth and (since == '' or string.sub(told[nth][3], 1, ORDER) >= since) then
          answer[#answer + 1] = nth
        end
      end
    end
    return answer, read
  end

  local answers, reads = {}, {}
  for nth, one in ipairs(asked.looks) do
    if one.item then
      answers[nth], reads[nth] = known(args[one.item]), 0
    else
      answers[nth], reads[nth] = search(one.first, one.weights, one.since)
    end
  end
  return told, answers, reads
end

-- Answer look-ups, with the state in which they are answered.
local function look(keys, args)
  local call = redis.call
  local names = {'live', 'seq', 'tip', 'latest', 'mark', 'generation', 'born', 'era', WOKEN}
  local meta = call('HMGET', keys[1], unpack(names))
  if not is_awake(keys[1], meta[9]) then return {ASLEEP} end
  if (meta[1] or '') ~= args[1] then return {STALE, meta[1] or ''} end
  local told, answers, reads = found(call, keys, args)
  local _, seq, tip, latest, mark, generation, born, era = unpack(meta)
  return {DONE, seq, tip, latest, mark, generation, born, era, told, answers, reads}
end

-- Return the commits of others since a look, nil if they are not remembered; and this very commit,
-- if it was made already and only its answer was lost.
local function others(call, log, now, said)
  local seen = said.seen
  local count = now - seen.seq
  if count < 0 or count >= REMEMBERED then return nil end
  local mine, found = {}, {}
  for _, token in ipairs(said.own) do mine[token] = true end
  for nth, packed in ipairs(call('LRANGE', log, 0, count)) do
    local commit = cmsgpack.unpack(packed)
    if nth > count then
      -- The commit that the look saw last: another one if the server has lost some since.
      if commit.token ~= seen.tip then return nil end
    elseif commit.token == said.token then
      return found, commit
    elseif not mine[commit.token] then
      found[#found + 1] = commit
    end
  end
  return found
end

-- Return whether commits of others changed what was read.
local function disturbed(commits, reads)
  local changed, filed, filings = {}, {}, 0
  for _, commit in ipairs(commits) do
    for _, place in ipairs(commit.changed) do changed[place] = true end
    for _, filing in ipairs(commit.filed) do
      filings = filings + 1
      for _, address in ipairs(filing) do
        filed[address] = filed[address] or {}
        table.insert(filed[address], filings)
      end
    end
  end
  for _, place in ipairs(reads.places) do
    if changed[place] then return true end
  end
  for _, one in ipairs(reads.looks) do
    local hits = {}
    for nth = 1, #one, 2 do
      for _, filing in ipairs(filed[one[nth]] or {}) do
        hits[filing] = (hits[filing] or 0) + one[nth + 1]
        if hits[filing] >= HITS then return true end
      end
    end
  end
  return false
end

-- Return the answer to a commit that must not be made, or not again; nil if it may be made.
local function refusal(call, keys, args, said, meta)
  local seq, tip = tonumber(meta[2] or 0), meta[3] or ''
  if seq == said.seen.seq + #said.own and tip == said.tip then return nil end
  local commits, made = others(call, keys[2], seq, said)
  if made then return {DONE, made.seq, made.ordinals, made.sent} end
  if args[2] == '' then return {UNTOLD} end
  if not commits or disturbed(commits, cmsgpack.unpack(args[2])) then return {DISTURBED} end
  if (meta[1] or '') ~= said.live then return {STALE, meta[1] or ''} end
end

local function write_mark(call, keys, args, said, meta)
  if not meta[4] or tonumber(meta[4]) <= said.marked then
    call('HSET', keys[1], 'mark', args[3], 'marked', string.format('%.0f', said.marked))
  end
  if (meta[5] or '') < said.latest then call('HSET', keys[1], 'latest', said.latest) end
end

-- Return for each span when its keys expire: settled with its first write, by the server's clock,
-- which only frees memory; what is past is the stream's to say.
local function expiries(call, keys, said)
  local clock = call('TIME')
  local now = tonumber(clock[1]) * 1000 + math.floor(tonumber(clock[2]) / 1000)
  local at = {}
  for nth, span in ipairs(said.spans) do
    at[nth] = call('HGET', keys[1], 'expires:' .. span)
    -- A stream that stood still for so long has lost the span; what comes now must live.
    if not at[nth] or tonumber(at[nth]) <= now then
      at[nth] = string.format('%.0f', now + said.life)
      call('HSET', keys[1], 'expires:' .. span, at[nth])
    end
  end
  return at
end

local function drop(call, keys, said)
  for _, span in ipairs(said.dropped) do
    call('UNLINK', keys[span.first], keys[span.first + 1], keys[span.first + 2])
    call('HDEL', keys[1], 'expires:' .. span.name, 'next:' .. span.name)
  end
  if said.becomes ~= said.live then call('HSET', keys[1], 'live', said.becomes) end
end

-- Write one record where it belongs and take it from where it was; return its ordinal.
local function put(call, keys, args, said, one, expires)
  local span, ordinal = one.span, one.ordinal
  if one.was > 0 then
    call('HDEL', keys[records_of(one.was)], one.had)
    call('HDEL', keys[directory_of(one.was)], args[one.item])
    call('HDEL', keys[rows_of(one.was)], one.had)
  end
  for _, key in ipairs(one.unfile) do call('SREM', keys[key], one.had) end
  if ordinal == '' then
    ordinal = tostring(call('HINCRBY', keys[1], 'next:' .. said.spans[span], 1))
    call('HSET', keys[directory_of(span)], args[one.item], ordinal)
  end
  call('HSET', keys[records_of(span)], ordinal, args[one.record])
  if one.row > 0 then
    call('HSET', keys[rows_of(span)], ordinal, args[one.row])
  elseif one.row < 0 then
    call('HDEL', keys[rows_of(span)], ordinal)
  end
  for _, key in ipairs(one.file) do
    call('SADD', keys[key], ordinal)
    if call('SCARD', keys[key]) == 1 then call('PEXPIREAT', keys[key], expires[span]) end
  end
  return ordinal
end

-- Write events, lessons and positions; return the outbox numbers of the events.
local function tell(call, keys, args, said)
  local sent = {}
  for nth, event in ipairs(said.events) do
    sent[nth] = call('XADD', keys[3], '*', 'e', args[event[1]], 'r', args[event[2]])
  end
  for _, lesson in ipairs(said.lessons) do
    local number = call('HINCRBY', keys[1], 'taught', 1)
    call('XADD', keys[5], 'MAXLEN', '~', LESSONS, number .. '-1', 'l', args[lesson])
  end
  for name, position in pairs(said.positions) do call('HSET', keys[4], name, position) end
  return sent
end

-- Remember a commit for those who looked before it.
local function log(call, keys, said, commit)
  commit.token, commit.filed = said.token, said.filed
  call('LPUSH', keys[2], cmsgpack.pack(commit))
  call('LTRIM', keys[2], 0, REMEMBERED - 1)
end

-- Store what a batch decided, unless what it read has changed since.
local function settle(keys, args)
  local call = redis.call
  local said = cmsgpack.unpack(args[1])
  local meta = call('HMGET', keys[1], 'live', 'seq', 'tip', 'marked', 'latest', 'era', WOKEN)
  -- What was read in another era may have been lost since.
  if not is_awake(keys[1], meta[7]) or meta[6] ~= said.era then return {DISTURBED} end
  local refused = refusal(call, keys, args, said, meta)
  if refused then return refused end
  local seq = tostring(call('HINCRBY', keys[1], 'seq', 1))
  call('HSET', keys[1], 'tip', said.token)
  write_mark(call, keys, args, said, meta)
  drop(call, keys, said)
  local expires = expiries(call, keys, said)
  local ordinals, changed = {}, {}
  for nth, one in ipairs(said.puts) do
    ordinals[nth] = put(call, keys, args, said, one, expires)
    changed[#changed + 1] = said.spans[one.span] .. ':' .. ordinals[nth]
    if one.was > 0 then changed[#changed + 1] = said.spans[one.was] .. ':' .. one.had end
  end
  for nth, at in ipairs(expires) do
    for key = records_of(nth), rows_of(nth) do call('PEXPIREAT', keys[key], at) end
  end
  local sent = tell(call, keys, args, said)
  log(call, keys, said, {seq = seq, changed = changed, ordinals = ordinals, sent = sent})
  return {DONE, seq, ordinals, sent}
end

-- Let a new era begin unless one has, and with it a new generation beyond `after`, that of the era which
-- the worker has seen last: what the server has lost, if anything, may have been published, and will be
-- judged again under revisions that were not used. An era is the time from one awakening to the next; its
-- name is kept with the state.
local function begin(keys, args)
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

redis.register_function{function_name = 'newsdedup_VERSION_begin', callback = begin}
redis.register_function{function_name = 'newsdedup_VERSION_look', callback = look, flags = {'no-writes'}}
redis.register_function{function_name = 'newsdedup_VERSION_settle', callback = settle}
