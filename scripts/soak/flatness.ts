import { median } from '../../bench/bench-report.js';
import type { Reading } from './readings.js';

export interface Series {
  readonly title: string;
  readonly unit: string;
  /** How much more the last third may have than the one before it: a share, and something for the grain. */
  readonly share: number;
  readonly grain: number;
  /** One list for each instance, or one in all. */
  readonly lines: readonly (readonly number[])[];
}

export interface Verdict {
  readonly title: string;
  readonly line: number;
  readonly before: number;
  readonly after: number;
  readonly flat: boolean;
}

export function seriesOf(readings: readonly Reading[]): readonly Series[] {
  const instances = readings[0]?.heap.length ?? 0;
  const each = (of: (reading: Reading) => readonly number[]) =>
    Array.from({ length: instances }, (_, place) => readings.map((reading) => of(reading)[place] ?? 0));
  const one = (of: (reading: Reading) => number) => [readings.map(of)];
  return [
    {
      title: 'memory in use after collection',
      unit: 'MiB',
      share: 0.05,
      grain: 1,
      lines: each(({ heap }) => heap),
    },
    { title: 'resident memory', unit: 'MiB', share: 0.1, grain: 4, lines: each(({ resident }) => resident) },
    { title: 'descriptors', unit: '', share: 0.1, grain: 8, lines: each(({ descriptors }) => descriptors) },
    { title: 'keys in Redis', unit: '', share: 0.1, grain: 20, lines: one(({ keys }) => keys) },
    { title: 'memory of Redis', unit: 'MiB', share: 0.1, grain: 0.5, lines: one(({ redis }) => redis) },
  ];
}

/** The first third is warm-up. Of the other two the later one must not have more than the earlier one. */
export function judgeFlatness(readings: readonly Reading[]): readonly Verdict[] {
  const third = Math.floor(readings.length / 3);
  return seriesOf(readings).flatMap(({ title, share, grain, lines }) =>
    lines.map((values, line) => {
      const before = median(values.slice(third, values.length - third)) ?? 0;
      const after = median(values.slice(values.length - third)) ?? 0;
      return { title, line, before, after, flat: third > 0 && after <= before * (1 + share) + grain };
    }),
  );
}
