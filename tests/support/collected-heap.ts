import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes of the heap in use when garbage has been collected. */
export function collectedHeap(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  let used = Number.POSITIVE_INFINITY;
  // What one collection lets go of may be all that held something else.
  for (let round = 0; round < 3 && typeof collect === 'function'; round += 1) {
    collect();
    const left = process.memoryUsage().heapUsed;
    if (left > used * 0.999) return left;
    used = left;
  }
  return process.memoryUsage().heapUsed;
}
