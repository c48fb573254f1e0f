import type { ServiceIdentifier } from 'inversify';
import type { Caller } from '../../../domain/session/caller.js';
import type { ToolErrorKind } from '../../../domain/tool/tool-error.js';

/** A finished call, for counting or listing. */
export interface ObservedCall {
  /** As in the audit log and in error messages. */
  readonly correlationId: string;
  /** undefined if the caller named a tool that it cannot see or that does not exist. */
  readonly tool: string | undefined;
  readonly caller: Caller | undefined;
  /** The policy's name for the caller. */
  readonly principal: string | undefined;
  readonly sessionId: string | undefined;
  readonly durationMs: number;
  /** undefined for a success. */
  readonly failure?: ToolErrorKind;
  /** Why the policy refused the call, if it did. */
  readonly reason?: string;
}

export type ObserveCall = (call: ObservedCall) => void;

/** Notifies about each finished call. */
export interface CallObserver {
  /** False if nobody is listening. */
  readonly watched: boolean;
  observe(call: ObservedCall): void;
  /** Returns a function that stops listening. */
  watch(observe: ObserveCall): () => void;
}

export const CallObserver: ServiceIdentifier<CallObserver> = Symbol.for('castellan.CallObserver');
