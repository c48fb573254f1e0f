const LATEST_MS = 8.64e15;

/** A time of a file as text; disks know years that the calendar of the language does not. */
export function isoTime(milliseconds: number): string {
  const bounded = Math.max(-LATEST_MS, Math.min(LATEST_MS, Number.isFinite(milliseconds) ? milliseconds : 0));
  return new Date(bounded).toISOString();
}
