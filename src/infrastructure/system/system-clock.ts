import { injectable } from 'inversify';
import type { Clock } from '../../application/ports/system/clock.js';

@injectable()
export class SystemClock implements Clock {
  now(): number {
    return Date.now();
  }

  elapsed(): number {
    return performance.now();
  }
}
