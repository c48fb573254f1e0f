import type { ServiceIdentifier } from 'inversify';

/** What a conversation uses if its caller sets nothing. The limits are the policy's. */
export interface ModelDefaults {
  readonly model: string;
  readonly maxTokens: number;
}

export const ModelDefaults: ServiceIdentifier<ModelDefaults> = Symbol.for('castellan.ModelDefaults');
