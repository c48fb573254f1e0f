const LATEST_MS = 8.64e15;
const MINUTE_MS = 60_000;
/** The part of a text such as 2026-11-16T05:26:03.120Z that files changed in the same minute share. */
const SHARED = 17;

let minute = Number.NaN;
let shared = '';

/** A time of a file as text; disks know years that the calendar of the language does not. */
export function isoTime(milliseconds: number): string {
  const whole = Math.trunc(milliseconds);
  // Folders were mostly written at one time, and making the text of a date anew is slow.
  if (Math.floor(whole / MINUTE_MS) === minute) {
    const rest = whole - minute * MINUTE_MS;
    return `${shared}${pad(Math.floor(rest / 1000), 2)}.${pad(rest % 1000, 3)}Z`;
  }
  const bounded = Math.max(-LATEST_MS, Math.min(LATEST_MS, Number.isFinite(whole) ? whole : 0));
  const text = new Date(bounded).toISOString();
  // Years of more than four digits are written in another way.
  if (text.length === 24) {
    minute = Math.floor(bounded / MINUTE_MS);
    shared = text.slice(0, SHARED);
  }
  return text;
}

function pad(value: number, digits: number): string {
  return String(value).padStart(digits, '0');
}
