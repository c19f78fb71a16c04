
-- A namespace over several masters (docs/decisions/0014). Home checks and numbers a commit and stores for
-- each shard the part that is pending there. A shard holds records; it applies pending parts in order,
-- once, and keeps an undo log of its latest ones for a home that has lost its own.
-- Keys of home: 1 to 5 as above, then the pending commits of each shard. Keys of a shard: 1 meta, 2 undo,
-- 3 to 5 meta again, so that spans begin at the same number.
-- Stored field names (t, b, w, x, n, s, a; puts, was, had...) are read by later releases.

-- As `FunctionStatus` in calls.py.
local FOREIGN, GAP, UNKNOWN, LOST = 5, 6, 7, 8

local function pending_of(shard) return 6 + shard end

-- Return the meta data of home, then for each shard the number and token of its latest commit.
local function home_state(keys, args)
  local names = {'live', 'seq', 'tip', 'latest', 'mark', 'generation', 'born', 'era'}
  for shard = 0, tonumber(args[1]) - 1 do names[#names + 1] = 'touched:' .. shard end
  names[#names + 1] = WOKEN
  local meta = redis.call('HMGET', keys[1], unpack(names))
  if not is_awake(keys[1], table.remove(meta)) then return {ASLEEP} end
  return {DONE, unpack(meta)}
end

-- Split a stored number and token of a commit.
local function split_touched(value) return string.match(value or '0 ', '^(%d+) (.*)$') end

-- Assign ordinals to the records of a commit; return them, and all slots that it changes.
local function assign_ordinals(call, keys, header)
  local ordinals, changed = {}, {}
  for nth, one in ipairs(header.puts) do
    local span = header.spans[one.span]
    ordinals[nth] = one.ordinal
    if one.ordinal == '' then
      ordinals[nth] = tostring(call('HINCRBY', keys[1], 'next:' .. span, 1))
    end
    changed[#changed + 1] = span .. ':' .. ordinals[nth]
    if one.was > 0 then changed[#changed + 1] = header.spans[one.was] .. ':' .. one.had end
  end
  return ordinals, changed
end

-- Store the part of a commit for one shard. Return its stamp: what only home knows (number, ordinals,
-- expiry) and the commit before it.
local function store_part(call, keys, args, header, part, seq, at, ordinals)
  local name = 'touched:' .. part.shard
  local was, before = split_touched(call('HGET', keys[1], name))
  local mine = {}
  for nth, put in ipairs(part.puts) do mine[nth] = ordinals[put] end
  local stamp = cmsgpack.pack{
    seq = seq, token = header.token, was = was, before = before, ordinals = mine, expires = at,
  }
  -- Parts that the shard has applied and that are older than the log are deleted.
  local floor = math.max(0, math.min(part.applied, tonumber(seq) - REMEMBERED))
  call(
    'XADD', keys[pending_of(part.shard)], 'MINID', '~', string.format('%.0f-1', floor), seq .. '-1',
    't', header.token, 'b', before, 'w', was, 'x', stamp,
    'n', args[part.names], 's', args[part.header], 'a', args[part.arguments]
  )
  call('HSET', keys[1], name, seq .. ' ' .. header.token)
  return stamp
end

-- Return the stamps of a commit that was made before, '' for a part that is no longer stored.
local function stamps_of(call, keys, header, seq)
  local stamps = {}
  for nth, part in ipairs(header.parts) do
    local found = call('XRANGE', keys[pending_of(part.shard)], seq .. '-1', seq .. '-1')[1]
    stamps[nth] = found and found[2][8] or ''
  end
  return stamps
end

-- Make a commit, unless it is refused; the shards have still to apply it.
local function commit_home(keys, args)
  local call = redis.call
  local header, refused, seq, live = begin_commit(call, keys, args)
  if refused then
    if refused[1] == DONE then refused[5] = stamps_of(call, keys, header, refused[2]) end
    return refused
  end
  for _, span in ipairs(header.dropped) do
    call('HDEL', keys[1], 'expires:' .. span, 'next:' .. span)
  end
  local at = {}
  for nth, expires in ipairs(expiries(call, keys, header, live)) do at[header.spans[nth]] = expires end
  local ordinals, changed = assign_ordinals(call, keys, header)
  local stamps = {}
  for nth, part in ipairs(header.parts) do
    stamps[nth] = store_part(call, keys, args, header, part, seq, at, ordinals)
  end
  local sent = write_streams(call, keys, args, header)
  log(call, keys, header, {seq = seq, changed = changed, ordinals = ordinals, sent = sent})
  return {DONE, seq, ordinals, sent, stamps}
end

-- Return the pending parts of a shard after its latest commit (args 2 and 3: number and token); UNKNOWN if
-- home never made that commit, LOST if parts after it are deleted.
local function pending(keys, args)
  local call, applied, tip = redis.call, tonumber(args[2]), args[3]
  local meta = call('HMGET', keys[1], 'era', 'touched:' .. args[1], WOKEN)
  if not is_awake(keys[1], meta[3]) or meta[1] ~= args[4] then return {ASLEEP} end
  local last, token = split_touched(meta[2])
  if token == tip then return {DONE, {}} end
  local entries = call('XRANGE', keys[2], args[2] .. '-1', '+', 'COUNT', args[5])
  local first = entries[1]
  if first and first[1] == args[2] .. '-1' then
    if first[2][2] ~= tip then return {UNKNOWN} end
    table.remove(entries, 1)
    return {DONE, entries}
  end
  if first and first[2][4] == tip then return {DONE, entries} end
  local oldest = call('XRANGE', keys[2], '-', '+', 'COUNT', 1)[1]
  local known = oldest and tonumber(oldest[2][6]) or tonumber(last)
  if applied < known then return {LOST} end
  return {UNKNOWN}
end

-- Run look-ups in a shard; return its era, whether it is unsure, its latest commit, and the answers.
local function look_shard(keys, args)
  local meta = redis.call('HMGET', keys[1], 'era', 'unsure', 'applied')
  local found, answers, reads = run_lookups(redis.call, keys, args)
  return {DONE, meta[1] or '', meta[2] or '', meta[3] or '0', found, answers, reads}
end

-- Return a function like redis.call that appends to `undo` how to revert each write. New ordinals come
-- from home: HINCRBY returns the next of `ordinals`.
local function with_undo(call, ordinals, undo)
  local given = 0
  local function undo_of(key, field)
    local before = call('HGET', key, field)
    if before then return {'HSET', key, field, before, call('PEXPIRETIME', key)} end
    return {'HDEL', key, field}
  end
  return function(command, key, ...)
    local member = ...
    if command == 'HINCRBY' then
      given = given + 1
      return ordinals[given]
    elseif command == 'HSET' or command == 'HDEL' then
      undo[#undo + 1] = undo_of(key, member)
    elseif command == 'SREM' then
      local at = call('PEXPIRETIME', key)
      local removed = call('SREM', key, member)
      if removed == 1 then undo[#undo + 1] = {'SADD', key, member, '', at} end
      return removed
    elseif command == 'SADD' then
      local added = call('SADD', key, member)
      if added == 1 then undo[#undo + 1] = {'SREM', key, member} end
      return added
    end
    return call(command, key, ...)
  end
end

-- Apply the part of a commit, in order and once; the last argument is the era.
local function apply(keys, args)
  local call = redis.call
  local meta = call('HMGET', keys[1], 'era', 'unsure', 'applied', 'tip')
  if meta[1] ~= args[#args] or meta[2] then return {FOREIGN} end
  local header, stamp = cmsgpack.unpack(args[1]), cmsgpack.unpack(args[2])
  if tonumber(meta[3] or 0) >= tonumber(stamp.seq) then return {DONE} end
  if (meta[4] or '') ~= stamp.before then return {GAP} end
  local refused = missing_right(keys[1])
  if refused then return refused end
  drop_spans(call, keys, header)
  local expires, fresh, undo = {}, {}, {}
  for nth, span in ipairs(header.spans) do expires[nth] = stamp.expires[span] end
  for nth, one in ipairs(header.puts) do
    if one.ordinal == '' then fresh[#fresh + 1] = stamp.ordinals[nth] end
  end
  local writing = with_undo(call, fresh, undo)
  for _, one in ipairs(header.puts) do write_record(writing, keys, args, header, one, expires) end
  for nth, at in ipairs(expires) do
    for key = records_of(nth), rows_of(nth) do call('PEXPIREAT', keys[key], at) end
  end
  call('HSET', keys[1], 'applied', stamp.seq, 'tip', stamp.token)
  call('LPUSH', keys[2], cmsgpack.pack{stamp.token, stamp.was, stamp.before, undo})
  call('LTRIM', keys[2], 0, REMEMBERED - 1)
  return {DONE}
end

-- Let a shard join an era. It applies nothing until `confirm`, as it may hold commits that home has lost.
-- Return its latest commit and, while it is unsure, the keys that rolling that one back changes.
-- The shard remembers the era: a former home that takes over again learns here of later ones.
local function join_era(keys, args)
  local call = redis.call
  local meta = call('HMGET', keys[1], 'era', 'generation', 'applied', 'tip', 'unsure')
  local unsure = meta[5] or ''
  if meta[1] ~= args[1] then
    if meta[2] and tonumber(meta[2]) >= tonumber(args[2]) then return {FOREIGN, meta[2]} end
    call('HSET', keys[1], 'era', args[1], 'generation', args[2], 'unsure', '1')
    unsure = '1'
  end
  local names, seen = {}, {}
  local last = unsure ~= '' and call('LINDEX', keys[2], 0)
  for _, step in ipairs(last and cmsgpack.unpack(last)[4] or {}) do
    if not seen[step[2]] then names[#names + 1] = step[2] end
    seen[step[2]] = true
  end
  return {DONE, meta[3] or '0', meta[4] or '', unsure, names}
end

-- Roll back the latest commit, which home does not know. Spans that it dropped stay dropped: they have left
-- the window by the time of the stream.
local function roll_back(keys, args)
  local call = redis.call
  local meta = call('HMGET', keys[1], 'era', 'unsure', 'tip')
  if meta[1] ~= args[1] or not meta[2] or meta[3] ~= args[2] then return {FOREIGN} end
  local last = call('LINDEX', keys[2], 0)
  local token, was, before, undo = unpack(last and cmsgpack.unpack(last) or {})
  if token ~= args[2] then return {LOST} end
  for nth = #undo, 1, -1 do
    local command, key, member, value, at = unpack(undo[nth])
    if command == 'HSET' then call('HSET', key, member, value) else call(command, key, member) end
    if at and at > 0 then call('PEXPIREAT', key, string.format('%.0f', at)) end
  end
  call('LPOP', keys[2])
  call('HSET', keys[1], 'applied', was, 'tip', before)
  return {DONE}
end

-- Let a shard apply commits again: home knows all that it holds.
local function confirm(keys, args)
  local meta = redis.call('HMGET', keys[1], 'era', 'tip')
  if meta[1] ~= args[1] or (meta[2] or '') ~= args[2] then return {FOREIGN} end
  redis.call('HDEL', keys[1], 'unsure')
  return {DONE}
end

redis.register_function{function_name = 'newsdedup_VERSION_commit_home', callback = commit_home}
redis.register_function{function_name = 'newsdedup_VERSION_apply', callback = apply}
redis.register_function{function_name = 'newsdedup_VERSION_join_era', callback = join_era}
redis.register_function{function_name = 'newsdedup_VERSION_roll_back', callback = roll_back}
redis.register_function{function_name = 'newsdedup_VERSION_confirm', callback = confirm}
local READ_ONLY = {'no-writes'}
redis.register_function{function_name = 'newsdedup_VERSION_home_state', callback = home_state, flags = READ_ONLY}
redis.register_function{function_name = 'newsdedup_VERSION_pending', callback = pending, flags = READ_ONLY}
redis.register_function{function_name = 'newsdedup_VERSION_look_shard', callback = look_shard, flags = READ_ONLY}
