
-- Commits: all checks come before the first write, so a function writes everything or nothing.

-- Commits kept in the log: a worker whose look-up is older must look again.
local REMEMBERED = 1024
-- Approximate length of the log of observations: two generations of a busy stream.
local OBSERVATIONS = 65536
-- How long, in milliseconds, partition clocks are kept after the latest one was stored.
local CLOCKS_LIFE = 86400000

-- What commits write with. A user whose right to one of these is missing is refused before the first write:
-- what an error leaves half written is taken for a commit by those that follow.
local WRITES = {
  'HSET', 'HDEL', 'HINCRBY', 'SADD', 'SREM', 'UNLINK', 'XADD', 'LPUSH', 'LTRIM', 'PEXPIREAT', 'PEXPIRETIME', 'TIME',
}

-- Return an error if the user lacks the right to a command of a commit; else nil.
local function missing_right(key)
  for _, command in ipairs(WRITES) do
    if not redis.acl_check_cmd(command, key) then
      return redis.error_reply("NOPERM this user has no permissions to run the '" .. command:lower() .. "' command")
    end
  end
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
    -- A new set has no expiry, and one of a span that lives anew an earlier one.
    if call('PEXPIRETIME', keys[key]) < tonumber(expires[span]) then
      call('PEXPIREAT', keys[key], expires[span])
    end
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

-- Begin a commit, unless something that it read has changed since. Return its header; then what refuses it, or
-- nil, its number, and which version is live.
local function begin_commit(call, keys, args)
  local header = cmsgpack.unpack(args[1])
  local meta = call('HMGET', keys[1], 'live', 'seq', 'tip', 'marked', 'latest', 'era', WOKEN)
  -- What was read in another era may be lost or rolled back.
  if not is_awake(keys[1], meta[7]) or meta[6] ~= header.era then return header, {DISTURBED} end
  local refused = check(call, keys, args, header, meta) or missing_right(keys[1])
  if refused then return header, refused end
  local seq = tostring(call('HINCRBY', keys[1], 'seq', 1))
  call('HSET', keys[1], 'tip', header.token)
  write_watermark(call, keys, args, header, meta)
  return header, nil, seq, meta[1]
end

-- Make a commit, unless it is refused.
local function make_commit(keys, args)
  local call = redis.call
  local header, refused, seq, live = begin_commit(call, keys, args)
  if refused then return refused end
  drop_spans(call, keys, header)
  local expires = expiries(call, keys, header, live)
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
redis.register_function{function_name = 'newsdedup_VERSION_commit', callback = make_commit}
