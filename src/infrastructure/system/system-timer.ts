import { injectable } from 'inversify';
import type { Timer } from '../../application/ports/system/timer.js';

@injectable()
export class SystemTimer implements Timer {
  after(ms: number, callback: () => void): () => void {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  }

  someTimeAfter(ms: number, callback: () => void): () => void {
    const timer = setTimeout(callback, ms).unref();
    return () => clearTimeout(timer);
  }
}
