
-- A namespace over several masters (docs/decisions/0014). Home decides: it takes a commit or refuses
-- it, numbers it and keeps what each shard is owed. Shards hold the documents: each one applies what
-- it is owed in order, once, and keeps how to take its latest commits back, for a home that has lost
-- its own end. Keys of home: 1 to 5 as above, then for each shard the commits it is owed. Keys of a
-- shard: 1 meta, 2 undo, 3 to 5 meta again, so that spans begin where they do above.

local FOREIGN, GAP, UNKNOWN, LOST = 5, 6, 7, 8

local function owed_of(shard) return 6 + shard end

-- The name of home's era is kept in the shards, too: one that has followed a later era tells a home that
-- took over again and has lost that it ever slept.

-- Return where the namespace stands: its meta data, then for each shard the commit that touched it last.
local function word(keys, args)
  local names = {'live', 'seq', 'tip', 'latest', 'mark', 'generation', 'born', 'era'}
  for shard = 0, tonumber(args[1]) - 1 do names[#names + 1] = 'touched:' .. shard end
  names[#names + 1] = WOKEN
  local meta = redis.call('HMGET', keys[1], unpack(names))
  if not is_awake(keys[1], table.remove(meta)) then return {ASLEEP} end
  return {DONE, unpack(meta)}
end

-- Return the number and the token of a commit as meta data hold them.
local function touched(value) return string.match(value or '0 ', '^(%d+) (.*)$') end

-- Give the records of a commit their numbers; return them, and all places that it changes.
local function numbered(call, keys, said)
  local ordinals, changed = {}, {}
  for nth, one in ipairs(said.puts) do
    local span = said.spans[one.span]
    ordinals[nth] = one.ordinal
    if one.ordinal == '' then
      ordinals[nth] = tostring(call('HINCRBY', keys[1], 'next:' .. span, 1))
    end
    changed[#changed + 1] = span .. ':' .. ordinals[nth]
    if one.was > 0 then changed[#changed + 1] = said.spans[one.was] .. ':' .. one.had end
  end
  return ordinals, changed
end

-- Keep what a commit means for one shard; return the stamp by which the shard will know it.
local function owe(call, keys, args, said, part, seq, at, ordinals)
  local name = 'touched:' .. part.shard
  local was, before = touched(call('HGET', keys[1], name))
  local mine = {}
  for nth, put in ipairs(part.puts) do mine[nth] = ordinals[put] end
  local stamp = cmsgpack.pack{
    seq = seq, token = said.token, was = was, before = before, ordinals = mine, expires = at,
  }
  -- What the shard has and home can hardly lose any more is let go.
  local floor = math.max(0, math.min(part.applied, tonumber(seq) - REMEMBERED))
  call(
    'XADD', keys[owed_of(part.shard)], 'MINID', '~', string.format('%.0f-1', floor), seq .. '-1',
    't', said.token, 'b', before, 'w', was, 'x', stamp,
    'n', args[part.names], 's', args[part.said], 'a', args[part.arguments]
  )
  call('HSET', keys[1], name, seq .. ' ' .. said.token)
  return stamp
end

-- Return the stamps of a commit that was made before, empty where its shard needs it no more.
local function stamps_of(call, keys, said, seq)
  local stamps = {}
  for nth, part in ipairs(said.parts) do
    local found = call('XRANGE', keys[owed_of(part.shard)], seq .. '-1', seq .. '-1')[1]
    stamps[nth] = found and found[2][8] or ''
  end
  return stamps
end

-- Take what a batch decided, unless what it read has changed since; the shards get it from here.
local function promise(keys, args)
  local call = redis.call
  local said = cmsgpack.unpack(args[1])
  local meta = call('HMGET', keys[1], 'live', 'seq', 'tip', 'marked', 'latest', 'era', WOKEN)
  -- What was read in another era may have been taken back since.
  if not is_awake(keys[1], meta[7]) or meta[6] ~= said.era then return {DISTURBED} end
  local refused = refusal(call, keys, args, said, meta)
  if refused then
    if refused[1] == DONE then refused[5] = stamps_of(call, keys, said, refused[2]) end
    return refused
  end
  local seq = tostring(call('HINCRBY', keys[1], 'seq', 1))
  call('HSET', keys[1], 'tip', said.token)
  write_mark(call, keys, args, said, meta)
  for _, span in ipairs(said.dropped) do
    call('HDEL', keys[1], 'expires:' .. span, 'next:' .. span)
  end
  if said.becomes ~= said.live then call('HSET', keys[1], 'live', said.becomes) end
  local at = {}
  for nth, expires in ipairs(expiries(call, keys, said)) do at[said.spans[nth]] = expires end
  local ordinals, changed = numbered(call, keys, said)
  local stamps = {}
  for nth, part in ipairs(said.parts) do
    stamps[nth] = owe(call, keys, args, said, part, seq, at, ordinals)
  end
  local sent = tell(call, keys, args, said)
  log(call, keys, said, {seq = seq, changed = changed, ordinals = ordinals, sent = sent})
  return {DONE, seq, ordinals, sent, stamps}
end

-- Return what a shard is owed after a commit that it names; UNKNOWN if home never made that one, LOST
-- if it is longer ago than home remembers.
local function owed(keys, args)
  local call, applied, tip = redis.call, tonumber(args[2]), args[3]
  local meta = call('HMGET', keys[1], 'era', 'touched:' .. args[1], WOKEN)
  if not is_awake(keys[1], meta[3]) or meta[1] ~= args[4] then return {ASLEEP} end
  local last, token = touched(meta[2])
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

-- Answer look-ups in a shard, with the era and the commit in which they are answered.
local function read(keys, args)
  local meta = redis.call('HMGET', keys[1], 'era', 'unsure', 'applied')
  local told, answers, reads = found(redis.call, keys, args)
  return {DONE, meta[1] or '', meta[2] or '', meta[3] or '0', told, answers, reads}
end

-- Return a call that writes down how to undo what it does. Numbers of new records come from home.
local function journaled(call, ordinals, undo)
  local given = 0
  local function value_was(key, field)
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
      undo[#undo + 1] = value_was(key, member)
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

-- Write what a commit means for this shard, in order and once; the last argument is the era.
local function apply(keys, args)
  local call = redis.call
  local meta = call('HMGET', keys[1], 'era', 'unsure', 'applied', 'tip')
  if meta[1] ~= args[#args] or meta[2] then return {FOREIGN} end
  local said, stamp = cmsgpack.unpack(args[1]), cmsgpack.unpack(args[2])
  if tonumber(meta[3] or 0) >= tonumber(stamp.seq) then return {DONE} end
  if (meta[4] or '') ~= stamp.before then return {GAP} end
  drop(call, keys, said)
  local expires, fresh, undo = {}, {}, {}
  for nth, span in ipairs(said.spans) do expires[nth] = stamp.expires[span] end
  for nth, one in ipairs(said.puts) do
    if one.ordinal == '' then fresh[#fresh + 1] = stamp.ordinals[nth] end
  end
  local writing = journaled(call, fresh, undo)
  for _, one in ipairs(said.puts) do put(writing, keys, args, said, one, expires) end
  for nth, at in ipairs(expires) do
    for key = records_of(nth), rows_of(nth) do call('PEXPIREAT', keys[key], at) end
  end
  call('HSET', keys[1], 'applied', stamp.seq, 'tip', stamp.token)
  call('LPUSH', keys[2], cmsgpack.pack{stamp.token, stamp.was, stamp.before, undo})
  call('LTRIM', keys[2], 0, REMEMBERED - 1)
  return {DONE}
end

-- Let a shard follow an era. Until it is confirmed it takes nothing: it may know commits that home has
-- lost. Return where it stands and, while unsure, the keys that undoing its latest commit changes.
local function enlist(keys, args)
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

-- Take the latest commit back, which home does not know. Spans that it dropped stay dropped: they were
-- past by the stream's own time.
local function retract(keys, args)
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

-- Let a shard take commits again, for home knows all that it holds.
local function confirm(keys, args)
  local meta = redis.call('HMGET', keys[1], 'era', 'tip')
  if meta[1] ~= args[1] or (meta[2] or '') ~= args[2] then return {FOREIGN} end
  redis.call('HDEL', keys[1], 'unsure')
  return {DONE}
end

redis.register_function{function_name = 'newsdedup_VERSION_word', callback = word, flags = {'no-writes'}}
redis.register_function{function_name = 'newsdedup_VERSION_promise', callback = promise}
redis.register_function{function_name = 'newsdedup_VERSION_owed', callback = owed, flags = {'no-writes'}}
redis.register_function{function_name = 'newsdedup_VERSION_read', callback = read, flags = {'no-writes'}}
redis.register_function{function_name = 'newsdedup_VERSION_apply', callback = apply}
redis.register_function{function_name = 'newsdedup_VERSION_enlist', callback = enlist}
redis.register_function{function_name = 'newsdedup_VERSION_retract', callback = retract}
redis.register_function{function_name = 'newsdedup_VERSION_confirm', callback = confirm}
