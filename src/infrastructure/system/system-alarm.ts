import { injectable } from 'inversify';
import type { Alarm } from '../../application/ports/system/alarm.js';

@injectable()
export class SystemAlarm implements Alarm {
  after(ms: number, callback: () => void): () => void {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  }

  someTimeAfter(ms: number, callback: () => void): () => void {
    const timer = setTimeout(callback, ms).unref();
    return () => clearTimeout(timer);
  }
}
