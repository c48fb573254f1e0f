import { createHash } from 'node:crypto';

/** One decision, made inside Redis as one step. */
export interface RedisScript {
  readonly lua: string;
  readonly sha: string;
}

/** What a script answers where Redis is not the store that this instance joined: emptied, or another one. */
export const STALE = 'STALE';

const MILLISECONDS = `
local function milliseconds()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
`;

/**
 * A script that only decides in the store this instance has joined: KEYS[1] is the store's own record and ARGV[1]
 * its name. A Redis that restarted empty so answers nothing at all, until somebody has joined it anew.
 */
export function storeScript(body: string): RedisScript {
  return plainScript(`
if redis.call('HGET', KEYS[1], 'id') ~= ARGV[1] then return redis.error_reply('${STALE}') end
${body}`);
}

export function plainScript(body: string): RedisScript {
  const lua = MILLISECONDS + body;
  return { lua, sha: createHash('sha1').update(lua).digest('hex') };
}
