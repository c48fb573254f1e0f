import type { Sample, SubjectResult } from './bench-suite.js';

export interface Contender {
  readonly name: string;
  readonly measure: () => Promise<Sample>;
}

/**
 * One sample of everybody a round, and another one first in each round, so that a slow minute of the machine
 * and the order are shared by all. Who fails is measured no further.
 */
export async function interleavedRounds(
  contenders: readonly Contender[],
  rounds: number,
): Promise<readonly SubjectResult[]> {
  const samples = new Map<string, Sample[]>(contenders.map(({ name }) => [name, []]));
  const failures = new Map<string, string>();
  for (let round = 0; round < rounds; round += 1) {
    const first = round % Math.max(contenders.length, 1);
    for (const { name, measure } of [...contenders.slice(first), ...contenders.slice(0, first)]) {
      if (failures.has(name)) continue;
      try {
        samples.get(name)?.push(await measure());
      } catch (error) {
        failures.set(name, error instanceof Error ? error.message : String(error));
      }
    }
  }
  return contenders.map(({ name }) => {
    const failure = failures.get(name);
    return { subject: name, samples: samples.get(name) ?? [], ...(failure === undefined ? {} : { failure }) };
  });
}
