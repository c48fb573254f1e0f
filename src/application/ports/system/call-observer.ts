import type { ServiceIdentifier } from 'inversify';
import type { Caller } from '../../../domain/session/caller.js';
import type { ToolErrorKind } from '../../../domain/tool/tool-error.js';

/** A call that is over, for whoever counts or lists calls. */
export interface ObservedCall {
  /** As in the audit log and in messages about faults. */
  readonly correlationId: string;
  /** Absent where the caller named a tool that it cannot see or that is not there. */
  readonly tool: string | undefined;
  readonly caller: Caller | undefined;
  /** What the policy calls the caller. */
  readonly principal: string | undefined;
  readonly sessionId: string | undefined;
  readonly durationMs: number;
  /** Absent for a success. */
  readonly failure?: ToolErrorKind;
  /** Why the policy refused, where it did. */
  readonly reason?: string;
}

export type ObserveCall = (call: ObservedCall) => void;

/** Tells of each call that is over. */
export interface CallObserver {
  /** false: nobody wants to know. */
  readonly watched: boolean;
  observe(call: ObservedCall): void;
  /** Returns how to stop. */
  watch(observe: ObserveCall): () => void;
}

export const CallObserver: ServiceIdentifier<CallObserver> = Symbol.for('castellan.CallObserver');
