import { Result } from '../../domain/result.js';
import { mapped, type Shape, text } from './yaml-shape.js';

/** An address of one server. What a message says never repeats it: it may hold a password. */
export function parseRedisAddress(value: string): Result<string> {
  if (/^rediss?:\/\/./.test(value) && URL.canParse(value)) return Result.ok(value);
  const kind = /sentinel|cluster/i.exec(value.split('//', 1)[0] ?? '')?.[0];
  const why =
    kind === undefined ? '' : ` Addresses of a ${kind === 'cluster' ? 'Cluster' : 'Sentinel'} are not taken.`;
  return Result.failure(
    `must be an address of one server such as redis://127.0.0.1:6379 or rediss://127.0.0.1:6379.${why}`,
    'RedisAddress',
  );
}

export const redisAddress: Shape<string> = mapped(text, (value, at, reading) => {
  const parsed = parseRedisAddress(value);
  return parsed.success ? parsed.value : reading.report(at, `redis.url ${parsed.error}`);
});
