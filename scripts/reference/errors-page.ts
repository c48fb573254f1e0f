import {
  isToolErrorKind,
  type ReasonCode,
  TOOL_ERROR_TYPES,
  type ToolErrorKind,
} from '../../src/domain/tool/tool-error.js';
import { code, pageOf, table } from './markdown.js';

const KINDS: Readonly<Record<ToolErrorKind, string>> = {
  'not-found': 'No tool has this name. The message names similar ones.',
  disabled: 'The tool is switched off by a flag, a setting or the policy.',
  'invalid-input':
    'An argument is missing, unknown, or has a wrong type or value. `error_details.problems` has one entry per argument.',
  'permission-denied':
    'The policy refuses the call. `error_details.reason` is one of the reason codes below.',
  'consent-required': 'A person has to agree before the call runs.',
  timeout: 'The call ran longer than its limit and was stopped.',
  cancelled: 'The client cancelled the call.',
  'limit-exceeded': 'A rate, size or count is over its limit.',
  unavailable:
    'Something that the call needs is missing or busy. `retry_after_ms`, if present, says when to try again.',
  execution: 'The tool ran and failed. A narrower type, such as `NotFoundError`, has the same code.',
  internal: 'A defect. The log of the server has the cause under `correlation_id`.',
};

interface Advice {
  readonly means: string;
  readonly fix: string;
}

const REASONS: Readonly<Record<ReasonCode, Advice>> = {
  UNKNOWN_TOOL: { means: 'There is no such tool for this caller.', fix: 'Call `tools/list`.' },
  DISABLED: {
    means: 'The tool is switched off.',
    fix: 'Remove `enabled: false` from its entry, or set its flag.',
  },
  ROLE: {
    means: "The caller's role does not include the tool.",
    fix: 'Add the tool to the role, or the role to the caller.',
  },
  ARGUMENT: {
    means: 'A constraint under `arguments` does not hold.',
    fix: 'Change the argument, or the constraint.',
  },
  UNPARSEABLE: { means: 'The command line or the path cannot be parsed.', fix: 'Check quotes and brackets.' },
  SHELL_SYNTAX: {
    means: 'The line uses shell syntax that the policy does not allow.',
    fix: 'Write what the message proposes, or allow `shell: full`.',
  },
  HAZARDOUS_ARGUMENT: {
    means: 'An option makes an allowed program run another one.',
    fix: 'Leave the option out, or allow the other program.',
  },
  PROTECTED: {
    means: 'The path is a secret, or a file that other programs obey.',
    fix: 'Name it under `also_allow`.',
  },
  DENIED_PATH: {
    means: 'A rule denies the path. A deny beats every allow.',
    fix: 'Use another path, or add `except` to the rule.',
  },
  DENIED_COMMAND: {
    means: 'A rule denies a program of the line.',
    fix: 'Use another program, or add `except` to the rule.',
  },
  NO_ALLOW: { means: 'Nothing allows the call.', fix: 'Paste the lines of the message under `also_allow`.' },
  CONSENT_REQUIRED: { means: 'A person has to agree, and has not.', fix: 'Ask the user.' },
  CONSENT_UNAVAILABLE: {
    means: 'A person has to agree, and nobody can be asked.',
    fix: 'Use a client that can ask, set a PIN with `castellan approve --set-pin`, or change `consent`.',
  },
  CONSENT_PENDING: {
    means: 'A person has been asked outside of the client, and has not answered yet.',
    fix: 'Tell the user to run `castellan approve`, then call again, with the arguments or `{ "approval": "apr_…" }`.',
  },
  RATE_LIMITED: { means: 'Too many calls within a time.', fix: 'Wait `retry_after_ms`, or raise `rate`.' },
  BREAKER_OPEN: {
    means: 'The tool failed several times in a row and is disabled for a short time.',
    fix: 'Wait `retry_after_ms`. The first success enables it again.',
  },
  BUSY: { means: 'Too many calls run at once and the queue is full.', fix: 'Try again when one has ended.' },
  SANDBOX_UNAVAILABLE: {
    means: 'The sandbox cannot be set up, and the policy wants one.',
    fix: 'Run `castellan doctor`.',
  },
  AUDIT_UNAVAILABLE: {
    means: 'The call needs an audit record, and none can be written.',
    fix: 'Free the disk of the state folder.',
  },
};

/** Types, codes and reasons: the lists of the code that makes them, so that none can be missing. */
export function errorsPage(): string {
  const types = Object.keys(TOOL_ERROR_TYPES)
    .filter(isToolErrorKind)
    .map((kind) => {
      const { type, code: number } = TOOL_ERROR_TYPES[kind];
      return [code(type), String(number), KINDS[kind]];
    });
  const reasons = Object.entries(REASONS).map(([reason, { means, fix }]) => [code(reason), means, fix]);
  return pageOf('Errors', 'How a failed call looks, and what to do about each kind of failure.', [
    'A failed call has `isError: true`. With `answers: envelope` the result has `error_type`, `error_code`, `error_message` and `error_details`; with `answers: text` the text begins with the type. `error_style: rpc` sends JSON-RPC errors with the same codes.',
    '## Types',
    table(['type', 'code', 'meaning'], types),
    '## Reason codes',
    'Reason codes are stable: policies, tests and clients may rely on them. `castellan policy explain TOOL JSON` names the rule behind one.',
    table(['reason', 'meaning', 'what to do'], reasons),
  ]);
}
