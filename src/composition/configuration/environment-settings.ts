import type { LogLevel } from '../../application/ports/system/logger.js';
import { parseToolsets, TOOLSETS, type Toolset } from '../../domain/tool/toolset.js';
import { parseRedisAddress } from '../../infrastructure/config/redis-address.js';
import type { LogFormat, Settings } from '../../infrastructure/config/settings.js';
import { ConfigurationError } from './configuration-error.js';

export type Environment = Readonly<Record<string, string | undefined>>;

const LOG_LEVELS: readonly (LogLevel | 'silent')[] = ['trace', 'debug', 'info', 'warn', 'error', 'silent'];
const HIGHEST_PORT = 65_535;

/** The settings with what the environment says in their place. An empty variable says nothing. */
export function withEnvironment(settings: Settings, environment: Environment): Settings {
  const level = chosen(environment, 'CASTELLAN_LOG_LEVEL', parseLevel);
  const format = chosen(environment, 'CASTELLAN_LOG_FORMAT', parseFormat);
  const host = chosen(environment, 'CASTELLAN_HTTP_HOST', (value) => value);
  const port = chosen(environment, 'CASTELLAN_HTTP_PORT', parsePort);
  const url = chosen(environment, 'CASTELLAN_REDIS_URL', parseRedisUrl);
  const service = chosen(environment, 'CASTELLAN_REDIS_SERVICE', (value) => value);
  const sets = chosen(environment, 'CASTELLAN_TOOLSETS', parseSets);
  const answers = chosen(environment, 'CASTELLAN_ANSWERS', parseAnswers);
  return {
    ...settings,
    ...(answers !== undefined && { answers }),
    ...(sets !== undefined && { tools: { ...settings.tools, sets } }),
    log: { ...settings.log, level: level ?? settings.log.level, ...(format !== undefined && { format }) },
    http: { ...settings.http, host: host ?? settings.http.host, port: port ?? settings.http.port },
    redis: {
      ...settings.redis,
      ...(url !== undefined && { url }),
      ...(service !== undefined && { service }),
    },
  };
}

function chosen<T>(
  environment: Environment,
  name: string,
  parse: (value: string, name: string) => T,
): T | undefined {
  const value = environment[name];
  return value === undefined || value === '' ? undefined : parse(value, name);
}

function parseLevel(value: string, name: string): LogLevel | 'silent' {
  const level = LOG_LEVELS.find((known) => known === value);
  if (level === undefined) {
    throw new ConfigurationError(`${name} must be one of ${LOG_LEVELS.join(', ')}; got ${value}.`);
  }
  return level;
}

function parseFormat(value: string, name: string): LogFormat {
  if (value === 'text' || value === 'json') return value;
  throw new ConfigurationError(`${name} must be text or json; got ${value}.`);
}

/** Names divided by commas, or `all`. */
export function parseSets(value: string, name: string): readonly Toolset[] {
  const sets = parseToolsets(value.split(',').map((word) => word.trim()));
  if (!('unknown' in sets)) return sets;
  throw new ConfigurationError(
    `${name} must be all, or some of ${TOOLSETS.join(', ')} divided by commas; got ${sets.unknown}.`,
  );
}

function parseAnswers(value: string, name: string): Settings['answers'] {
  if (value === 'text' || value === 'envelope') return value;
  throw new ConfigurationError(`${name} must be text or envelope; got ${value}.`);
}

function parsePort(value: string, name: string): number {
  const port = Number(value);
  if (!/^\d{1,5}$/.test(value) || port > HIGHEST_PORT) {
    throw new ConfigurationError(`${name} must be a port from 0 to ${HIGHEST_PORT}; got ${value}.`);
  }
  return port;
}

/** The address may hold a password, so a wrong one is not repeated. */
function parseRedisUrl(value: string, name: string): string {
  const parsed = parseRedisAddress(value);
  if (!parsed.success) throw new ConfigurationError(`${name} ${parsed.error}`);
  return parsed.value;
}
