import type { LandedFile } from '../file/landed-file.js';
import type { ConsentRoute } from '../permission/consent/consent-grant.js';
import type { AuditArguments } from '../permission/policy/obligations.js';
import type { Caller } from '../session/caller.js';

/** Who asked: `name` is the one that the policy gives, or else the id. */
export type AuditedCaller = Pick<Caller, 'id' | 'transport'> & { readonly name?: string };

export interface AuditedDecision {
  readonly effect: 'allow' | 'consent' | 'deny';
  readonly reason?: string;
  /** Where the deciding rule stands: `file:line:col`. */
  readonly rule?: string;
}

/** One call as the log tells it: who, what, and on whose word. */
export interface AuditedCall {
  readonly correlationId: string;
  readonly sessionId: string;
  readonly caller: AuditedCaller;
  readonly tool: string;
  readonly arguments: unknown;
  readonly argumentDetail: AuditArguments;
  readonly decision: AuditedDecision;
  readonly consent?: ConsentRoute;
  /** The client's own tool that a hook asked about; `tool` is the one of ours that it was judged as. */
  readonly ownTool?: string;
}

export interface AuditedOutcome {
  readonly kind: 'success' | 'failure' | 'refused' | 'cancelled' | 'timeout';
  readonly errorType?: string;
  readonly durationMs: number;
  /** Size of the answer. */
  readonly bytes: number;
  /** Parts of an allowed call that the policy refused; absent where there were none. */
  readonly refused?: number;
  /** Files that the call wrote, with the digest of what landed; of very many, the first. */
  readonly landed?: readonly LandedFile[];
}

/** Written before a call that changes something. `at` is milliseconds since 1970. */
export interface AuditIntent {
  readonly at: number;
  readonly call: AuditedCall;
  /** No record, no run: the intent must be on the disk before the answer. */
  readonly required: boolean;
}

/** Written after every call, refused ones too. */
export interface AuditOutcome {
  readonly at: number;
  readonly call: AuditedCall;
  readonly outcome: AuditedOutcome;
  /** What intent() gave for the same call. */
  readonly ticket?: AuditTicket;
}

/** A connection that a command made or was refused. */
export interface AuditConnection {
  readonly at: number;
  /** Of the call that runs the command. */
  readonly correlationId: string;
  readonly sessionId: string;
  readonly caller: AuditedCaller;
  readonly tool: string;
  /** false: other commands of the same network ran too, so that it may be theirs. */
  readonly alone: boolean;
  readonly connection: AuditedConnection;
}

export interface AuditedConnection {
  readonly host: string;
  /** undefined: the name was looked up and nothing more. */
  readonly port: number | undefined;
  readonly outcome: 'reached' | 'refused' | 'failed';
  readonly why?: string;
  readonly sent: number;
  readonly received: number;
  readonly durationMs: number;
  readonly times?: number;
}

/** Ties an outcome to its intent. */
export interface AuditTicket {
  readonly segment: string;
  readonly record: number;
  /** The call in words, so that it is put into words and digested once. */
  readonly call: () => string;
}
