import type { ServiceIdentifier } from 'inversify';

/** What conversations may use. The settings give the defaults, the policy the limits. */
export interface ModelLimits {
  readonly defaultModel: string;
  readonly defaultMaxTokens: number;
  /** Names, or the beginning of names with a `*` at the end; every model where absent. */
  readonly allowedModels?: readonly string[];
  /** The most a caller may ask for as max_tokens. */
  readonly maxTokens?: number;
  /** Tokens of all conversations of this process within an hour, questions and answers together. */
  readonly tokensPerHour?: number;
}

export const DEFAULT_MODEL_LIMITS: ModelLimits = {
  defaultModel: 'claude-sonnet-5-5',
  defaultMaxTokens: 4096,
};

export const ModelLimits: ServiceIdentifier<ModelLimits> = Symbol.for('castellan.ModelLimits');
