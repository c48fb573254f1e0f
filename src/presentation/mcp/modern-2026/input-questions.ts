import type { InputRequest } from '@modelcontextprotocol/server';
import type { Cancellation } from '../../../application/call/cancellation.js';
import type { Question } from '../../../application/call/tool-context.js';
import type { CarriedState } from './request-states.js';

export type Capability = 'elicitation' | 'sampling' | 'roots';

/**
 * The questions of one try of a request. One whose answer came with the request is answered at once; the others end
 * this try, and leave with its answer.
 */
export class InputQuestions {
  readonly #asked = new Map<string, { readonly question: InputRequest; readonly digest: string }>();
  readonly #answers = new Map<string, { readonly digest: string; readonly response: unknown }>();
  #count = 0;
  #missing: Capability | undefined;

  constructor(
    private readonly carried: CarriedState,
    private readonly responses: Readonly<Record<string, unknown>>,
    private readonly digest: (value: unknown) => string,
    private readonly cancellation: Cancellation,
  ) {}

  /** Questions without an answer, by their keys; none where the try was not ended by them. */
  get open(): ReadonlyMap<string, InputRequest> | undefined {
    if (this.cancellation.reason !== 'input' || this.#asked.size === 0) return undefined;
    return new Map([...this.#asked].map(([key, { question }]) => [key, question]));
  }

  /** What the client would have to be able to do. */
  get missing(): Capability | undefined {
    return this.cancellation.reason === 'input' ? this.#missing : undefined;
  }

  /** What the client carries to the next try. */
  get state(): CarriedState {
    const digests = [...this.#asked].map(([key, { digest }]) => [key, digest] as const);
    return { asked: Object.fromEntries(digests), answers: Object.fromEntries(this.#answers) };
  }

  /** `read` makes an answer of what came; undefined: it is none, and the question is asked again. */
  async ask<T>(
    { key: given }: Question,
    question: InputRequest,
    read: (response: unknown) => T | undefined,
  ): Promise<T> {
    this.#count += 1;
    const key = given ?? `question-${this.#count}`;
    const digest = this.digest(question);
    const response = this.#responseTo(key, digest, given !== undefined);
    const answer = response === undefined ? undefined : read(response);
    if (answer !== undefined) {
      this.#answers.set(key, { digest, response });
      return answer;
    }
    this.#asked.set(key, { question, digest });
    return this.#end();
  }

  lacks(capability: Capability): Promise<never> {
    this.#missing = capability;
    return this.#end();
  }

  /** Only what answers the very question that was asked is an answer, unless the question may be answered ahead. */
  #responseTo(key: string, digest: string, ahead: boolean): unknown {
    const kept = Object.hasOwn(this.carried.answers, key) ? this.carried.answers[key] : undefined;
    if (kept !== undefined) return kept.digest === digest ? kept.response : undefined;
    const wasAsked = Object.hasOwn(this.carried.asked, key) && this.carried.asked[key] === digest;
    return (wasAsked || ahead) && Object.hasOwn(this.responses, key) ? this.responses[key] : undefined;
  }

  /** Questions that are asked side by side leave together. */
  #end(): Promise<never> {
    return new Promise((_resolve, reject) => {
      setImmediate(() => {
        this.cancellation.cancel('input');
        reject(new DOMException('The call is made again with the answer.', 'AbortError'));
      });
    });
  }
}
