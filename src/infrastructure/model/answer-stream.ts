import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import type { ModelAnswer } from '../../application/ports/model/language-model.js';
import { Result } from '../../domain/result.js';

const PROGRESS_MS = 100;

/** Assembles an answer from its events, reports progress, and gives up if they stop arriving. */
export class AnswerStream {
  readonly #controller = new AbortController();
  readonly #abort = () => this.#controller.abort();
  #timer: NodeJS.Timeout | undefined;
  #begun = false;
  #stalled = false;
  #toldAt = Number.NEGATIVE_INFINITY;
  #text = '';
  #textBlock: number | undefined;
  #model = '';
  #stopReason: string | undefined;
  #inputTokens = 0;
  #outputTokens = 0;
  #complete = false;

  constructor(
    private readonly outer: AbortSignal,
    private readonly idleMs: number,
    private readonly onProgress: (characters: number) => void,
  ) {
    if (outer.aborted) this.#abort();
    else outer.addEventListener('abort', this.#abort, { once: true });
  }

  /** For the request: aborted with the call, or when no more events arrive. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** True if a part of the answer has arrived: asking again would pay for it twice. */
  get begun(): boolean {
    return this.#begun;
  }

  async read(events: AsyncIterable<RawMessageStreamEvent>): Promise<Result<ModelAnswer>> {
    this.#wait();
    for await (const event of events) {
      this.#wait();
      this.#take(event);
    }
    if (this.#stalled) {
      return Result.failure(`The answer stopped coming for ${this.idleMs / 1000}s.`, 'ModelUnavailableError');
    }
    if (!this.#complete) return Result.failure('The answer broke off.', 'ModelUnavailableError');
    if (this.#text === '') {
      const why = this.#stopReason ?? 'no reason given';
      return Result.failure(`The model answered without text (${why}).`, 'ModelAnswerError');
    }
    return Result.ok({
      text: this.#text,
      model: this.#model,
      cut: this.#stopReason === 'max_tokens',
      inputTokens: this.#inputTokens,
      outputTokens: this.#outputTokens,
    });
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.outer.removeEventListener('abort', this.#abort);
  }

  #wait(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#stalled = true;
      this.#abort();
    }, this.idleMs);
  }

  #take(event: RawMessageStreamEvent): void {
    switch (event.type) {
      case 'message_start':
        this.#model = event.message.model;
        this.#inputTokens = event.message.usage.input_tokens;
        break;
      case 'content_block_start':
        if (event.content_block.type === 'text') this.#textBlock ??= event.index;
        break;
      case 'content_block_delta':
        this.#begun = true;
        if (event.delta.type === 'text_delta' && event.index === this.#textBlock) this.#add(event.delta.text);
        break;
      case 'message_delta':
        this.#stopReason = event.delta.stop_reason ?? undefined;
        this.#outputTokens = event.usage.output_tokens;
        break;
      case 'message_stop':
        this.#complete = true;
        break;
      case 'content_block_stop':
        break;
    }
  }

  #add(text: string): void {
    this.#text += text;
    const now = performance.now();
    if (now - this.#toldAt < PROGRESS_MS) return;
    this.#toldAt = now;
    this.onProgress(this.#text.length);
  }
}
