import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const EVERY_BYTES = 2 * 1024 * 1024;

type MinorCollection = (options: { readonly type: 'minor' }) => void;

let collect: MinorCollection | undefined;

// Node reads a pipe into a fresh buffer each time and V8 lets some 30 MB of them pile up before it looks.
// There is no public way to read a child's pipe into one buffer, so the young ones are collected by hand.
function minorCollection(): MinorCollection {
  setFlagsFromString('--expose-gc');
  const found: unknown = runInNewContext('globalThis.gc');
  return typeof found === 'function' ? (options) => void found(options) : () => undefined;
}

/** Keeps the memory of a long output flat; a short output never reaches it. */
export class BufferReclaim {
  #bytes = 0;

  count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < EVERY_BYTES) return;
    this.#bytes = 0;
    collect ??= minorCollection();
    collect({ type: 'minor' });
  }
}
