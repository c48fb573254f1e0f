import { inject, injectable } from 'inversify';
import { isJsonObject } from '../../domain/json-value.js';
import { Result } from '../../domain/result.js';
import type { Session } from '../../domain/session/session.js';
import { consentRequired, type ToolError, toolFailure } from '../../domain/tool/tool-error.js';
import { OpenQuestions } from './open-questions.js';

const APPROVAL = /^apr_\w{1,64}$/;

interface GivenCall {
  readonly arguments?: unknown;
  /** Set for a call from inside the server, for which consent cannot be asked. */
  readonly inner?: object;
}

/** Handles calls that pass an approval id instead of arguments: `{ "approval": "apr_…" }`. */
@injectable()
export class ApprovedCalls {
  constructor(@inject(OpenQuestions) private readonly questions: OpenQuestions) {}

  /** The arguments of the call: its own, or those stored with the question. */
  argumentsOf(
    { arguments: args, inner }: GivenCall,
    { id: sessionId, caller }: Session,
    tool: string,
  ): Result<unknown, ToolError> {
    const id = inner === undefined ? approvalIn(args) : undefined;
    if (id === undefined) return Result.ok(args);
    const kept = this.questions.keptCall(id, { callerId: caller.id, sessionId, tool });
    if (kept !== undefined) return Result.ok(kept);
    const message = `No call of ${tool} waits as ${id} in this session: it has run, has expired, or was too large to store. Repeat the call with its arguments.`;
    return toolFailure(consentRequired('CONSENT_REQUIRED', message));
  }
}

function approvalIn(args: unknown): string | undefined {
  if (!isJsonObject(args)) return undefined;
  const { approval } = args;
  const alone = typeof approval === 'string' && Object.keys(args).length === 1;
  return alone && APPROVAL.test(approval) ? approval : undefined;
}
