import type { Container, ContainerModule } from 'inversify';
import type { CastellanOptions } from '../configuration/castellan-options.js';
import type { Configuration } from '../configuration/configuration.js';
import { ConfigurationError } from '../configuration/configuration-error.js';

/**
 * What puts shared state into Redis, where the settings name one: a chunk of its own, which others do not load.
 * `parent`: the server whose connection a server of another folder uses.
 */
export async function sharedModule(
  configuration: Configuration,
  options: CastellanOptions,
  parent?: Container,
): Promise<ContainerModule | undefined> {
  const { url } = configuration.settings.redis;
  if (url === undefined) return undefined;
  checkRedisUrl(url);
  const { redisModule, redisPlace } = await import('./redis.module.js');
  return redisModule(await redisPlace(configuration, options, url), configuration, parent);
}

/** The address may hold a password, so a wrong one is not repeated. */
function checkRedisUrl(url: string): void {
  const kind = /^redis[a-z-]*\+?(sentinel|cluster)|[?&](sentinel|cluster)\b|^rediss?:\/\/[^/]*,/i.exec(url);
  if (kind !== null) {
    throw new ConfigurationError(
      'redis.url names a Redis Cluster or Sentinel, which Castellan cannot use: give the address of one server, redis://host:6379 or rediss:// for TLS.',
    );
  }
  if (!/^rediss?:\/\/./.test(url) || !URL.canParse(url)) {
    throw new ConfigurationError('redis.url must be an address such as redis://127.0.0.1:6379.');
  }
}
