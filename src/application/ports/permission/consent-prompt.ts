import type { ServiceIdentifier } from 'inversify';
import type { JsonValue } from '../../../domain/json-value.js';
import type { Caller } from '../../../domain/session/caller.js';
import type { CallChannel } from '../../call/tool-context.js';

export interface ConsentForm {
  readonly tool: string;
  /** What would happen, in a person's words. */
  readonly effect: string;
  /** What would be gone, counted. */
  readonly consequences?: string;
  /** Why the policy asks: the words of the rule, and where it stands. */
  readonly rule?: { readonly at: string; readonly why?: string };
  /** The programs that a command would run. */
  readonly programs?: readonly string[];
  /** What would change in a text file: a unified diff, cut and redacted. */
  readonly diff?: string;
  /** Already fit to be shown: cut and redacted. */
  readonly arguments: JsonValue;
  /** The person types exactly this; absent where a yes is enough. */
  readonly phrase?: string;
  /** How long the same answer may hold for identical arguments; absent where it may not. */
  readonly rememberMs?: number;
}

export type ConsentAnswer =
  | { readonly kind: 'accept'; readonly typed?: string; readonly remember?: boolean }
  /** `reason` is told to the agent. */
  | { readonly kind: 'decline'; readonly reason?: string }
  | { readonly kind: 'cancel' }
  /** The client has no way to ask a person. */
  | { readonly kind: 'unavailable' };

/** Whose call waits for the answer. */
export interface ConsentOrigin {
  readonly caller: Caller;
  readonly sessionId: string;
  /** The client that made the call. */
  readonly client: Pick<CallChannel, 'elicit'>;
}

/**
 * Asks a person. The one that is bound asks at the client, through elicitation, and is as honest as that client; a
 * host that can ask people itself binds its own. When `signal` is aborted the question is withdrawn and the answer no
 * longer matters.
 */
export interface ConsentPrompt {
  ask(form: ConsentForm, signal: AbortSignal, origin: ConsentOrigin): Promise<ConsentAnswer>;
}

export const ConsentPrompt: ServiceIdentifier<ConsentPrompt> = Symbol.for('castellan.ConsentPrompt');
