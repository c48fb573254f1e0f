const LATEST_MS = 8.64e15;
const MINUTE_MS = 60_000;
/** The length of the part that times within the same minute share, such as 2026-11-16T05:26:. */
const SHARED = 17;

let minute = Number.NaN;
let shared = '';

/** The time of a file as text; disks allow years that JavaScript dates do not. */
export function isoTime(milliseconds: number): string {
  const whole = Math.trunc(milliseconds);
  // Files of a directory are often written at the same time, and formatting a date is slow.
  if (Math.floor(whole / MINUTE_MS) === minute) {
    const rest = whole - minute * MINUTE_MS;
    return `${shared}${pad(Math.floor(rest / 1000), 2)}.${pad(rest % 1000, 3)}Z`;
  }
  const bounded = Math.max(-LATEST_MS, Math.min(LATEST_MS, Number.isFinite(whole) ? whole : 0));
  const text = new Date(bounded).toISOString();
  // Years of more than four digits are written differently.
  if (text.length === 24) {
    minute = Math.floor(bounded / MINUTE_MS);
    shared = text.slice(0, SHARED);
  }
  return text;
}

function pad(value: number, digits: number): string {
  return String(value).padStart(digits, '0');
}
