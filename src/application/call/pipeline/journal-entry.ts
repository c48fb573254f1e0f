import type {
  AuditedCall,
  AuditedCaller,
  AuditedOutcome,
  AuditTicket,
} from '../../../domain/audit/audit-record.js';
import type { LandedFile } from '../../../domain/file/landed-file.js';
import type { AuditArguments, Obligations } from '../../../domain/permission/policy/obligations.js';
import type { PermissionPolicy } from '../../../domain/permission/policy/permission-policy.js';
import { formatPosition } from '../../../domain/permission/policy/rule-position.js';
import type { Result } from '../../../domain/result.js';
import type { Session } from '../../../domain/session/session.js';
import type { Tool } from '../../../domain/tool/tool.js';
import { errorTypeOf, type ToolError } from '../../../domain/tool/tool-error.js';
import type { ToolResult } from '../../../domain/tool/tool-result.js';
import type { CallVerdict } from '../../permission/authorise-call.js';
import type { ObservedCall } from '../../ports/system/call-observer.js';

/** The caller, the tool, and how the policy wants the call recorded. */
interface FoundCall {
  readonly session: Session;
  readonly tool?: Tool;
  /** The policy's name for the caller. */
  readonly principal: string;
  readonly detail: AuditArguments;
}

type Naming = Pick<PermissionPolicy, 'principalOf' | 'auditArguments'>;

export function foundUnder(policy: Naming, session: Session, tool?: Tool): FoundCall {
  return {
    session,
    ...(tool && { tool }),
    principal: policy.principalOf(session.caller)?.name ?? session.caller.id,
    detail: policy.auditArguments,
  };
}

/** The journal entry of one call, completed while the call runs. */
export interface JournalEntry {
  readonly correlationId: string;
  readonly requested: string;
  /** Those of the stored call if the caller passed its approval id. */
  arguments: unknown;
  readonly startedAt: number;
  /** undefined while the call runs. */
  durationMs?: number;
  /** undefined until the caller is known; without a tool it is a resource, or a tool that does not exist. */
  found?: FoundCall;
  verdict?: CallVerdict;
  /** The client's own tool that makes the call; undefined for ours. */
  ownTool?: string;
  /** What the intent recorded: the outcome repeats the same decision. */
  intended?: AuditedCall;
  ticket?: AuditTicket;
  /** The files that the call wrote. */
  written?: readonly LandedFile[];
}

export function observed(
  { correlationId, found, verdict, requested }: JournalEntry,
  outcome: Result<ToolResult, ToolError>,
  durationMs: number,
): ObservedCall {
  const decision = verdict?.decision;
  const reason = decision === undefined || decision.effect === 'allow' ? undefined : decision.reason;
  const isUnknown = !outcome.success && outcome.error.kind === 'not-found';
  return {
    correlationId,
    // What is not a tool is a resource. A name that does not exist was invented by the caller, so it is not
    // recorded without limit.
    tool: found?.tool?.name ?? (found === undefined || isUnknown ? undefined : requested.slice(0, 100)),
    caller: found?.session.caller,
    principal: found?.principal,
    sessionId: found?.session.id,
    durationMs,
    ...(!outcome.success && { failure: outcome.error.kind, ...(reason !== undefined && { reason }) }),
  };
}

export function obligationsOf({ verdict }: JournalEntry): Obligations | undefined {
  return verdict?.granted ? verdict.obligations : undefined;
}

export function auditedCall(entry: JournalEntry): AuditedCall {
  const { found, verdict } = entry;
  const decision = verdict?.decision;
  return {
    correlationId: entry.correlationId,
    sessionId: found?.session.id ?? '-',
    caller: auditedCaller(found),
    tool: found?.tool?.name ?? entry.requested.slice(0, 100),
    arguments: entry.arguments,
    argumentDetail: obligationsOf(entry)?.auditArguments ?? found?.detail ?? 'hashed',
    decision: {
      effect: decision?.effect ?? 'deny',
      ...(decision !== undefined && decision.effect !== 'allow' && { reason: decision.reason }),
      ...(decision?.rule && { rule: formatPosition(decision.rule) }),
    },
    ...(verdict?.granted && verdict.consent && { consent: verdict.consent }),
    ...(entry.ownTool !== undefined && { ownTool: entry.ownTool }),
  };
}

function auditedCaller(found: FoundCall | undefined): AuditedCaller {
  if (found === undefined) return { id: 'unknown', transport: 'embedded' };
  const { id, transport } = found.session.caller;
  return { id, transport, name: found.principal };
}

export function landedIn({ written = [] }: JournalEntry): Pick<AuditedOutcome, 'landed'> {
  return written.length === 0 ? {} : { landed: written };
}

export function auditedOutcome(outcome: Result<ToolResult, ToolError>, durationMs: number): AuditedOutcome {
  if (outcome.success) {
    const { refused = 0 } = outcome.notes;
    return {
      kind: 'success',
      durationMs,
      bytes: outcome.value.textLength,
      ...(refused > 0 && { refused }),
    };
  }
  return { kind: kindOf(outcome.error), errorType: errorTypeOf(outcome.error), durationMs, bytes: 0 };
}

function kindOf(error: ToolError): AuditedOutcome['kind'] {
  switch (error.kind) {
    case 'timeout':
      return 'timeout';
    case 'cancelled':
      return 'cancelled';
    case 'execution':
    case 'internal':
    case 'limit-exceeded':
      return 'failure';
    case 'not-found':
    case 'disabled':
    case 'invalid-input':
    case 'permission-denied':
    case 'consent-required':
    case 'unavailable':
      return 'refused';
  }
}
