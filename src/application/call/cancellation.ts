/** `input`: the client must answer first, and then repeats the call with its answers. */
export type CancelReason = 'caller' | 'timeout' | 'closing' | 'input';

/**
 * Cancels one call. Its AbortSignal is created on first use: most calls never need one, and an
 * AbortController costs more than everything else an echo does.
 */
export class Cancellation {
  #reason: CancelReason | undefined;
  #controller: AbortController | undefined;
  #listener: ((reason: CancelReason) => void) | undefined;

  #unfollow: (() => void) | undefined;

  static following(signal: AbortSignal): Cancellation {
    const cancellation = new Cancellation();
    if (signal.aborted) cancellation.cancel('caller');
    else {
      const onAbort = () => cancellation.cancel('caller');
      signal.addEventListener('abort', onAbort, { once: true });
      cancellation.#unfollow = () => signal.removeEventListener('abort', onAbort);
    }
    return cancellation;
  }

  /** Called when the call is over: a signal shared by many calls must not collect their listeners. */
  release(): void {
    this.#unfollow?.();
  }

  get reason(): CancelReason | undefined {
    return this.#reason;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(abortError(this.#reason));
    }
    return this.#controller.signal;
  }

  /** Sets the only listener, the sandbox that runs the call; undefined removes it. */
  onCancel(listener: ((reason: CancelReason) => void) | undefined): void {
    this.#listener = listener;
  }

  /** Only the first reason counts. */
  cancel(reason: CancelReason): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#controller?.abort(abortError(reason));
    this.#listener?.(reason);
  }
}

function abortError(reason: CancelReason): DOMException {
  switch (reason) {
    case 'caller':
      return new DOMException('The call was cancelled.', 'AbortError');
    case 'timeout':
      return new DOMException('The call ran out of time.', 'TimeoutError');
    case 'closing':
      return new DOMException('The server is closing.', 'AbortError');
    case 'input':
      return new DOMException('The call needs an answer of the client first.', 'AbortError');
  }
}
