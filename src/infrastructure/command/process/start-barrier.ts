import type { ChildProcess } from 'node:child_process';
import { Duplex } from 'node:stream';

/** The child's end of the gate; the descriptors that a start names follow it. */
export const BARRIER_DESCRIPTOR = 3;

/**
 * Holds a child back until it has said that it is ready. A child whose server dies before the answer reads an
 * end in its place and runs nothing. One that has been answered was ready, and the server alive, after all had
 * been set up that ends it with the server: so there is no moment at which a killed server leaves it running.
 */
export class StartBarrier {
  readonly #socket: Duplex;
  #isReady = false;
  #isOpen = false;
  #onReady: (() => void) | undefined;

  constructor(child: ChildProcess) {
    const socket = child.stdio[BARRIER_DESCRIPTOR];
    if (!(socket instanceof Duplex)) throw new Error('The child was started without a gate.');
    this.#socket = socket;
    // A child that ends before its time resets the connection; its ending is told elsewhere.
    socket.on('error', () => undefined);
    socket.once('data', () => {
      this.#isReady = true;
      this.#onReady?.();
    });
  }

  /** The child was let go. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** `onReady`: everything is set up, and the child waits for `open`; at once where it does already. */
  watch(onReady: () => void): void {
    this.#onReady = onReady;
    if (this.#isReady) onReady();
  }

  open(): void {
    if (this.#socket.destroyed) return;
    this.#isOpen = true;
    this.#socket.end('\n');
    this.#socket.resume();
  }

  /** From here on the child is not let go any more. */
  shut(): void {
    this.#socket.destroy();
  }
}
