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
  /** The answer ended because max_tokens was reached. */
  readonly cut: boolean;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Nobody counted them for us; they are guessed from the lengths of the texts. */
  readonly estimated?: true;
}

/** A model of our own, as opposed to the client's. */
export interface LanguageModel {
  /** What the operator has to set before it can be asked; undefined: it can. */
  readonly missing: string | undefined;
  /** Where questions go, `host` or `host:port`; undefined while it cannot be asked. */
  readonly host: string | undefined;
  /**
   * Tells how many characters have come so far while they come. Ends in bounded time, with a failure if need be;
   * an aborted signal closes the request.
   */
  ask(
    question: ModelQuestion,
    signal: AbortSignal,
    onProgress: (characters: number) => void,
  ): Promise<Result<ModelAnswer, ToolError>>;
}

export const LanguageModel: ServiceIdentifier<LanguageModel> = Symbol.for('castellan.LanguageModel');
