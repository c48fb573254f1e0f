import { injectable } from 'inversify';
import type {
  CallObserver,
  ObserveCall,
  ObservedCall,
} from '../../application/ports/system/call-observer.js';

@injectable()
export class CallObservers implements CallObserver {
  readonly #observers = new Set<ObserveCall>();

  get watched(): boolean {
    return this.#observers.size > 0;
  }

  observe(call: ObservedCall): void {
    for (const observe of this.#observers) observe(call);
  }

  watch(observe: ObserveCall): () => void {
    this.#observers.add(observe);
    return () => this.#observers.delete(observe);
  }
}
