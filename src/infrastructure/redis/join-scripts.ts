import { plainScript, storeScript } from './redis-script.js';

/** Raised with every change of what keys mean, so that two versions never read each other's wrongly. */
export const STORE_SCHEMA = 2;

/** A store that no instance has used for so long may be taken over by another version, or with another key. */
const ABANDONED_MS = 15_000;
const STORE_LIFE_MS = 24 * 60 * 60 * 1000;

/**
 * KEYS: the store's record. ARGV: a name for a new store, our schema, what proves our key, our version, the store we
 * knew before (or nothing). A store that replaces one which some instance knew is marked: what it does not hold may
 * have been lost rather than never there.
 */
export const JOIN = plainScript(`
local now = milliseconds()
local known = redis.call('HMGET', KEYS[1], 'id', 'schema', 'proof', 'version', 'replaced', 'used')
local id, replaced = known[1], known[5]
if id and (known[2] ~= ARGV[2] or known[3] ~= ARGV[3]) then
  if now - tonumber(known[6] or now) < ${ABANDONED_MS} then
    return known[2] ~= ARGV[2] and {'schema', known[2], known[4]} or {'key'}
  end
  id = false
  replaced = string.format('%.0f', now)
  redis.call('HSET', KEYS[1], 'replaced', replaced)
end
if not id then
  id = ARGV[1]
  redis.call('HSET', KEYS[1], 'id', id, 'schema', ARGV[2], 'proof', ARGV[3])
end
redis.call('HSET', KEYS[1], 'version', ARGV[4])
if ARGV[5] ~= '' and ARGV[5] ~= id and not replaced then
  redis.call('HSET', KEYS[1], 'replaced', string.format('%.0f', now))
end
redis.call('HSET', KEYS[1], 'used', string.format('%.0f', now))
redis.call('PEXPIRE', KEYS[1], ${STORE_LIFE_MS})
return {'joined', id}
`);

/**
 * KEYS: the store, this instance, all instances. ARGV: the store's name, milliseconds to live, what to tell of the
 * instance, its name. Answers with the time, then name and facts of each instance that is alive.
 */
export const BEAT = storeScript(`
local now = milliseconds()
local answer = {string.format('%.0f', now)}
redis.call('SET', KEYS[2], 1, 'PX', ARGV[2])
redis.call('HSET', KEYS[3], ARGV[4], string.format('%.0f ', now + ARGV[2]) .. ARGV[3])
redis.call('PEXPIRE', KEYS[3], ARGV[2])
local told = redis.call('HGETALL', KEYS[3])
for i = 1, #told, 2 do
  local till, facts = string.match(told[i + 1], '^(%d+) (.*)$')
  if tonumber(till) < now then redis.call('HDEL', KEYS[3], told[i])
  else
    answer[#answer + 1] = told[i]
    answer[#answer + 1] = facts
  end
end
redis.call('HSET', KEYS[1], 'used', answer[1])
redis.call('PEXPIRE', KEYS[1], ${STORE_LIFE_MS})
return answer
`);
