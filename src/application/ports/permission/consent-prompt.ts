import type { ServiceIdentifier } from 'inversify';
import type { JsonValue } from '../../../domain/json-value.js';
import type { Caller } from '../../../domain/session/caller.js';
import type { CallChannel } from '../../call/tool-context.js';

export interface ConsentForm {
  readonly tool: string;
  /** What would happen, in words for a person. */
  readonly effect: string;
  /** What would be deleted, counted. */
  readonly consequences?: string;
  /** Safe to show: cut and redacted. */
  readonly arguments: JsonValue;
  /** The phrase that the person must type; undefined if a yes is enough. */
  readonly phrase?: string;
  /** How long the same answer may be valid for identical arguments; undefined if it may not. */
  readonly rememberMs?: number;
}

export type ConsentAnswer =
  | { readonly kind: 'accept'; readonly typed?: string; readonly remember?: boolean }
  /** `reason` is shown to the agent. */
  | { readonly kind: 'decline'; readonly reason?: string }
  | { readonly kind: 'cancel' }
  /** The client cannot ask a person. */
  | { readonly kind: 'unavailable' };

/** The call that waits for the answer. */
export interface ConsentOrigin {
  readonly caller: Caller;
  readonly sessionId: string;
  /** The client that made the call. */
  readonly client: Pick<CallChannel, 'elicit'>;
}

/**
 * Asks a person. The default asks in the client, through elicitation, and is as honest as that client; a
 * program that can ask people itself binds its own. When `signal` is aborted the question is withdrawn and
 * the answer is ignored.
 */
export interface ConsentPrompt {
  ask(form: ConsentForm, signal: AbortSignal, origin: ConsentOrigin): Promise<ConsentAnswer>;
}

export const ConsentPrompt: ServiceIdentifier<ConsentPrompt> = Symbol.for('castellan.ConsentPrompt');
