/** A token bucket: `limit` calls per `perMs`, with bursts of up to `burst`. */
export interface RateNumbers {
  readonly limit: number;
  readonly perMs: number;
  readonly burst: number;
}

const WINDOWS: Readonly<Record<number, string>> = {
  1000: 'second',
  60000: 'minute',
  3600000: 'hour',
  86400000: 'day',
};

/** `1,200 per minute, 300 at one go`. */
export function describeRate({ limit, perMs, burst }: RateNumbers): string {
  const window = WINDOWS[perMs] ?? `${withCommas(perMs / 1000)} s`;
  return `${withCommas(limit)} per ${window}, ${withCommas(burst)} at one go`;
}

/** The policy's key with twice the numbers: `rate: { limit: 2400/min, burst: 600 }`. */
export function raisedRate({ limit, perMs, burst }: RateNumbers): string {
  const perMinute = Math.max(1, Math.ceil((2 * limit * 60_000) / perMs));
  return `rate: { limit: ${perMinute}/min, burst: ${2 * burst} }`;
}

function withCommas(value: number): string {
  return String(value).replaceAll(/(?<=\d)(?=(?:\d{3})+(?!\d))/g, ',');
}
