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

/** Checked here, so that a wrong one is wrong usage; handed on as it is. */
export function parseSets(value: string): string {
  const sets = parseToolsets(value.split(',').map((word) => word.trim()));
  if (!('unknown' in sets)) return value;
  throw new InvalidArgumentError(
    `It must be all, or some of ${TOOLSETS.join(', ')} divided by commas; got ${sets.unknown}.`,
  );
}
