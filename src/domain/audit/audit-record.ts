import type { LandedFile } from '../file/landed-file.js';
import type { ConsentRoute } from '../permission/consent/consent-grant.js';
import type { AuditArguments } from '../permission/policy/obligations.js';
import type { Caller } from '../session/caller.js';

/** The caller: `name` is the name that the policy gives, or else the id. */
export type AuditedCaller = Pick<Caller, 'id' | 'transport'> & { readonly name?: string };

export interface AuditedDecision {
  readonly effect: 'allow' | 'consent' | 'deny';
  readonly reason?: string;
  /** The position of the deciding rule: `file:line:col`. */
  readonly rule?: string;
}

/** One call as the log describes it: caller, arguments and decision. */
export interface AuditedCall {
  readonly correlationId: string;
  readonly sessionId: string;
  readonly caller: AuditedCaller;
  readonly tool: string;
  readonly arguments: unknown;
  readonly argumentDetail: AuditArguments;
  readonly decision: AuditedDecision;
  readonly consent?: ConsentRoute;
  /** The client's own tool that a hook asked about; `tool` is the tool of ours it was checked as. */
  readonly ownTool?: string;
}

export interface AuditedOutcome {
  readonly kind: 'success' | 'failure' | 'refused' | 'cancelled' | 'timeout';
  readonly errorType?: string;
  readonly durationMs: number;
  /** Size of the result. */
  readonly bytes: number;
  /** Number of parts of an allowed call that the policy refused, if any. */
  readonly refused?: number;
  /** Files that the call wrote, with the digest of what landed; of very many, the first. */
  readonly landed?: readonly LandedFile[];
}

/** Written before a call that changes something. `at` is in milliseconds since 1970. */
export interface AuditIntent {
  readonly at: number;
  readonly call: AuditedCall;
  /** True if the call must not run until the intent is on disk. */
  readonly required: boolean;
}

/** Written after every call, including refused ones. */
export interface AuditOutcome {
  readonly at: number;
  readonly call: AuditedCall;
  readonly outcome: AuditedOutcome;
  /** What `intent()` returned for the same call. */
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

/** Links an outcome to its intent. */
export interface AuditTicket {
  readonly segment: string;
  readonly record: number;
  /** The call as text, so that it is serialised and hashed only once. */
  readonly call: () => string;
}
