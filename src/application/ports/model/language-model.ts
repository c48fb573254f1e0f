import type { ServiceIdentifier } from 'inversify';
import type { Result } from '../../../domain/result.js';
import type { ToolError } from '../../../domain/tool/tool-error.js';

export interface ModelQuestion {
  readonly message: string;
  readonly model: string;
  readonly systemPrompt?: string;
  readonly maxTokens: number;
}

export interface ModelAnswer {
  readonly text: string;
  readonly model: string;
  /** True if the answer ended because max_tokens was reached. */
  readonly cut: boolean;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** True if the tokens were not reported; they are estimated from the length of the texts. */
  readonly estimated?: true;
}

/** Our own model, as opposed to the client's. */
export interface LanguageModel {
  /** What the operator must configure before it can be used; undefined if it can. */
  readonly missing: string | undefined;
  /** Where questions are sent, `host` or `host:port`; undefined while it cannot be used. */
  readonly host: string | undefined;
  /**
   * Reports how many characters have arrived so far. Ends in limited time, with a failure if necessary; an
   * aborted signal closes the request.
   */
  ask(
    question: ModelQuestion,
    signal: AbortSignal,
    onProgress: (characters: number) => void,
  ): Promise<Result<ModelAnswer, ToolError>>;
}

export const LanguageModel: ServiceIdentifier<LanguageModel> = Symbol.for('castellan.LanguageModel');
