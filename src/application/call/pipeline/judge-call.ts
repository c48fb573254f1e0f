import { inject, injectable } from 'inversify';
import { Result } from '../../../domain/result.js';
import { LOCAL_STDIO } from '../../../domain/session/caller.js';
import { Session } from '../../../domain/session/session.js';
import {
  consentRequired,
  permissionDenied,
  type ToolError,
  toolFailure,
} from '../../../domain/tool/tool-error.js';
import { FileCalls } from '../../file/file-call.js';
import { ReachedPaths } from '../../file/reached-paths.js';
import { AuthoriseCall } from '../../permission/authorise-call.js';
import { PolicySource } from '../../ports/permission/policy-source.js';
import { InputValidator } from '../../ports/tool/input-validator.js';
import { CallScope } from '../call-scope.js';
import { Cancellation } from '../cancellation.js';
import { SILENT_CHANNEL } from '../tool-context.js';
import { CallJournal } from './call-journal.js';
import { foundUnder, type JournalEntry } from './journal-entry.js';
import { ResolveTool } from './resolve-tool.js';

/** What a client's own tool is about to do, expressed as a call of our equivalent tool. */
export interface JudgeCallQuery {
  /** The client's session, under which the audit records the decision. */
  readonly sessionId: string;
  /** The client's name, for the session. */
  readonly client: string;
  /** The client's name for its tool. */
  readonly ownTool: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** True if the client can ask its user about this call. */
  readonly asks: boolean;
  /** The client's tool opens every file below its path; ours leaves out what the policy hides. */
  readonly everythingBelow?: true;
}

export type Judgement =
  | { readonly effect: 'allow' }
  /** The client asks its user. */
  | { readonly effect: 'ask'; readonly message: string }
  | { readonly effect: 'deny'; readonly message: string };

/**
 * Decides on a call that another program makes as if our tool made it: same policy, same parsing, same
 * resolution of links. Runs nothing.
 */
@injectable()
export class JudgeCallHandler {
  constructor(
    @inject(ResolveTool) private readonly tools: ResolveTool,
    @inject(InputValidator) private readonly validator: InputValidator,
    @inject(PolicySource) private readonly policies: PolicySource,
    @inject(AuthoriseCall) private readonly permission: AuthoriseCall,
    @inject(FileCalls) private readonly calls: FileCalls,
    @inject(ReachedPaths) private readonly paths: ReachedPaths,
    @inject(CallJournal) private readonly journal: CallJournal,
  ) {}

  async handle(query: JudgeCallQuery): Promise<Judgement> {
    const entry = this.journal.open(query.tool, query.arguments);
    entry.ownTool = query.ownTool;
    let judged: Result<Judgement, ToolError>;
    try {
      judged = await this.#judge(query, entry);
    } catch (error) {
      const fault = this.journal.fault(entry, error);
      if (fault.success) throw error;
      judged = toolFailure(fault.error);
    }
    const recorded = await this.journal.judged(entry, judged.success ? undefined : judged.error);
    if (judged.success && !recorded.success) judged = toolFailure(recorded.error);
    return judged.success ? judged.value : { effect: 'deny', message: messageOf(judged.error, query.tool) };
  }

  async #judge(query: JudgeCallQuery, entry: JournalEntry): Promise<Result<Judgement, ToolError>> {
    const snapshot = this.policies.current();
    const session = Session.create(query.sessionId, LOCAL_STDIO);
    session.initialize({ name: query.client, version: '0' });
    entry.found = foundUnder(snapshot.policy, session);
    const found = this.tools.find(session, query.tool, snapshot.policy);
    if (!found.success) return found;
    const tool = found.value.runnable;
    entry.found = foundUnder(snapshot.policy, session, tool.tool);
    const args = await this.validator.check(tool.tool, query.arguments);
    if (!args.success) return args;
    const decided = await this.permission.decide(snapshot.policy, tool, args.value, session.caller);
    const refuse = (error: ToolError): Result<Judgement, ToolError> => {
      entry.verdict = { granted: false, decision: decided.decision, error };
      return toolFailure(error);
    };
    if (decided.error !== undefined) return refuse(decided.error);
    const { decision, call } = decided;
    const { obligations, plans } = decision;
    const scope = new CallScope(session, entry.correlationId, {}, new Cancellation(), SILENT_CHANNEL);
    const { policy } = snapshot;
    scope.under({ policy, obligations, view: policy.viewFor(tool.tool.name), plans });
    const files = this.calls.open(scope);
    const reached = await this.paths.refusal(call.requests, files);
    if (reached !== undefined) return refuse(reached);
    if (query.everythingBelow && (await this.paths.holdFiles(call.requests, files)))
      return refuse(permissionDenied('DENIED_PATH', `${EVERYTHING} Use ${query.tool} of Castellan.`));
    if (decision.effect === 'allow') {
      entry.verdict = { granted: true, decision, obligations };
      return Result.ok({ effect: 'allow' });
    }
    if (decision.consent.phrase !== undefined) return refuse(consentRequired('CONSENT_UNAVAILABLE', PHRASE));
    const consequences = await this.permission.consequences(snapshot, call, scope);
    const parts = [
      "The policy requires the user's approval for this.",
      consequences,
      query.asks ? '' : CANNOT_ASK,
    ];
    const message = parts.filter((part) => part !== undefined && part !== '').join(' ');
    if (!query.asks) return refuse(consentRequired('CONSENT_UNAVAILABLE', message));
    entry.verdict = { granted: true, decision, obligations };
    return Result.ok({ effect: 'ask', message });
  }
}

const EVERYTHING = 'This search opens every file of the directory, including those that the policy hides.';
const CANNOT_ASK =
  'This client cannot ask for it here. Use the equivalent Castellan tool, or ask the user to do it.';
const PHRASE =
  'The policy requires the user to type a phrase, which only the equivalent Castellan tool can ask for. Use that tool.';

function messageOf(error: ToolError, tool: string): string {
  return error.kind === 'not-found'
    ? `The policy allows no ${tool}, as which this call is checked. Tell the user which permission is missing.`
    : error.message;
}
