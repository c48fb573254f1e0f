import type { BigIntStats } from 'node:fs';

export interface FolderStamp {
  readonly stamp: string;
}

/** The kernel stamps changes with a clock that lags behind a little. */
const CLOCK_LAG_MS = 50;

/** Another one: it was changed or replaced. */
export function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}.${ino}.${size}.${mtimeNs}.${ctimeNs}`;
}

/** So long ago that a change after this look has another time. */
export function isSettled({ ctimeMs }: BigIntStats): boolean {
  return Date.now() - Number(ctimeMs) > CLOCK_LAG_MS;
}
