import type { CommandPlan } from '../../command/command-plan.js';
import type { ProgramFacts } from '../../command/program-facts.js';
import type { Caller } from '../../session/caller.js';
import type { ReasonCode } from '../../tool/tool-error.js';
import type { AskingMode, ConsentTerms } from '../consent/consent.js';
import type { Obligations } from './obligations.js';
import type { RulePosition } from './rule-position.js';

/** A request in the form that the policy decides on: absolute, lexically normal paths and parsed commands. */
export type CanonicalRequest =
  | {
      readonly kind: 'read';
      readonly path: string;
      readonly argument: string;
      /** In the /tmp of the caller's session, which lists of allowed paths do not name. */
      readonly inOwnTmp?: true;
    }
  | {
      readonly kind: 'write';
      readonly path: string;
      readonly argument: string;
      readonly deletes?: true;
      readonly inOwnTmp?: true;
    }
  | {
      readonly kind: 'command';
      /** The parsed command line, which is what runs if the call is allowed. */
      readonly plan: CommandPlan;
      readonly programs: readonly ProgramFacts[];
      readonly files: readonly { readonly mode: 'read' | 'write'; readonly path: string }[];
      readonly env: readonly string[];
      /** Names of variables that the command line itself sets for its programs. */
      readonly assigned?: readonly string[];
      /** The private home of commands, to which no rule applies. */
      readonly home?: string;
      /** Programs that cannot be known before the script runs, as written. */
      readonly unseen?: readonly string[];
      /** True if a part of the script was not understood. */
      readonly unread?: true;
      /** The workspace or a repository that it would delete: needs the same consent as delete_path. */
      readonly deletes?: readonly string[];
    }
  | { readonly kind: 'host'; readonly host: string; readonly port?: number };

/** A request that could not be converted to that form. */
export interface RefusedRequest {
  readonly kind: 'refused';
  readonly reason: 'UNPARSEABLE' | 'SHELL_SYNTAX' | 'HAZARDOUS_ARGUMENT';
  readonly message: string;
  readonly hint: string;
}

export interface DecisionRequest {
  readonly caller: Caller;
  /** Replaces the caller's own roles, for tests of a policy. */
  readonly roles?: readonly string[];
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly requests: readonly (CanonicalRequest | RefusedRequest)[];
}

/** What a refusal is about. Its text may be a hidden path, so it is for the operator only. */
export interface DecisionSubject {
  readonly kind: 'tool' | 'argument' | 'path' | 'program' | 'host' | 'command';
  readonly text: string;
}

export interface Denial {
  readonly effect: 'deny';
  readonly reason: ReasonCode;
  readonly subject: DecisionSubject;
  /** For the operator. */
  readonly message: string;
  /** For the agent: names no rule and no path of the policy except those allowed to it. */
  readonly hint: string;
  /** True if no entry of a policy can allow it. */
  readonly isFinal?: true;
  readonly rule?: RulePosition;
}

export interface Permit {
  readonly effect: 'allow';
  readonly rule: RulePosition;
  readonly obligations: Obligations;
  /** The command lines that were decided on, in the order of the requests. */
  readonly plans?: readonly CommandPlan[];
  /** A path that was asked for lies in the /tmp of the caller's session. */
  readonly inOwnTmp?: true;
}

export interface ConsentNeeded {
  readonly effect: 'consent';
  readonly reason: 'CONSENT_REQUIRED';
  readonly rule: RulePosition;
  readonly consent: ConsentTerms & { readonly mode: AskingMode };
  readonly obligations: Obligations;
  readonly plans?: readonly CommandPlan[];
  readonly inOwnTmp?: true;
}

export type Decision = Permit | ConsentNeeded | Denial;

/** One check of the decision, in the order of the checks. */
export interface DecisionStep {
  readonly check:
    | 'tool'
    | 'roles'
    | 'arguments'
    | 'canonical'
    | 'built-in'
    | 'denies'
    | 'allows'
    | 'sandbox'
    | 'consent';
  readonly outcome: 'passed' | 'refused' | 'asks';
  readonly policy: string;
  readonly detail: string;
  readonly rule?: RulePosition;
}

export function deny(
  reason: ReasonCode,
  subject: DecisionSubject,
  message: string,
  hint: string,
  rule?: RulePosition,
): Denial {
  return { effect: 'deny', reason, subject, message, hint, ...(rule && { rule }) };
}
