import { InvalidArgumentError } from 'commander';
import { parseToolsets, TOOLSETS } from '../../../domain/tool/toolset.js';

const HIGHEST_PORT = 65_535;
const SERVER_NAME = /^[A-Za-z0-9_-]{1,64}$/;

export function parsePort(value: string): number {
  if (/^\d{1,5}$/.test(value) && Number(value) <= HIGHEST_PORT) return Number(value);
  throw new InvalidArgumentError(`It must be a number from 0 to ${HIGHEST_PORT}.`);
}

export function parseServerName(value: string): string {
  if (SERVER_NAME.test(value)) return value;
  throw new InvalidArgumentError('It must be 1 to 64 letters, digits, hyphens and underscores.');
}

const AGO = /^(\d{1,6})(s|m|h|d)$/;
const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** In milliseconds. */
export function parseTime(value: string): number {
  const [, amount, unit = ''] = AGO.exec(value) ?? [];
  if (amount !== undefined) return Number(amount) * (UNITS[unit] ?? 0);
  throw new InvalidArgumentError('It must be a time such as 30s, 10m or 1h.');
}

/** A duration ago, or a date; in milliseconds since 1970. */
export function parseSince(value: string, _before?: unknown, now = Date.now()): number {
  const [, amount, unit = ''] = AGO.exec(value) ?? [];
  if (amount !== undefined) return now - Number(amount) * (UNITS[unit] ?? 0);
  const date = /^\d{4}-\d{2}-\d{2}/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isFinite(date)) return date;
  throw new InvalidArgumentError('It must be a time such as 15m, 2h or 7d, or a date such as 2026-01-31.');
}

/** Validated here, so that an invalid value is a usage error; returned unchanged. */
export function parseSets(value: string): string {
  const sets = parseToolsets(value.split(',').map((word) => word.trim()));
  if (!('unknown' in sets)) return value;
  throw new InvalidArgumentError(
    `It must be all, or some of ${TOOLSETS.join(', ')} separated by commas; got ${sets.unknown}.`,
  );
}
